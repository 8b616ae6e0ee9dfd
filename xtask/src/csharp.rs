//! The C# declarations of the C interface: structures, enumerations and imported functions, written from the header.
//!
//! ```text
//!   bindings/c/src ──cbindgen──> wayfare.h ──this──> bindings/csharp/src/Generated/{Structures,Native}.cs
//! ```
//!
//! The header is what cbindgen writes, so its shape is known and a reader of lines is enough. Handles become classes,
//! settings become classes with properties, all other structures stay structures of equal layout.
//!
//! Sources: none needed.

use crate::csharp_ids::ids;
use crate::run::root;
use std::collections::BTreeMap;
use std::fs;

const HEADER: &str = "bindings/c/include/wayfare.h";
const FOLDER: &str = "bindings/csharp/src/Generated";
/// Structures that the C# classes fill themselves: nobody else sees them.
const INTERNAL: [&str; 7] = ["Context", "FilterCallbacks", "Triangles", "Heights", "Polygons", "Volume", "Target"];
/// Structures of settings, passed by reference: classes that begin with the defaults.
const SETTINGS: [&str; 6] =
    ["BakeSettings", "BlockSettings", "CrowdSettings", "AgentParams", "LinkSettings", "QuerySettings"];
/// Fields that have a better property, written by hand.
const HIDDEN: [&str; 2] = ["BakeSettings.has_bounds", "BakeSettings.bounds"];
/// Names in C that would collide with those of .NET, or that the library calls otherwise.
const RENAMED: [(&str, &str); 33] = [
    ("Agent", "AgentState"),
    ("Block", "BlockKind"),
    ("Blocks", "BlockWorld"),
    ("Change", "MeshChange"),
    ("Checkpoints", "LevelCheckpoints"),
    ("Clearance", "ClearanceMesh"),
    ("Context", "ContextData"),
    ("Corner", "CorridorCorner"),
    ("Corridor", "PathCorridor"),
    ("Drawn", "DrawnShape"),
    ("Event", "CrowdEvent"),
    ("EventKind", "CrowdEventKind"),
    ("FilterCallbacks", "FilterData"),
    ("Grid", "LocalGrid"),
    ("GridShape", "GridObstacleShape"),
    ("Heights", "HeightsData"),
    ("Hierarchy", "AbstractGraph"),
    ("Link", "AutoLink"),
    ("Mesh", "NavMesh"),
    ("Objects", "ObjectLevel"),
    ("Overlay", "CostOverlay"),
    ("Pair", "PathEnds"),
    ("Path", "PathInfo"),
    ("Polygons", "PolygonsData"),
    ("Query", "NavQuery"),
    ("Queue", "PathQueue"),
    ("Report", "BakeReport"),
    ("Search", "PathSearch"),
    ("Shape", "VolumeShape"),
    ("Shared", "SharedMesh"),
    ("Target", "TargetData"),
    ("Triangles", "TrianglesData"),
    ("Volume", "VolumeData"),
];
const RENAMED_MORE: [(&str, &str); 5] = [
    ("PathBatch", "NativePathBatch"),
    ("Store", "TileStore"),
    ("Version", "MeshVersion"),
    ("Warning", "BakeWarning"),
    ("World", "ResidentWorld"),
];
/// What comments call by its name in C, and what it is called here.
const CALLS: [(&str, &str); 7] = [
    ("wayfare_last_error", "WayfareException.Message"),
    ("wayfare_report_warning_name", "BakeReport.Warnings"),
    ("wayfare_explain_text", "ExplainMap.ReasonAt"),
    ("wayfare_query_ray_polygons", "NavQuery.RayPolygons"),
    ("wayfare_crowd_phase", "Crowd.RunPhase"),
    ("wayfare_crowd_agents", "Crowd.Agents"),
    ("wayfare_crowd_positions", "Crowd.Positions"),
];

/// A line of the header with the comment above it.
struct Field {
    docs: Vec<String>,
    kind: Kind,
    name: String,
    /// How many values, where it is an array.
    array: Option<String>,
}

/// A type of C.
#[derive(Clone)]
struct Kind {
    base: String,
    is_pointer: bool,
    is_const: bool,
}

enum Item {
    Enum { name: String, variants: Vec<(Vec<String>, String, String)> },
    Struct { name: String, fields: Vec<Field> },
    Function { name: String, returns: String, parameters: Vec<Field> },
}

/// Writes the declarations, or with `check` says whether they are those of the header.
pub(crate) fn run(check: bool) -> Result<(), String> {
    let header = fs::read_to_string(root().join(HEADER)).map_err(|e| format!("{HEADER}: {e}"))?;
    let header = header.replace("\r\n", "\n");
    let items = read(&header)?;
    let made = [("Structures.cs", structures(&items)), ("Native.cs", native(&items)), ("Ids.cs", ids())];
    for (file, text) in made {
        let path = format!("{FOLDER}/{file}");
        let at = root().join(&path);
        if check {
            let known = fs::read_to_string(&at).unwrap_or_default().replace("\r\n", "\n");
            if known != text {
                return Err(format!("{path} is not that of {HEADER}: write it by `cargo xtask bless-csharp`"));
            }
        } else {
            fs::write(&at, text).map_err(|e| format!("{path}: {e}"))?;
        }
    }
    Ok(())
}

/// The items of the header, each with its name and the comment above it.
fn read(header: &str) -> Result<Vec<(Vec<String>, Item)>, String> {
    let mut items = Vec::new();
    let mut docs = Vec::new();
    let mut lines = header.lines();
    while let Some(line) = lines.next() {
        if let Some(doc) = line.strip_prefix("//") {
            docs.push(doc.trim().to_owned());
        } else if let Some(name) = begin(line, "typedef enum ") {
            let variants = fields(&mut lines, |docs, line| {
                let (name, value) = line.trim_end_matches(',').split_once(" = ")?;
                Some((docs, name.to_owned(), value.to_owned()))
            });
            items.push((std::mem::take(&mut docs), Item::Enum { name, variants }));
        } else if let Some(name) = begin(line, "typedef struct ") {
            let fields = fields(&mut lines, |docs, line| field(docs, line.trim_end_matches(';')));
            items.push((std::mem::take(&mut docs), Item::Struct { name, fields }));
        } else if line.contains(" wayfare_") && line.contains('(') || line.contains(" *wayfare_") {
            let mut whole = line.to_owned();
            while !whole.ends_with(';') {
                whole += lines.next().ok_or("the header ends within a function")?.trim();
            }
            items.push((std::mem::take(&mut docs), function(&whole).ok_or_else(|| whole.clone())?));
        } else {
            docs.clear();
        }
    }
    Ok(items)
}

fn begin(line: &str, with: &str) -> Option<String> {
    Some(line.strip_prefix(with)?.strip_suffix(" {")?.to_owned())
}

/// The lines up to a closing brace, each with the comment above it.
fn fields<'a, T>(lines: &mut impl Iterator<Item = &'a str>, read: impl Fn(Vec<String>, &str) -> Option<T>) -> Vec<T> {
    let mut found = Vec::new();
    let mut docs = Vec::new();
    for line in lines.map(str::trim).take_while(|line| !line.starts_with('}')) {
        match line.strip_prefix("//") {
            Some(doc) => docs.push(doc.trim().to_owned()),
            None => found.extend(read(std::mem::take(&mut docs), line)),
        }
    }
    found
}

/// `const struct WayfareVec3 *points`, `double seconds[10]`.
fn field(docs: Vec<String>, text: &str) -> Option<Field> {
    let is_const = text.starts_with("const ");
    let is_pointer = text.contains('*');
    let words: Vec<&str> = text.split([' ', '*']).filter(|word| !word.is_empty()).collect();
    let base = words.iter().find(|word| !["const", "struct", "enum"].contains(*word))?;
    let (name, array) = match words.last()?.split_once('[') {
        Some((name, count)) => (name, Some(count.trim_end_matches(']').to_owned())),
        None => (*words.last()?, None),
    };
    let kind = Kind { base: (*base).to_owned(), is_pointer, is_const };
    Some(Field { docs, kind, name: name.to_owned(), array })
}

fn function(line: &str) -> Option<Item> {
    let (head, rest) = line.split_once('(')?;
    let (returns, name) = head.rsplit_once([' ', '*'])?;
    let inner = rest.strip_suffix(");")?;
    let parameters = inner
        .split(',')
        .filter(|one| one.trim() != "void")
        .map(|one| field(Vec::new(), one.trim()))
        .collect::<Option<_>>();
    Some(Item::Function { name: name.to_owned(), returns: returns.trim().to_owned(), parameters: parameters? })
}

/// The C# name of a type of the header.
fn class(name: &str) -> String {
    let plain = name.strip_prefix("Wayfare").unwrap_or(name);
    let renamed = RENAMED.iter().chain(&RENAMED_MORE).find(|(from, _)| *from == plain);
    renamed.map_or(plain, |(_, to)| to).to_owned()
}

fn pascal(snake: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters.map(|letter| letter.to_ascii_lowercase())).collect::<String>()
    };
    snake.split('_').map(word).collect()
}

fn camel(snake: &str) -> String {
    let pascal = pascal(snake);
    let mut letters = pascal.chars();
    let name: String = letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect();
    let is_keyword = ["object", "params", "base", "out", "fixed", "event", "ref", "in"].contains(&name.as_str());
    if is_keyword { format!("@{name}") } else { name }
}

fn number(base: &str) -> Option<&'static str> {
    Some(match base {
        "uint8_t" | "char" => "byte",
        "uint16_t" => "ushort",
        "uint32_t" => "uint",
        "int32_t" => "int",
        "uint64_t" => "ulong",
        "size_t" => "UIntPtr",
        "float" => "float",
        "double" => "double",
        "void" => "void",
        _ => return None,
    })
}

/// What the names of the header stand for.
struct Names<'a> {
    structs: BTreeMap<&'a str, &'a [Field]>,
}

impl<'a> Names<'a> {
    fn new(items: &'a [(Vec<String>, Item)]) -> Self {
        let structs = items.iter().filter_map(|(_, item)| match item {
            Item::Struct { name, fields } => Some((name.as_str(), fields.as_slice())),
            _ => None,
        });
        Self { structs: structs.collect() }
    }

    fn is_handle(&self, base: &str) -> bool {
        self.structs.get(base).is_some_and(|fields| fields.len() == 1 && fields[0].name == "id")
    }

    /// The type of a field or parameter that is no pointer, or of what a pointer leads to.
    fn target(&self, base: &str) -> String {
        if self.is_handle(base) {
            return "ulong".to_owned();
        }
        number(base).map_or_else(
            || if self.structs.contains_key(base) { class(base) } else { "IntPtr".to_owned() },
            str::to_owned,
        )
    }

    /// The type of a field: enumerations and references by what its comment and its name say.
    fn field(&self, field: &Field) -> String {
        if field.kind.is_pointer {
            return format!("{}*", self.target(&field.kind.base));
        }
        if field.kind.base == "uint32_t"
            && let Some(rest) = field.docs.first().and_then(|doc| doc.strip_prefix("A `Wayfare"))
            && let Some((name, _)) = rest.split_once('`')
        {
            return class(name);
        }
        match (field.kind.base.as_str(), field.name.as_str()) {
            ("uint64_t", "poly" | "before" | "next" | "parent" | "connection" | "to") => "PolyRef".to_owned(),
            ("uint64_t", "tile") => "TileRef".to_owned(),
            ("uint64_t", "agent") => "AgentId".to_owned(),
            (base, _) => self.target(base),
        }
    }
}

fn is_flag(field: &Field) -> bool {
    let is_small = ["uint32_t", "uint8_t"].contains(&field.kind.base.as_str()) && !field.kind.is_pointer;
    is_small && field.docs.first().is_some_and(|doc| doc.starts_with("1 "))
}

/// A comment as documentation of C#.
fn summary(docs: &[String], indent: &str) -> String {
    let text = docs.join(" ").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut made = String::new();
    for (i, part) in text.split('`').enumerate() {
        if i % 2 == 0 {
            made += part;
        } else if let Some((_, to)) = CALLS.iter().find(|(from, _)| *from == part) {
            made += &format!("<c>{to}</c>");
        } else if part.starts_with("Wayfare") {
            let (name, member) = part.split_once('.').unwrap_or((part, ""));
            let dot = if member.is_empty() { "" } else { "." };
            made += &format!("<c>{}{dot}{}</c>", class(name), pascal(member));
        } else {
            made += &format!("<c>{}</c>", if part.contains('_') { pascal(part) } else { part.to_owned() });
        }
    }
    // What the flags of C are to be read as.
    let made = match made.strip_prefix("1 ") {
        Some(rest) => format!("True {}", rest.replace("; 0 ", "; false ").replace(". 0 ", ". False ")),
        None => made,
    };
    let made = made.replace("Default 1.", "Default true.");
    let made = if docs.first().is_some_and(|doc| doc.starts_with("1 ")) {
        made.replace("Default 0.", "Default false.")
    } else {
        made.replace("Default true.", "Default 1.")
    };
    let mut lines = vec![String::new()];
    for word in format!("<summary>{made}</summary>").split(' ') {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && indent.len() + 4 + lines[last].len() + 1 + word.len() > 120 {
            lines.push(String::new());
        }
        let line = lines.last_mut().map_or_else(String::new, std::mem::take);
        let last = lines.len() - 1;
        lines[last] = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
    }
    lines.iter().map(|line| format!("{indent}/// {line}\n")).collect()
}

const HEAD: &str = "// <auto-generated>Written from bindings/c/include/wayfare.h by `cargo xtask bless-csharp`: do not edit it.</auto-generated>

// Fields that only native code reads and writes.
#pragma warning disable 0169, 0414, 0649
using System;
using System.Runtime.InteropServices;

namespace Wayfare
{
";

fn structures(items: &[(Vec<String>, Item)]) -> String {
    let names = Names::new(items);
    let mut text = HEAD.to_owned();
    for (docs, item) in items {
        match item {
            Item::Enum { name, variants } => text += &enumeration(docs, name, variants),
            Item::Struct { name, fields } if !names.is_handle(name) => {
                let plain = name.trim_start_matches("Wayfare");
                text += &if SETTINGS.contains(&plain) {
                    settings(&names, docs, plain, fields)
                } else {
                    structure(&names, docs, plain, fields)
                };
            }
            _ => {}
        }
    }
    text.truncate(text.trim_end().len());
    text + "\n}\n"
}

fn enumeration(docs: &[String], name: &str, variants: &[(Vec<String>, String, String)]) -> String {
    let start: String = name
        .chars()
        .flat_map(|c| if c.is_ascii_uppercase() { vec!['_', c] } else { vec![c.to_ascii_uppercase()] })
        .collect();
    let prefix = format!("{}_", start.trim_start_matches('_'));
    let mut text = summary(docs, "    ");
    text += &format!("    public enum {} : uint\n    {{\n", class(name));
    for (docs, variant, value) in variants {
        text += &summary(docs, "        ");
        text += &format!("        {} = {value},\n", pascal(variant.strip_prefix(&prefix).unwrap_or(variant)));
    }
    text + "    }\n\n"
}

fn structure(names: &Names<'_>, docs: &[String], plain: &str, fields: &[Field]) -> String {
    let is_internal = INTERNAL.contains(&plain);
    let is_unsafe = fields.iter().any(|field| field.kind.is_pointer || field.array.is_some());
    let (seen, word) = (if is_internal { "internal" } else { "public" }, if is_unsafe { "unsafe " } else { "" });
    let mut text = summary(docs, "    ");
    text += "    [StructLayout(LayoutKind.Sequential)]\n";
    text += &format!("    {seen} {word}partial struct {}\n    {{\n", class(plain));
    for field in fields {
        let (kind, name) = (names.field(field), pascal(&field.name));
        if field.name == "size" || field.name == "reserved" {
            text += &format!("        internal uint {name};\n");
        } else if let Some(count) = &field.array {
            text += &format!("        internal fixed {kind} {name}[{count}];\n");
        } else if is_flag(field) && !is_internal {
            let own = camel(&field.name);
            text += &format!("        private {kind} {own};\n");
            text += &summary(&field.docs, "        ");
            text += &format!(
                "        public bool {name} {{ get => {own} != 0; set => {own} = value ? ({kind})1 : ({kind})0; }}\n"
            );
        } else {
            text += &summary(&field.docs, "        ");
            text += &format!("        public {kind} {name};\n");
        }
    }
    text + "    }\n\n"
}

fn settings(names: &Names<'_>, docs: &[String], plain: &str, fields: &[Field]) -> String {
    // How C fills it is no matter of C#.
    let whole = docs.join(" ");
    let told = whole.split(" Fill it by").next().unwrap_or_default().to_owned();
    let mut text = summary(&[told], "    ");
    text += "    [StructLayout(LayoutKind.Sequential)]\n";
    text += &format!("    public sealed partial class {}\n    {{\n", class(plain));
    for field in fields {
        let (kind, name, own) = (names.field(field), pascal(&field.name), camel(&field.name));
        text += &format!("        private {kind} {own};\n");
        if field.name == "size" || HIDDEN.contains(&format!("{plain}.{}", field.name).as_str()) {
            continue;
        }
        text += &summary(&field.docs, "        ");
        text += &if is_flag(field) {
            format!("        public bool {name} {{ get => {own} != 0; set => {own} = value ? 1u : 0u; }}\n")
        } else {
            format!("        public {kind} {name} {{ get => {own}; set => {own} = value; }}\n")
        };
    }
    text + "    }\n\n"
}

fn native(items: &[(Vec<String>, Item)]) -> String {
    let names = Names::new(items);
    let mut text = HEAD.to_owned();
    text += "    /// <summary>The functions of the C interface, as they are.</summary>\n";
    text += "    internal static unsafe class Native\n    {\n";
    for (_, item) in items {
        let Item::Function { name, returns, parameters } = item else { continue };
        let returns = match returns.as_str() {
            "enum WayfareStatus" => "Status".to_owned(),
            "const char" => "IntPtr".to_owned(),
            other => number(other).unwrap_or("IntPtr").to_owned(),
        };
        let list: Vec<String> = parameters
            .iter()
            .enumerate()
            .map(|(i, one)| {
                let after = parameters.get(i + 1).map_or("", |next| next.name.as_str());
                parameter(&names, one, after, name.ends_with("_free"))
            })
            .collect();
        text +=
            "        [DllImport(Library.Name, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]\n";
        text += &format!("        internal static extern {returns} {name}({});\n\n", list.join(", "));
    }
    text.truncate(text.trim_end().len());
    text + "\n    }\n}\n"
}

fn parameter(names: &Names<'_>, one: &Field, after: &str, frees: bool) -> String {
    let Kind { base, is_pointer, is_const } = &one.kind;
    let name = camel(&one.name);
    let plain = base.trim_start_matches("Wayfare");
    let kind = match (is_pointer, SETTINGS.contains(&plain)) {
        (true, true) if after == "count" => "void*".to_owned(),
        (true, true) if *is_const => format!("[In] {}", class(base)),
        (true, true) => format!("[In, Out] {}", class(base)),
        (true, false) => format!("{}*", names.target(base)),
        // The object itself, so that it lives until the call is over.
        // But not where it is freed: it is as good as dead then.
        (false, _) if names.is_handle(base) && !frees => class(base),
        (false, _) => names.target(base),
    };
    format!("{kind} {name}")
}
