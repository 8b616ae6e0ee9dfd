//! The lab's state as a short text, so that a page can be sent to someone: `scene=dungeon&tool=1`, `prototype=funnel`.

use crate::palette::Theme;
use crate::workbench::{Layers, Product};
use core::fmt;
use form_urlencoded::{Serializer, parse};

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
    /// Light or dark.
    pub theme: Option<Theme>,
}

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
        add("theme", self.theme.filter(|&theme| theme == Theme::Dark).map(|_| "dark".to_owned()));
        f.write_str(&query.finish())
    }
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
            ..LabAddress::default()
        };
        assert_eq!(LabAddress::parse(&format!("#{address}")), address);
        assert_eq!(LabAddress::parse("nonsense=1&tool=x"), LabAddress::default());
    }
}
