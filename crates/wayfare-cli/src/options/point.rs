//! Points on the command line: `x,y,z`.

use std::fmt;
use std::str::FromStr;
use wayfare::Vec3;

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
                _ => return Err(format!("\"{part}\" is no finite number; a point is x,y,z, as in 1.5,0,-20")),
            };
        }
        Ok(Self(Vec3::from_array(numbers)))
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
    }
}
