//! Hands a file to the user: into the current folder, or as a download of the page.

/// Saves a file. Returns where it is.
///
/// # Errors
/// The folder cannot be written to; what the system says about it.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn save(name: &str, bytes: &[u8]) -> Result<String, String> {
    let folder = std::env::current_dir().map_err(|error| error.to_string())?;
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    // What is there is not written over.
    let names = (1..1000).map(|i| if i == 1 { name.to_owned() } else { format!("{stem}-{i}.{ending}") });
    let place =
        names.map(|name| folder.join(name)).find(|place| !place.exists()).ok_or("there are too many already")?;
    std::fs::write(&place, bytes).map_err(|error| error.to_string())?;
    Ok(place.display().to_string())
}

/// Saves a file. Returns where it is.
///
/// # Errors
/// The browser refuses.
#[cfg(target_arch = "wasm32")]
pub(crate) fn save(name: &str, bytes: &[u8]) -> Result<String, String> {
    super::web::download(name, bytes).map_err(|error| format!("{error:?}"))?;
    Ok(name.to_owned())
}
