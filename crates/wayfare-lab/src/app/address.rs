//! The lab's state as a short text, so that a page can be sent to someone: `scene=dungeon&tool=1`, `prototype=funnel`.

use crate::palette::Theme;
use crate::view::Camera;
use crate::workbench::{Layers, Product};
use core::fmt;
use form_urlencoded::{Serializer, parse};
use wayfare::Vec3;

/// The most points that an address holds: it need not keep everything that a busy afternoon has placed.
const MOST_POINTS: usize = 32;

/// What an address says. What it leaves out is as at the beginning.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LabAddress {
    /// The scene of the workbench, without `scene:`.
    pub scene: Option<String>,
    /// The prototype, with its own address.
    pub prototype: Option<String>,
    /// The number of the tool.
    pub tool: Option<usize>,
    /// What is shown.
    pub layers: Option<Layers>,
    /// The product that is shown.
    pub product: Option<Product>,
    /// Bake settings that are not the level's own, by their names in the panel.
    pub bake: Vec<(String, f32)>,
    /// Controls of the tool that are not as at the beginning, by their names in its panel.
    pub set: Vec<(String, f32)>,
    /// The points that the tool was given by clicks.
    pub points: Vec<Vec3>,
    /// Agents that walk to and fro.
    pub agents: Option<u32>,
    /// Where the level is seen from, if not as a whole.
    pub camera: Option<Camera>,
    /// Light or dark.
    pub theme: Option<Theme>,
}

/// The most agents that an address asks for.
const MOST_AGENTS: usize = 2000;

impl LabAddress {
    /// Reads an address, with or without `#`. What it does not understand is left out.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut address = Self::default();
        for (key, value) in parse(text.trim_start_matches('#').as_bytes()) {
            let number = || value.parse::<usize>().ok();
            match key.as_ref() {
                "scene" => address.scene = Some(value.into_owned()),
                "prototype" => address.prototype = Some(value.into_owned()),
                "tool" => address.tool = number(),
                "layers" => address.layers = value.parse().ok().map(Layers::from_bits),
                "product" => address.product = number().and_then(|number| Product::ALL.get(number).copied()),
                "bake" => address.bake = named_numbers(&value),
                "set" => address.set = named_numbers(&value),
                "at" => address.points = value.split(';').filter_map(point).take(MOST_POINTS).collect(),
                "agents" => address.agents = number().map(|number| number.min(MOST_AGENTS) as u32),
                "camera" => address.camera = camera(&value),
                "theme" => address.theme = (value == "dark").then_some(Theme::Dark),
                _ => {}
            }
        }
        address
    }
}

impl fmt::Display for LabAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut query = Serializer::new(String::new());
        let mut add = |key: &str, value: Option<String>| {
            if let Some(value) = value {
                query.append_pair(key, &value);
            }
        };
        add("scene", self.scene.clone());
        add("prototype", self.prototype.clone());
        add("tool", self.tool.map(|tool| tool.to_string()));
        add("layers", self.layers.map(|layers| layers.bits().to_string()));
        add(
            "product",
            self.product.and_then(|one| Product::ALL.iter().position(|&other| other == one)).map(|i| i.to_string()),
        );
        let named = |list: &[(String, f32)]| {
            let rows: Vec<String> = list.iter().map(|(name, value)| format!("{name}:{value}")).collect();
            Some(rows.join(";")).filter(|text| !text.is_empty())
        };
        add("bake", named(&self.bake));
        add("set", named(&self.set));
        let points: Vec<String> = self.points.iter().take(MOST_POINTS).map(|at| numbers(&at.to_array())).collect();
        add("at", Some(points.join(";")).filter(|text| !text.is_empty()));
        add("agents", self.agents.map(|count| count.to_string()));
        add(
            "camera",
            self.camera.map(|camera| {
                let Camera { target, distance, yaw, pitch, parallel } = camera;
                let flag = f32::from(u8::from(parallel));
                numbers(&[target.x, target.y, target.z, distance, yaw, pitch, flag])
            }),
        );
        add("theme", self.theme.filter(|&theme| theme == Theme::Dark).map(|_| "dark".to_owned()));
        f.write_str(&query.finish())
    }
}

/// Numbers to the centimetre, or hundredth of a radian: a link needs no more, and stays short.
fn numbers(all: &[f32]) -> String {
    let text: Vec<String> = all.iter().map(|number| ((number * 100.0).round() / 100.0).to_string()).collect();
    text.join(",")
}

fn finite(text: &str) -> Option<f32> {
    text.parse().ok().filter(|number: &f32| number.is_finite())
}

/// `Agent radius:0.4;Tile size:32`.
fn named_numbers(text: &str) -> Vec<(String, f32)> {
    let row = |row: &str| {
        let (name, value) = row.rsplit_once(':')?;
        Some((name.to_owned(), finite(value)?))
    };
    text.split(';').filter_map(row).collect()
}

fn point(text: &str) -> Option<Vec3> {
    let axes: Vec<f32> = text.split(',').map_while(finite).collect();
    <[f32; 3]>::try_from(axes).ok().map(Vec3::from)
}

fn camera(text: &str) -> Option<Camera> {
    let numbers: Vec<f32> = text.split(',').map_while(finite).collect();
    let [x, y, z, distance, yaw, pitch, parallel] = <[f32; 7]>::try_from(numbers).ok()?;
    let distance = distance.clamp(0.5, 1e5);
    Some(Camera { target: Vec3::new(x, y, z), distance, yaw, pitch: pitch.clamp(-1.5, 1.5), parallel: parallel != 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_comes_back_as_it_was() {
        let address = LabAddress {
            scene: Some("stairs?steps=12&seed=3".to_owned()),
            tool: Some(2),
            layers: Some(Layers::from_bits(5)),
            product: Some(Product::Regions),
            theme: Some(Theme::Dark),
            bake: vec![("Agent radius".to_owned(), 0.4), ("Tile size".to_owned(), 32.0)],
            set: vec![("What".to_owned(), 1.0)],
            points: vec![Vec3::new(1.0, -2.5, 3.25), Vec3::ZERO],
            agents: Some(100),
            camera: Some(Camera {
                target: Vec3::new(4.0, 0.0, 2.0),
                distance: 12.5,
                yaw: 0.5,
                pitch: 1.25,
                parallel: true,
            }),
            ..LabAddress::default()
        };
        assert_eq!(LabAddress::parse(&format!("#{address}")), address);
        assert_eq!(LabAddress::parse("nonsense=1&tool=x"), LabAddress::default());
        assert_eq!(LabAddress::parse("bake=x;y:NaN;:&at=1,2;a,b,c&camera=1,2,3,inf,0,0,0"), LabAddress::default());
    }
}
