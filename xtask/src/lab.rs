//! `cargo xtask lab`: builds and tests the lab; `--web` makes its page, `--install` what it needs on Debian.
//!
//! The lab is a workspace of its own and brings hundreds of packages, so the newcomer's commands leave it alone.

use crate::run::{apt_install, has_target, root, run as run_line, works};

const MANIFEST: &str = "crates/wayfare-lab/Cargo.toml";
const PAGE_MAKER: &str = "crates/wayfare-lab/web/Cargo.toml";

/// What a display without a screen, software rendering and a browser are called in Debian.
const PACKAGES: &str = "xvfb mesa-vulkan-drivers libgl1-mesa-dri libegl1 chromium xdotool imagemagick libxkbcommon-x11-0 \
    libxcursor1 libxi6 libxrandr2 xauth";

/// Builds and tests: the prototypes without a window first, then the window, the page, and the page in a browser.
pub(crate) fn run() -> Result<(), String> {
    run_line(&format!("cargo test --manifest-path {MANIFEST} --no-default-features"), &[])?;
    run_line(&format!("cargo test --manifest-path {MANIFEST} --features ui-tests"), &[])?;
    if works("Xvfb -help") {
        run_line("crates/wayfare-lab/tests/window.sh", &[])?;
    } else {
        println!("\nskipped: the window under a display without a screen needs Xvfb (`cargo xtask lab --install`)");
    }
    if let Some(why) = missing_for_web() {
        println!("\nskipped: {why}");
        return Ok(());
    }
    web()?;
    if works("chromium --version") && works("node --version") {
        return run_line("node crates/wayfare-lab/tests/browser.mjs", &[]);
    }
    println!("\nskipped: the page in a browser needs chromium and node (`cargo xtask lab --install`)");
    Ok(())
}

/// Makes the page in `target/lab`: any server of files can serve it.
pub(crate) fn web() -> Result<(), String> {
    match missing_for_web() {
        Some(why) => Err(why),
        None => run_line(&format!("cargo run -q --manifest-path {PAGE_MAKER} -- {}", page().display()), &[]),
    }
}

/// Where the page is made.
pub(crate) fn page() -> std::path::PathBuf {
    root().join("target/lab")
}

/// Takes the pictures of the documents again, through the lab's tests.
pub(crate) fn pictures() -> Result<(), String> {
    let folder = root().join("docs/pictures");
    let vars = [("WAYFARE_LAB_PICTURES", &*folder.to_string_lossy()), ("WAYFARE_LAB_SMOOTH", "1")];
    run_line(&format!("cargo test --manifest-path {MANIFEST} --features ui-tests --test ui pictures"), &vars)?;
    if works("mogrify -version") {
        // Flat colours take a third of the bytes in a palette, and nobody sees the difference.
        let pictures = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for picture in pictures.flatten().map(|entry| entry.path()) {
            if picture.file_name().is_some_and(|name| name.to_string_lossy().starts_with("lab-")) {
                run_line(&format!("mogrify -strip -dither None -colors 255 {}", picture.display()), &[])?;
            }
        }
    }
    Ok(())
}

/// Installs what a window without a screen, software rendering and the browser test need, on Debian.
pub(crate) fn install() -> Result<(), String> {
    apt_install(PACKAGES)?;
    run_line("rustup target add wasm32-unknown-unknown", &[])
}

/// What this machine lacks for the page.
fn missing_for_web() -> Option<String> {
    (!has_target("wasm32-unknown-unknown"))
        .then(|| "the page needs `rustup target add wasm32-unknown-unknown`".to_owned())
}
