//! Obstacles above the floor: what an agent of some height would touch.

use super::{BakeSettings, MarkedVolume, Marking};
use crate::area::AreaId;

impl MarkedVolume {
    /// If it [blocks](Self::block), the same with its volume [reaching down](super::Volume::reaching_down) by an
    /// agent's height, so that it is in the way wherever somebody would touch it: just above the floor, or as high as
    /// heads.
    #[must_use]
    pub fn touching_heads(self, settings: &BakeSettings) -> Self {
        if self.area != AreaId::NULL || self.when != Marking::BeforeErosion {
            return self;
        }
        let reach = (settings.agent.height - settings.cell_height).max(0.0);
        Self { volume: self.volume.reaching_down(reach), ..self }
    }
}
