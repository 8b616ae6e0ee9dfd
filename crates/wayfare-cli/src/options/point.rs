//! Points on the command line: `x,y,z`.

use serde::Deserialize;
use std::fmt;
use std::str::FromStr;
use wayfare::Vec3;
use wayfare::math::Aabb;

/// A point given as `x,y,z`, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point(pub(crate) Vec3);

impl FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut numbers = [0.0f32; 3];
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        if parts.len() != 3 {
            return Err(format!("a point has three numbers, x,y,z, but this has {}", parts.len()));
        }
        for (number, part) in numbers.iter_mut().zip(&parts) {
            *number = match part.parse::<f32>() {
                Ok(n) if n.is_finite() => n,
                _ => return Err(format!("\"{part}\" is not a finite number; a point is x,y,z, as in 1.5,0,-20")),
            };
        }
        Ok(Self(Vec3::from_array(numbers)))
    }
}

/// How far the mesh may be from a point, along x, y and z: metres, 0 or above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reach(pub(crate) Vec3);

impl FromStr for Reach {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Point(reach) = text.parse()?;
        if reach.min_element() < 0.0 { Err("a reach has no number below 0".into()) } else { Ok(Self(reach)) }
    }
}

/// A box given as `x,y,z,x,y,z`, its low corner and its high corner; in a file as six numbers.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(from = "[f32; 6]")]
pub(crate) struct Bounds(pub(crate) Aabb);

impl From<[f32; 6]> for Bounds {
    fn from([x, y, z, right, top, far]: [f32; 6]) -> Self {
        Self(Aabb { min: Vec3::new(x, y, z), max: Vec3::new(right, top, far) })
    }
}

impl FromStr for Bounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (numbers, wrong) =
            (text.split(',').map(|part| part.trim().parse()), "a box has six numbers, as in -10,0,-10,50,8,50");
        let numbers: Vec<f32> = numbers.collect::<Result<_, _>>().map_err(|_| wrong)?;
        <[f32; 6]>::try_from(numbers).map(Self::from).map_err(|_| wrong.to_owned())
    }
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Point(self.0).fmt(f)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.0.x, self.0.y, self.0.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_three_finite_numbers() {
        assert_eq!("1.5, -2,3e1".parse(), Ok(Point(Vec3::new(1.5, -2.0, 30.0))));
        for wrong in ["", "1,2", "1,2,3,4", "1,b,3", "1,nan,3", "1,1e39,3"] {
            assert!(wrong.parse::<Point>().is_err(), "{wrong}");
        }
        assert_eq!("2,0,2".parse(), Ok(Reach(Vec3::new(2.0, 0.0, 2.0))));
        assert!("2,-4,2".parse::<Reach>().is_err());
    }

    #[test]
    fn boxes_have_six_numbers() {
        let bounds = Bounds::from([-1.0, 0.0, 2.0, 3.0, 4.5, 6.0]);
        assert_eq!("-1,0, 2,3,4.5,6".parse(), Ok(bounds));
        for wrong in ["", "1,2,3", "1,2,3,4,5,x", "1,2,3,4,5,6,7"] {
            assert!(wrong.parse::<Bounds>().is_err(), "{wrong}");
        }
    }
}
