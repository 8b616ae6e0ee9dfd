//! Points that are dragged: every point parameter has a handle that the pointer can grab.

use super::session::{LabError, Session};
use crate::input::Ray;
use crate::params::Value;
use wayfare::Vec3;

/// The point parameter under the pointer: the nearest to a ray among those that are seen within `angle` of it, radians
/// (a handle's size on the screen).
#[must_use]
pub fn under(session: &Session, ray: &Ray, angle: f32) -> Option<&'static str> {
    let offset = |at: Vec3| {
        let to = at - ray.from;
        let ahead = to.dot(ray.along);
        (ahead > 0.0).then(|| (to - ray.along * ahead).length() / ahead)
    };
    let points = session.params().into_iter().filter_map(|param| match param.value {
        Value::Point(at) => Some((param.name, offset(Vec3::from(at))?)),
        _ => None,
    });
    let near = points.filter(|(_, offset)| *offset <= angle);
    near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(name, _)| name)
}

/// Drags a point parameter to where a ray meets the ground; it stays where it is if the ray meets none.
///
/// # Errors
/// There is no such point.
pub fn drag(session: &mut Session, name: &str, ray: &Ray) -> Result<(), LabError> {
    match session.ground(ray) {
        Some(at) => session.set(name, &Value::Point(at.to_array())),
        None => Ok(()),
    }
}
