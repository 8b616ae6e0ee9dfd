//! A path on the command line: `x,y,z:x,y,z`, and how to find it.

use super::Point;
use clap::ValueEnum;
use std::fmt;
use std::str::FromStr;

/// How a path is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Search {
    /// A* over polygons by the middles of their edges, then string pulling
    #[default]
    Corridor,
    /// The same, by the point of each edge that is nearest to the one before
    CorridorNearest,
    /// The same, by where each edge is crossed in sight of the goal
    CorridorVisible,
    /// In any direction: the shortest path on flat surfaces of one cost, elsewhere close to it; the answer says how
    /// close
    Optimal,
    /// Over an abstract graph of tiles first, then over the polygons of a few tiles at a time
    Hierarchical,
}

/// The ends of a path, the search, and the agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Route {
    pub(crate) from: Point,
    pub(crate) to: Point,
    pub(crate) search: Search,
    /// Radius of the agent, if not that of the mesh.
    pub(crate) radius: Option<f32>,
}

impl Route {
    /// The default search for the mesh's own agent.
    pub(crate) fn new(from: Point, to: Point) -> Self {
        Self { from, to, search: Search::default(), radius: None }
    }

    /// The search and the agent, without the ends.
    pub(crate) fn how(&self) -> String {
        let search = self.search.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        self.radius.map_or_else(|| search.clone(), |radius| format!("{search}, radius {radius} m"))
    }
}

impl FromStr for Route {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(':');
        let (Some(from), Some(to)) = (parts.next(), parts.next()) else {
            return Err("a path is given as x,y,z:x,y,z".into());
        };
        let mut route = Self::new(from.parse()?, to.parse()?);
        for part in parts {
            if let Ok(search) = Search::from_str(part, true) {
                route.search = search;
            } else if let Some(radius) = route.radius {
                return Err(format!("\"{part}\" comes after a radius of {radius} m: a path has one"));
            } else {
                route.radius = Some(radius(part).map_err(|_| {
                    let searches: Vec<_> =
                        Search::value_variants().iter().filter_map(Search::to_possible_value).collect();
                    let names: Vec<_> = searches.iter().map(|value| value.get_name()).collect();
                    format!("\"{part}\" is neither a search ({}) nor a radius in metres, 0 or above", names.join(", "))
                })?);
            }
        }
        Ok(route)
    }
}

/// A radius: metres, 0 or above.
pub(crate) fn radius(text: &str) -> Result<f32, String> {
    match text.trim().parse::<f32>() {
        Ok(radius) if radius.is_finite() && radius >= 0.0 => Ok(radius),
        _ => Err(format!("\"{text}\" is not a radius: give a number of metres, 0 or above")),
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.from, self.to)?;
        if self.search == Search::default() && self.radius.is_none() { Ok(()) } else { write!(f, ", {}", self.how()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_may_say_how_and_for_whom() {
        let route = |text: &str| text.parse::<Route>();
        assert_eq!(route("1,2,3:4,5,6").unwrap().to_string(), "1,2,3 to 4,5,6");
        assert_eq!(route("1,2,3:4,5,6:optimal:1.5").unwrap().to_string(), "1,2,3 to 4,5,6, optimal, radius 1.5 m");
        assert_eq!(route("1,2,3:4,5,6:0.5").unwrap().to_string(), "1,2,3 to 4,5,6, corridor, radius 0.5 m");
        assert_eq!(route("1,2,3:4,5,6:corridor-visible").unwrap().to_string(), "1,2,3 to 4,5,6, corridor-visible");
        for wrong in ["1,2,3", "1,2,3:4,5", "1,2,3:4,5,6:best", "1,2,3:4,5,6:-1", "1,2,3:4,5,6:nan", "1,2,3:4,5,6:1:2"]
        {
            assert!(route(wrong).is_err(), "{wrong}");
        }
    }
}
