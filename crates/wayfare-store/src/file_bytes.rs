//! Reads and writes bytes at an offset of a file, from several threads, without a shared file position.

use std::fs::File;
use std::io;
use std::path::Path;

/// Reads this many bytes; fewer if the file ends earlier.
pub(crate) fn read_at(file: &File, offset: u64, length: u64) -> io::Result<Vec<u8>> {
    let there = file.metadata()?.len().saturating_sub(offset).min(length);
    let length = usize::try_from(there).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    let mut bytes = vec![0; length];
    let mut done = 0;
    while done < length {
        match read_some(file, &mut bytes[done..], offset + done as u64)? {
            0 => break,
            read => done += read,
        }
    }
    bytes.truncate(done);
    Ok(bytes)
}

/// Writes all bytes.
pub(crate) fn write_at(file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    let mut done = 0;
    while done < bytes.len() {
        match write_some(file, &bytes[done..], offset + done as u64) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => done += written,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

#[cfg(unix)]
fn read_some(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    loop {
        match std::os::unix::fs::FileExt::read_at(file, bytes, offset) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

#[cfg(unix)]
fn write_some(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::write_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_some(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, offset)
}

#[cfg(windows)]
fn write_some(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_write(file, bytes, offset)
}

/// Replaces the content of a file atomically: it is complete or absent, whenever the program is killed.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = part_of(path);
    std::fs::write(&part, bytes)?;
    std::fs::rename(&part, path)
}

/// Where the content of a file is written before it replaces the file.
pub(crate) fn part_of(path: &Path) -> std::path::PathBuf {
    beside(path, "part")
}

/// A path with an extension added to its own.
pub(crate) fn beside(path: &Path, ending: &str) -> std::path::PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}
