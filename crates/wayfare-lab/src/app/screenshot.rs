//! The window as a picture.

use super::save_file;
use egui::{ColorImage, Context, Event, UserData, ViewportCommand};

/// Asks for a picture of the next frame.
pub(super) fn ask(ctx: &Context) {
    ctx.send_viewport_cmd(ViewportCommand::Screenshot(UserData::default()));
}

/// Saves a picture that has arrived: where it is, or why it is not.
pub(super) fn take(ctx: &Context) -> Option<Result<String, String>> {
    let image = ctx.input(|input| {
        input.raw.events.iter().find_map(|event| match event {
            Event::Screenshot { image, .. } => Some(image.clone()),
            _ => None,
        })
    })?;
    Some(png(&image).and_then(|bytes| save_file::save("wayfare-lab.png", &bytes)))
}

fn png(image: &ColorImage) -> Result<Vec<u8>, String> {
    let [width, height] = image.size.map(|side| side as u32);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let pixels: Vec<u8> = image.pixels.iter().flat_map(|pixel| [pixel.r(), pixel.g(), pixel.b()]).collect();
    let mut writer = encoder.write_header().map_err(|error| error.to_string())?;
    writer.write_image_data(&pixels).map_err(|error| error.to_string())?;
    writer.finish().map_err(|error| error.to_string())?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_written() {
        let image = ColorImage::filled([3, 2], egui::Color32::RED);
        let bytes = png(&image).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; 18];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height, &pixels[..3]), (3, 2, &[255, 0, 0][..]));
    }
}
