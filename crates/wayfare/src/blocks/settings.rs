//! Settings: the agent, and the size of mini meshes.

/// Size and abilities of an agent, in blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockAgent {
    /// Height that it climbs in one step, 0 to 65,536. Default 1. As many levels as it climbs or drops are read above
    /// and below each mini mesh, within the world's bounds: values in the hundreds are slow and take memory in worlds
    /// that are as high or unbounded.
    pub climb: u32,
    /// Height that it drops in one step, 0 to 65,536. Default 1. If it is greater than `climb`, some steps go one way
    /// only.
    pub drop: u32,
    /// Its height, 1 to 256. Default 2.
    pub height: u32,
    /// Its width along x and z, 1 to 16. Default 1. Each standing point reads all blocks under and in the body: the
    /// cost of building is proportional to the square of the width times the height. 4 takes about ten times as long as
    /// 1, 16 about two hundred times.
    pub width: u32,
}

impl Default for BlockAgent {
    fn default() -> Self {
        Self { climb: 1, drop: 1, height: 2, width: 1 }
    }
}

/// Settings of a block navigation: the agent, and the size of mini meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSettings {
    /// The agent.
    pub agent: BlockAgent,
    /// Side of a mini mesh along x and z in blocks, 1 to 255. Default 10. Larger ones give fewer nodes on open
    /// surfaces, and more work after an edit.
    pub mini: u32,
}

impl Default for BlockSettings {
    fn default() -> Self {
        Self { agent: BlockAgent::default(), mini: 10 }
    }
}

/// Why settings were refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlockSettingsError {
    /// A size or ability of the agent is out of range.
    #[error("{name} is {value} blocks, but must be {min} to {max}")]
    Agent {
        /// Name of the setting.
        name: &'static str,
        /// The value given.
        value: u32,
        /// The least allowed.
        min: u32,
        /// The greatest allowed.
        max: u32,
    },
    /// The size of mini meshes is out of range.
    #[error("mini meshes of {mini} blocks per side are out of range: use 1 to 255 (10 is good)")]
    Mini {
        /// The value given.
        mini: u32,
    },
}

impl BlockSettings {
    /// Checks all settings.
    ///
    /// # Errors
    /// [`BlockSettingsError`] for the first that is out of range.
    pub fn check(&self) -> Result<(), BlockSettingsError> {
        let BlockAgent { climb, drop, height, width } = self.agent;
        // Far above any practical use: sums of coordinates stay within i32, and building for a body takes reasonable
        // time.
        let step = 1 << 16;
        let tall = 256;
        let wide = 16;
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
