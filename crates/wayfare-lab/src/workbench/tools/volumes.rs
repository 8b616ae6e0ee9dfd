//! Area types painted on the level: by a brush, or by an outline that is clicked corner by corner.

use crate::canvas::{Canvas, Ink, Pen};
use crate::workbench::controls::Controls;
use crate::workbench::stage::Stage;
use crate::workbench::tool::{Click, Tool};
use wayfare::area::AreaId;
use wayfare::input::{MarkedVolume, Volume};
use wayfare::math::ops;
use wayfare::{Vec2, Vec3};

/// Area types by their usual meaning; the first cannot be walked on.
const AREAS: [(&str, u8); 6] = [("Blocked", 0), ("Water", 1), ("Road", 2), ("Door", 3), ("Grass", 4), ("Jump", 5)];

const WAYS: [&str; 2] = ["Brush", "Outline"];

/// The tool.
#[derive(Debug)]
pub struct VolumeTool {
    way: usize,
    area: usize,
    radius: f32,
    height: f32,
    outline: Vec<Vec3>,
    last: Option<Vec3>,
}

impl Default for VolumeTool {
    fn default() -> Self {
        Self { way: 0, area: 1, radius: 2.0, height: 2.0, outline: Vec::new(), last: None }
    }
}

impl VolumeTool {
    fn add(&mut self, stage: &mut Stage, volume: Volume) {
        let area = AreaId::from_low_bits(AREAS[self.area].1);
        let marked = if area.is_null() { MarkedVolume::block(volume) } else { MarkedVolume::paint(volume, area) };
        stage.volumes.push(marked);
        stage.wants_bake = true;
    }

    fn dab(&mut self, stage: &mut Stage, at: Vec3) {
        self.last = Some(at);
        let base = at - Vec3::Y * self.height * 0.5;
        self.add(stage, Volume::Cylinder { base, radius: self.radius, height: self.height });
    }

    fn close(&mut self, stage: &mut Stage) {
        let corners: Vec<Vec2> = self.outline.iter().map(|corner| Vec2::new(corner.x, corner.z)).collect();
        let low = self.outline.iter().fold(f32::INFINITY, |low, corner| low.min(corner.y)) - 0.5;
        let high = self.outline.iter().fold(f32::NEG_INFINITY, |high, corner| high.max(corner.y)) + self.height;
        self.outline.clear();
        stage.remember("paint an outline");
        self.add(stage, Volume::Prism { outline: corners, heights: [low, high] });
    }
}

impl Tool for VolumeTool {
    fn title(&self) -> &'static str {
        "Areas"
    }

    fn help(&self) -> &'static str {
        "Paint water, roads or blocked ground. With the brush, drag over the level; as an outline, click its corners \
         and then \"Close the outline\". Ctrl-click removes what is under the pointer."
    }

    fn panel(&mut self, stage: &mut Stage, controls: &mut dyn Controls) {
        controls.choice("By", &mut self.way, &WAYS);
        controls.choice("Area", &mut self.area, &AREAS.map(|(name, _)| name));
        if self.way == 0 {
            controls.slider("Radius", &mut self.radius, 0.3..=15.0);
        }
        controls.slider("Height", &mut self.height, 0.2..=20.0);
        if self.outline.len() > 2 && controls.button("Close the outline") {
            self.close(stage);
        }
        controls.figure("Volumes", &stage.volumes.len().to_string());
        if !stage.volumes.is_empty() && controls.button("Remove all volumes") {
            stage.remember("remove all volumes");
            stage.volumes.clear();
            stage.wants_bake = true;
        }
    }

    fn click(&mut self, stage: &mut Stage, click: &Click) {
        if click.remove {
            let hit = stage.volumes.iter().rposition(|marked| marked.volume.bounds().outside(click.at).length() < 0.3);
            if let Some(hit) = hit {
                stage.remember("remove a volume");
                stage.volumes.remove(hit);
                stage.wants_bake = true;
            }
        } else if self.way == 0 {
            stage.remember("paint");
            self.dab(stage, click.at);
        } else {
            self.outline.push(click.at);
        }
    }

    fn takes_drags(&self, _: Vec3) -> bool {
        self.way == 0
    }

    fn drag(&mut self, stage: &mut Stage, click: &Click) -> bool {
        if self.way != 0 {
            return false;
        }
        // Dabs lie half a radius apart: closer ones add nothing.
        if self.last.is_none_or(|last| last.distance(click.at) > self.radius * 0.5) {
            self.dab(stage, click.at);
        }
        true
    }

    fn draw(&self, stage: &Stage, canvas: &mut Canvas) {
        for marked in &stage.volumes {
            let ink = if marked.area.is_null() { Ink::Forbidden } else { Ink::Ground(marked.area) };
            draw_volume(&marked.volume, ink, canvas);
        }
        canvas.path(&self.outline, Pen::of(Ink::Current).width(3.0));
        self.outline.iter().for_each(|&corner| canvas.dot(corner, 10.0, Ink::Current));
    }

    fn undo(&mut self, _: &mut Stage) -> bool {
        self.outline.pop().is_some()
    }

    fn reset(&mut self) {
        *self = Self { way: self.way, area: self.area, radius: self.radius, height: self.height, ..Self::default() };
    }
}

/// Draws a volume as glass with edges.
pub(crate) fn draw_volume(volume: &Volume, ink: Ink, canvas: &mut Canvas) {
    let (ring, heights) = match volume {
        Volume::Prism { outline, heights: [low, high] } => (outline.clone(), [*low, *high]),
        Volume::Cylinder { base, radius, height } | Volume::Capsule { base, radius, height } => {
            (circle(Vec2::new(base.x, base.z), *radius), [base.y, base.y + height])
        }
        Volume::TurnedBox { center, half_extents, angle } => {
            let (sin, cos) = (ops::sin(*angle), ops::cos(*angle));
            let corner = |x: f32, z: f32| {
                let along = Vec2::new(cos, -sin) * x * half_extents.x;
                Vec2::new(center.x, center.z) + along + Vec2::new(sin, cos) * z * half_extents.z
            };
            let ring = vec![corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)];
            (ring, [center.y - half_extents.y, center.y + half_extents.y])
        }
        other => {
            let bounds = other.bounds();
            let (low, high) = (bounds.min, bounds.max);
            let ring = vec![
                Vec2::new(low.x, low.z),
                Vec2::new(low.x, high.z),
                Vec2::new(high.x, high.z),
                Vec2::new(high.x, low.z),
            ];
            (ring, [low.y, high.y])
        }
    };
    let level = |y: f32| -> Vec<Vec3> { ring.iter().map(|corner| Vec3::new(corner.x, y, corner.y)).collect() };
    let (low, high) = (level(heights[0]), level(heights[1]));
    canvas.fill(&high, ink, 0.45);
    for i in 0..ring.len() {
        let next = (i + 1) % ring.len();
        canvas.fill(&[low[i], low[next], high[next], high[i]], ink, 0.3);
    }
    canvas.outline(&low, Pen::of(ink).width(1.0));
    canvas.outline(&high, Pen::of(ink).width(2.0));
}

fn circle(centre: Vec2, radius: f32) -> Vec<Vec2> {
    const SIDES: u16 = 24;
    let corner = |i: u16| {
        let angle = core::f32::consts::TAU * f32::from(i) / f32::from(SIDES);
        centre + Vec2::new(ops::cos(angle), ops::sin(angle)) * radius
    };
    (0..SIDES).map(corner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::controls::Script;
    use crate::workbench::testing::baked_stage;

    #[test]
    fn a_stroke_is_one_edit_and_wants_a_bake() {
        let mut stage = baked_stage("flat");
        let at = stage.mesh().unwrap().bounds().center();
        let mut tool = VolumeTool::default();
        tool.click(&mut stage, &Click::at(at));
        for step in 1..8 {
            assert!(tool.drag(&mut stage, &Click::at(at + Vec3::X * step as f32 * 0.7)));
        }
        assert!(stage.volumes.len() > 2 && stage.wants_bake);
        assert!(stage.undo() && stage.volumes.is_empty());
    }

    #[test]
    fn an_outline_is_clicked_and_closed() {
        let mut stage = baked_stage("flat");
        let at = stage.mesh().unwrap().bounds().center();
        let mut tool = VolumeTool { way: 1, ..VolumeTool::default() };
        for corner in [Vec3::ZERO, Vec3::Z * 4.0, Vec3::X * 4.0] {
            tool.click(&mut stage, &Click::at(at + corner));
        }
        tool.panel(&mut stage, &mut Script::press("Close the outline"));
        assert_eq!(stage.volumes.len(), 1);
        tool.click(&mut stage, &Click::at(at + Vec3::new(1.0, 0.0, 1.0)).removing());
        assert!(stage.volumes.is_empty());
    }
}
