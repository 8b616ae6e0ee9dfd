//! Translates system errors for stores.

use std::io;
use std::path::Path;
use wayfare::format::StoreError;

/// A message for an error about a file.
pub(crate) fn failed(path: &Path, error: &io::Error) -> StoreError {
    let why = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "cannot be written: the disk is full; free some space and try again".to_owned()
        }
        _ => error.to_string(),
    };
    StoreError::Failed(format!("{}: {why}", path.display()))
}
