//! Writes a picture to a file, in the format of the file's extension.

use super::atomic_file;
use super::kind::Kind;
use crate::failure::{Failure, Result};
use std::path::Path;
use wayfare::debug::ShapeList;
use wayfare::mesh::NavMesh;
use wayfare_draw::{Caption, Picture, draw_shapes};

/// Draws shapes into a file. `size` is the longer side of the drawing, in pixels.
pub(crate) fn draw_picture(shapes: &ShapeList, caption: &Caption, size: u32, target: &Path) -> Result<()> {
    write_picture(&draw_shapes(shapes, caption, size), target)
}

/// Writes a picture in the format of its file extension.
pub(crate) fn write_picture(picture: &Picture, target: &Path) -> Result<()> {
    let kind = Kind::of_picture(target)?;
    kind.check_replaced(target)?;
    let bytes = match kind {
        Kind::Png => picture.to_png().map_err(|e| Failure::about(target.display(), e))?,
        _ => picture.to_svg().into_bytes(),
    };
    atomic_file::write(target, &bytes)
}

/// The caption of a mesh in a file.
pub(crate) fn caption_of(file: &Path, mesh: &NavMesh) -> Caption {
    Caption::of(&file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()), mesh)
}
