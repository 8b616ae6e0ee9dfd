//! What a play has put into the world, by name: obstacles, and objects that are part of the level.

use super::op::Shape;
use std::collections::BTreeMap;
use std::sync::Arc;
use wayfare::Vec3;
use wayfare::dynamic::{ObjectLevel, ObjectRef, ObstacleRef, Obstacles, Request};
use wayfare::input::TriMesh;
use wayfare::math::Aabb;

/// What a request came to, or why it was refused.
pub(super) type Asked = std::result::Result<Vec<Request>, String>;

/// What bears a name.
#[derive(Clone, Copy)]
enum Thing {
    Obstacle(ObstacleRef),
    /// An object, and by how much its triangles are moved.
    Object(ObjectRef, Vec3),
}

/// Obstacles and objects.
pub(super) struct Things {
    pub(super) obstacles: Obstacles,
    /// The level, if it is at hand.
    pub(super) level: Option<ObjectLevel>,
    by_name: BTreeMap<String, Thing>,
}

impl Things {
    pub(super) fn new(obstacles: Obstacles, level: Option<ObjectLevel>) -> Self {
        Self { obstacles, level, by_name: BTreeMap::new() }
    }

    /// Adds an obstacle.
    pub(super) fn add(&mut self, name: String, shape: Shape, area: Option<u8>) -> Asked {
        self.check_new(&name)?;
        let (obstacle, request) = self.obstacles.add(shape.marked(area)?).map_err(told)?;
        self.by_name.insert(name, Thing::Obstacle(obstacle));
        Ok(vec![request])
    }

    /// Adds an object to the level, its triangles moved by so much.
    pub(super) fn add_object(&mut self, name: String, surface: TriMesh, at: Vec3) -> Asked {
        self.check_new(&name)?;
        let (object, bounds) = level(&mut self.level)?.add(Arc::new(surface), at).map_err(told)?;
        self.by_name.insert(name, Thing::Object(object, at));
        Ok(vec![self.obstacles.invalidate(&bounds)])
    }

    /// Moves what bears a name by so much.
    pub(super) fn move_by(&mut self, name: &str, by: Vec3) -> Asked {
        match self.find(name)? {
            Thing::Obstacle(obstacle) => Ok(vec![self.obstacles.move_by(obstacle, by).map_err(told)?]),
            Thing::Object(object, at) => {
                let changed = level(&mut self.level)?.move_to(object, at + by).map_err(told)?;
                self.by_name.insert(name.to_owned(), Thing::Object(object, at + by));
                Ok(changed.iter().map(|bounds| self.obstacles.invalidate(bounds)).collect())
            }
        }
    }

    /// Removes what bears a name.
    pub(super) fn remove(&mut self, name: &str) -> Asked {
        let asked = match self.find(name)? {
            Thing::Obstacle(obstacle) => self.obstacles.remove(obstacle).map_err(told)?,
            Thing::Object(object, _) => {
                let bounds = level(&mut self.level)?.remove(object).map_err(told)?;
                self.obstacles.invalidate(&bounds)
            }
        };
        self.by_name.remove(name);
        Ok(vec![asked])
    }

    /// Bakes the tiles in a box again.
    pub(super) fn invalidate(&mut self, bounds: Aabb) -> Asked {
        if !(bounds.min.is_finite() && bounds.max.is_finite()) || bounds.is_empty() {
            return Err("\"min\" must not be above \"max\", and both must be finite".to_owned());
        }
        level(&mut self.level)?;
        Ok(vec![self.obstacles.invalidate(&bounds)])
    }

    fn check_new(&self, name: &str) -> std::result::Result<(), String> {
        if self.by_name.contains_key(name) {
            return Err(format!("there is \"{name}\" already: remove it, or use another name"));
        }
        Ok(())
    }

    fn find(&self, name: &str) -> std::result::Result<Thing, String> {
        self.by_name.get(name).copied().ok_or_else(|| format!("there is no obstacle or object \"{name}\""))
    }
}

fn level(level: &mut Option<ObjectLevel>) -> std::result::Result<&mut ObjectLevel, String> {
    level.as_mut().ok_or_else(|| {
        "the mesh does not hold the level's triangles: give what it was baked from with --level".to_owned()
    })
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}
