//! The agent that walks, and how the world is cut.

/// The body and the skills of an agent, in blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockAgent {
    /// How many blocks it climbs in one step, 0 to 65,536. Default 1. As many levels as it climbs or drops are read
    /// above and below each mini mesh, but none beyond the world's bounds: hundreds are slow and take memory in worlds
    /// as high as that or without bounds.
    pub climb: u32,
    /// How many blocks it drops in one step, 0 to 65,536. Default 1. More than `climb` makes ways that lead in one
    /// direction only.
    pub drop: u32,
    /// How many blocks high it is, 1 to 256. Default 2.
    pub height: u32,
    /// How many blocks wide it is along x and z, 1 to 16. Default 1. Each standing point asks for as many blocks as lie
    /// under and in the body: building costs its square times the height. 4 takes about ten times as long as 1, 16
    /// about two hundred times.
    pub width: u32,
}

impl Default for BlockAgent {
    fn default() -> Self {
        Self { climb: 1, drop: 1, height: 2, width: 1 }
    }
}

/// The agent that walks, and the size of the pieces that are built at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSettings {
    /// The agent that walks.
    pub agent: BlockAgent,
    /// Side of a mini mesh along x and z in blocks, 1 to 255. Default 10. Greater ones give fewer nodes on open ground,
    /// and more work after an edit.
    pub mini: u32,
}

impl Default for BlockSettings {
    fn default() -> Self {
        Self { agent: BlockAgent::default(), mini: 10 }
    }
}

/// Settings that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlockSettingsError {
    /// The body has no size, or is out of all proportion.
    #[error("{name} is {value} blocks, but must be {min} to {max}")]
    Agent {
        /// The setting.
        name: &'static str,
        /// As given.
        value: u32,
        /// The least allowed.
        min: u32,
        /// The greatest allowed.
        max: u32,
    },
    /// Mini meshes of a size that cannot be.
    #[error("mini meshes of {mini} blocks a side are out of range: use 1 to 255 (10 is good)")]
    Mini {
        /// As given.
        mini: u32,
    },
}

impl BlockSettings {
    /// Checks every number.
    ///
    /// # Errors
    /// [`BlockSettingsError`] for the first that is out of range.
    pub fn check(&self) -> Result<(), BlockSettingsError> {
        let BlockAgent { climb, drop, height, width } = self.agent;
        // Far above any use: steps keep sums of coordinates within i32, a body can be built for in reasonable time.
        let (step, tall, wide) = (1 << 16, 256, 16);
        for (name, value, min, max) in
            [("climb", climb, 0, step), ("drop", drop, 0, step), ("height", height, 1, tall), ("width", width, 1, wide)]
        {
            if !(min..=max).contains(&value) {
                return Err(BlockSettingsError::Agent { name, value, min, max });
            }
        }
        if (1..=255).contains(&self.mini) { Ok(()) } else { Err(BlockSettingsError::Mini { mini: self.mini }) }
    }
}
