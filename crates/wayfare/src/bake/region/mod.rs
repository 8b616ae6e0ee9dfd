//! Divides the walkable surface into regions, simple pieces with a number each, by one of three partitions.

pub(super) mod boundary;
mod distance_field;
mod layers;
mod monotone;
mod open_ground;
mod partition;
mod region_merge;
#[cfg(test)]
pub(super) mod region_tests;
pub(super) mod regions;
#[cfg(test)]
pub(super) mod test_field;
mod watershed;

pub use distance_field::{DistanceField, DistanceScratch, distance_field, distance_field_into};
pub(super) use partition::RegionInput;
pub use partition::{
    RegionScratch, layer_regions, layer_regions_into, monotone_regions, monotone_regions_into, watershed_regions,
    watershed_regions_into,
};
pub use regions::{BORDER_REGION, RegionLimits, Regions};
