//! Contours: the outlines of regions, simplified, their holes joined to them.

mod contour_set;
#[cfg(test)]
mod contour_tests;
mod contours;
mod crossings;
mod edge_rows;
mod holes;
mod rings;
mod simplify;

pub use contour_set::{Contour, ContourSet, ContourVert};
pub(super) use contours::ContourInput;
pub use contours::{ContourScratch, build_contours, build_contours_into};
pub use simplify::ContourSettings;
