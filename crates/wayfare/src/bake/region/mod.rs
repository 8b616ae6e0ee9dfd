//! Regions: walkable ground cut into simple pieces, each with a number, by one of three partitions.

pub(super) mod boundary;
mod distance_field;
mod layers;
mod monotone;
mod open_ground;
mod region_merge;
#[cfg(test)]
pub(super) mod region_tests;
pub(super) mod regions;
#[cfg(test)]
pub(super) mod test_field;
mod watershed;

pub use distance_field::{DistanceField, DistanceScratch, distance_field, distance_field_into};
pub use layers::{layer_regions, layer_regions_into};
pub use monotone::{monotone_regions, monotone_regions_into};
pub use regions::{BORDER_REGION, RegionLimits, RegionScratch, Regions};
pub use watershed::{watershed_regions, watershed_regions_into};
