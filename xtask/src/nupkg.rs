//! The package for NuGet, made without its tools: a zip with a manifest, assemblies by framework, native libraries by
//! platform.
//!
//! ```text
//!   Wayfare.0.1.0.nupkg
//!     [Content_Types].xml  _rels/.rels     what kinds of files there are, and which is the manifest
//!     Wayfare.nuspec                       name, version, licence, frameworks
//!     lib/netstandard2.1/Wayfare.dll .xml  the classes and their documentation
//!     lib/net8.0/…                         the same, where a .NET SDK has compiled them
//!     runtimes/linux-x64/native/…          the C library of each platform, as `wayfare_native`
//!     README.md  LICENSE-…
//! ```
//!
//! Sources: Microsoft, "Creating NuGet packages" and the Open Packaging Conventions (ECMA-376, part 2).

use crate::package::LICENCES;
use crate::packages::{FOLDER, VERSION, files};
use crate::run::{root, works};
use crate::tally::Tally;
use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

const STAGING: &str = "target/packaging/nupkg";
/// Frameworks that assemblies are for, as NuGet calls them, and as its manifest does.
const FRAMEWORKS: [(&str, &str); 2] = [("netstandard2.1", ".NETStandard2.1"), ("net8.0", "net8.0")];

/// Where the native library of a target stands in the package, and its file's name as it is built.
pub(crate) fn runtime(target: &str) -> Option<(&'static str, &'static str)> {
    Some(match target {
        "x86_64-unknown-linux-gnu" => ("linux-x64", "libwayfare.so"),
        "aarch64-unknown-linux-gnu" => ("linux-arm64", "libwayfare.so"),
        "x86_64-unknown-linux-musl" => ("linux-musl-x64", "libwayfare.so"),
        "x86_64-apple-darwin" => ("osx-x64", "libwayfare.dylib"),
        "aarch64-apple-darwin" => ("osx-arm64", "libwayfare.dylib"),
        "x86_64-pc-windows-msvc" | "x86_64-pc-windows-gnu" => ("win-x64", "wayfare.dll"),
        "aarch64-pc-windows-msvc" => ("win-arm64", "wayfare.dll"),
        "aarch64-linux-android" => ("android-arm64", "libwayfare.so"),
        _ => return None,
    })
}

/// The name by which the classes load a native library. It differs from theirs: to Windows `Wayfare.dll` and
/// `wayfare.dll` are one file, which can stand in a program's folder only once.
fn native_name(built: &str) -> String {
    built.replacen("wayfare.", "wayfare_native.", 1)
}

/// Compiles the classes by whatever is here, gathers native libraries, packs, and opens what was packed.
pub(crate) fn run(tally: &mut Tally, target: &str, native: Option<&Path>) -> Result<(), String> {
    let Some((platform, library)) = runtime(target) else {
        tally.skip(format!("the C# package: .NET has no name for {target}"));
        return Ok(());
    };
    let folder = root().join(STAGING);
    if !compile(tally, &folder)? {
        return Ok(());
    }
    let built = root().join("bindings/c/target/release").join(library);
    if !built.exists() {
        tally.fail(format!("the C# package: {} is not there", built.display()));
        return Ok(());
    }
    put_native(&folder, platform, &built)?;
    if let Some(native) = native {
        gather(native, &folder)?;
    }
    put(&folder, &root().join("bindings/csharp/README.md"))?;
    for licence in LICENCES {
        put(&folder, &root().join(licence))?;
    }
    let bytes = pack(&folder)?;
    check(&bytes, platform)?;
    let name = format!("Wayfare.{VERSION}.nupkg");
    fs::write(root().join(FOLDER).join(&name), bytes).map_err(|e| format!("{name}: {e}"))?;
    println!("\nmade {name}");
    tally.passed(1);
    Ok(())
}

/// Puts assemblies into `lib`; whether there are any.
fn compile(tally: &mut Tally, folder: &Path) -> Result<bool, String> {
    if works("dotnet --version") {
        let is_built = tally.line("dotnet build bindings/csharp/Wayfare.csproj -c Release", &[], 0);
        for (framework, _) in FRAMEWORKS {
            let built = root().join("bindings/csharp/bin/Release").join(framework);
            for file in ["Wayfare.dll", "Wayfare.xml"].iter().filter(|_| is_built) {
                put(&folder.join("lib").join(framework), &built.join(file))?;
            }
        }
        return Ok(is_built);
    }
    if !works("mcs --version") || !works("mono --version") {
        tally.skip("the C# package: it needs a .NET SDK, or mono (cargo xtask bindings --install)");
        return Ok(false);
    }
    // Mono compiles against its own libraries; what it gives is then made to refer to .NET Standard's.
    let script = "bindings/csharp/pack/for_netstandard";
    if !tally.line(&format!("{script} {STAGING}/lib/netstandard2.1"), &[], 0) {
        return Ok(false);
    }
    Ok(folder.join("lib/netstandard2.1/Wayfare.dll").exists())
}

/// Native libraries of other platforms, which other machines have made: `RUNTIME/FILE`.
fn gather(native: &Path, folder: &Path) -> Result<(), String> {
    let list = fs::read_dir(native).map_err(|e| format!("{}: {e}", native.display()))?;
    for entry in list.filter_map(Result::ok) {
        if entry.path().is_dir() {
            for library in files(&entry.path())? {
                put_native(folder, &entry.file_name().to_string_lossy(), &library)?;
            }
        }
    }
    Ok(())
}

fn put_native(folder: &Path, platform: &str, library: &Path) -> Result<(), String> {
    let name = library.file_name().unwrap_or_default().to_string_lossy();
    put_as(&folder.join("runtimes").join(platform).join("native"), library, Path::new(&native_name(&name)))
}

fn put(folder: &Path, file: &Path) -> Result<(), String> {
    put_as(folder, file, Path::new(file.file_name().unwrap_or_default()))
}

fn put_as(folder: &Path, file: &Path, name: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    fs::copy(file, folder.join(name)).map_err(|e| format!("{}: {e}", file.display())).map(|_| ())
}

/// The package as bytes, the same for the same files.
fn pack(folder: &Path) -> Result<Vec<u8>, String> {
    let list = files(folder)?;
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // A time, or the same files would give other bytes: the earliest that a zip can hold.
    let options = SimpleFileOptions::default().last_modified_time(zip::DateTime::default());
    let mut add = |name: &str, bytes: &[u8]| -> Result<(), String> {
        let failed = |e: &dyn std::fmt::Display| format!("{name}: {e}");
        zip.start_file(name, options).map_err(|e| failed(&e))?;
        zip.write_all(bytes).map_err(|e| failed(&e))
    };
    let names: Vec<String> = list.iter().map(|file| inner(folder, file)).collect();
    add("[Content_Types].xml", content_types(&names).as_bytes())?;
    add("_rels/.rels", RELATIONS.as_bytes())?;
    add("Wayfare.nuspec", manifest(&names).as_bytes())?;
    for (name, file) in names.iter().zip(&list) {
        add(name, &fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?)?;
    }
    zip.finish().map(Cursor::into_inner).map_err(|e| e.to_string())
}

/// The name of a file in the package.
fn inner(folder: &Path, file: &Path) -> String {
    let path: PathBuf = file.strip_prefix(folder).unwrap_or(file).to_owned();
    path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect::<Vec<_>>().join("/")
}

const RELATIONS: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Type="http://schemas.microsoft.com/packaging/2010/07/manifest" Target="/Wayfare.nuspec" Id="manifest" />
</Relationships>
"#;

/// Every ending that a file of the package has; files without one are named.
fn content_types(names: &[String]) -> String {
    let mut endings: Vec<&str> = names.iter().filter_map(|name| Path::new(name).extension()?.to_str()).collect();
    endings.extend(["nuspec"]);
    endings.sort_unstable();
    endings.dedup();
    let mut text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
                    <Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\n  \
                    <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\" />\n"
        .to_owned();
    for ending in endings {
        text += &format!("  <Default Extension=\"{ending}\" ContentType=\"application/octet\" />\n");
    }
    for name in names.iter().filter(|name| Path::new(name).extension().is_none()) {
        text += &format!("  <Override PartName=\"/{name}\" ContentType=\"application/octet\" />\n");
    }
    text + "</Types>\n"
}

/// The manifest: what the project file of the classes says, for the frameworks that were compiled.
fn manifest(names: &[String]) -> String {
    let project = fs::read_to_string(root().join("bindings/csharp/Wayfare.csproj")).unwrap_or_default();
    let told = |tag: &str| {
        let rest = project.split(&format!("<{tag}>")).nth(1).unwrap_or_default();
        rest.split('<').next().unwrap_or_default().to_owned()
    };
    let groups =
        FRAMEWORKS.iter().filter(|(folder, _)| names.iter().any(|name| name.starts_with(&format!("lib/{folder}/"))));
    let groups: String = groups.map(|(_, name)| format!("      <group targetFramework=\"{name}\" />\n")).collect();
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd">
  <metadata>
    <id>{}</id>
    <version>{VERSION}</version>
    <authors>{}</authors>
    <license type="expression">{}</license>
    <licenseUrl>https://licenses.nuget.org/MIT%20OR%20Apache-2.0</licenseUrl>
    <readme>README.md</readme>
    <description>{}</description>
    <tags>{}</tags>
    <dependencies>
{groups}    </dependencies>
  </metadata>
</package>
"#,
        told("PackageId"),
        told("Authors"),
        told("PackageLicenseExpression"),
        told("Description"),
        told("PackageTags"),
    )
}

/// Opens a package as NuGet would, and says what is missing in it.
fn check(bytes: &[u8], platform: &str) -> Result<(), String> {
    let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|e| format!("the package cannot be opened: {e}"))?;
    let names: Vec<String> = zip.file_names().filter_map(|name| Some(name.ok()?.into_owned())).collect();
    let native = format!("runtimes/{platform}/native/");
    for wanted in
        ["[Content_Types].xml", "_rels/.rels", "Wayfare.nuspec", "README.md", "lib/netstandard2.1/Wayfare.dll"]
    {
        if !names.iter().any(|name| name == wanted) {
            return Err(format!("the package holds no {wanted}"));
        }
    }
    let is_loaded = |name: &String| name.starts_with(&native) && name.contains("wayfare_native.");
    if !names.iter().any(is_loaded) {
        return Err(format!("the package holds no library in {native}"));
    }
    if let Some(name) = names.iter().find(|name| name.to_lowercase().ends_with("/native/wayfare.dll")) {
        return Err(format!("{name} has the name of the classes' own file"));
    }
    let mut read = |name: &str| -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        zip.by_name(name).map_err(|e| format!("{name}: {e}"))?.read_to_end(&mut bytes).map_err(|e| e.to_string())?;
        Ok(bytes)
    };
    let manifest = String::from_utf8_lossy(&read("Wayfare.nuspec")?).into_owned();
    for wanted in ["<id>Wayfare</id>", &format!("<version>{VERSION}</version>"), "<description>Nav", ".NETStandard2.1"]
    {
        if !manifest.contains(wanted) {
            return Err(format!("the package's manifest has no {wanted}"));
        }
    }
    if !read("lib/netstandard2.1/Wayfare.dll")?.starts_with(b"MZ") {
        return Err("the package's assembly is none".to_owned());
    }
    let types = String::from_utf8_lossy(&read("[Content_Types].xml")?).into_owned();
    // The ending of `.rels` is `rels`, which a path does not call an extension.
    let ending = |name: &str| Some(name.rsplit('/').next()?.rsplit_once('.')?.1.to_owned());
    let untold = names.iter().find(|name| match ending(name).as_deref() {
        Some("xml") if name.starts_with('[') => false,
        Some(ending) => !types.contains(&format!("\"{ending}\"")),
        None => !types.contains(&format!("\"/{name}\"")),
    });
    untold.map_or(Ok(()), |name| Err(format!("the package does not say what kind of file {name} is")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_opened_and_what_is_missing_in_it_is_told() {
        let folder = std::env::temp_dir().join(format!("wayfare_nupkg_{}", std::process::id()));
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        };
        file("README.md", b"read");
        file("LICENSE-MIT", b"may");
        file("lib/netstandard2.1/Wayfare.dll", b"MZ...");
        let bytes = pack(&folder).unwrap();
        assert!(check(&bytes, "linux-x64").unwrap_err().contains("runtimes/linux-x64"));
        let built = folder.with_extension("built");
        fs::create_dir_all(&built).unwrap();
        for (platform, name) in [("linux-x64", "libwayfare.so"), ("win-x64", "wayfare.dll")] {
            fs::write(built.join(name), b"\x7fELF").unwrap();
            put_native(&folder, platform, &built.join(name)).unwrap();
        }
        fs::remove_dir_all(&built).unwrap();
        assert!(folder.join("runtimes/win-x64/native/wayfare_native.dll").exists());
        let bytes = pack(&folder).unwrap();
        check(&bytes, "linux-x64").unwrap();
        assert_eq!(bytes, pack(&folder).unwrap(), "the same files give the same bytes");
        assert!(check(&bytes[..bytes.len() / 2], "linux-x64").is_err());
        file("runtimes/win-x64/native/Wayfare.dll", b"MZ");
        assert!(check(&pack(&folder).unwrap(), "linux-x64").unwrap_err().contains("own file"));
        fs::remove_file(folder.join("runtimes/win-x64/native/Wayfare.dll")).unwrap();
        file("lib/netstandard2.1/Wayfare.dll", b"no");
        assert!(check(&pack(&folder).unwrap(), "linux-x64").unwrap_err().contains("assembly"));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn platforms_have_names() {
        assert_eq!(runtime("x86_64-unknown-linux-gnu"), Some(("linux-x64", "libwayfare.so")));
        assert_eq!(runtime("wasm32-unknown-unknown"), None);
    }
}
