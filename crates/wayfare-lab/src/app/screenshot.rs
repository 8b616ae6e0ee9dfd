//! The window as a picture.

use super::save_file;
use egui::{ColorImage, Context, ScreenshotCallback, ViewportCommand};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// Pictures on their way: they come some frames after they were asked for.
#[derive(Debug)]
pub(super) struct Screenshots {
    send: Sender<Arc<ColorImage>>,
    receive: Receiver<Arc<ColorImage>>,
}

impl Default for Screenshots {
    fn default() -> Self {
        let (send, receive) = channel();
        Self { send, receive }
    }
}

impl Screenshots {
    /// Asks for a picture of the window.
    pub(super) fn ask(&self, ctx: &Context) {
        let (send, again) = (self.send.clone(), ctx.clone());
        ctx.send_viewport_cmd(ViewportCommand::Screenshot(ScreenshotCallback::new(move |image| {
            // The receiver lives as long as the window.
            let _ = send.send(image);
            again.request_repaint();
        })));
    }

    /// Saves a picture that has arrived: where it is, or why it is not.
    pub(super) fn take(&self) -> Option<Result<String, String>> {
        let image = self.receive.try_recv().ok()?;
        Some(png(&image).and_then(|bytes| save_file::save("wayfare-lab.png", &bytes)))
    }
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
