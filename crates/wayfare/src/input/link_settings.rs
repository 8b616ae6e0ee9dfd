//! Settings of automatic links: which drops, jumps and climbs the bake looks for, and the limits of each kind.

use super::{AgentSettings, SettingsError};
use crate::area::{AreaId, PolyFlags};

/// A kind of automatic link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkKind {
    /// Over an edge and straight down to the surface at its foot; not across a gap.
    Drop,
    /// A jump over a gap to a lower surface.
    JumpDown,
    /// A jump over a gap to a surface of about the same height.
    JumpAcross,
    /// From the foot of an edge straight up to it: a drop in reverse.
    Climb,
}

impl LinkKind {
    /// All kinds, in order.
    pub const ALL: [Self; 4] = [Self::Drop, Self::JumpDown, Self::JumpAcross, Self::Climb];

    /// The name used in reports and settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drop => "drop",
            Self::JumpDown => "jump-down",
            Self::JumpAcross => "jump-across",
            Self::Climb => "climb",
        }
    }
}

/// The limits of one kind of link, and the properties of the links found. World units: metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkRule {
    /// Greatest difference in height between both ends, rounded to the nearest cell height. The ends of a drop, a jump
    /// down and a climb also differ by more than the agent's climb; a jump across may go up or down. Larger values find
    /// more links. Above 0.
    pub max_height: f32,
    /// Widest gap, measured horizontally between the surfaces on both sides, not between the positions of the agent.
    /// For drops and climbs: how far the foot of the edge may lie from the edge. Larger values find more links. 0 or
    /// above.
    pub max_distance: f32,
    /// How far a jump rises above its higher end; the clearance for it is checked. Drops and climbs do not rise. 0 or
    /// above.
    pub rise: f32,
    /// Distance between links of this kind along an edge. Larger values give fewer links. Above 0.
    pub spacing: f32,
    /// How wide the passage must be at both ends and in between; at least the agent's diameter is required. Larger
    /// values find fewer links, with more room around each. 0 or above.
    pub width: f32,
    /// Whether the link can also be used in the other direction.
    pub two_way: bool,
    /// Area type of the links found.
    pub area: AreaId,
    /// Flags of the links found; a filter must accept them for the links to be used.
    pub flags: PolyFlags,
}

/// Which kinds of links are looked for. `None` disables a kind. Default: no kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkSettings {
    /// Over an edge and straight down. One-way unless set otherwise.
    pub drop: Option<LinkRule>,
    /// Over a gap to a lower surface. One-way unless set otherwise.
    pub jump_down: Option<LinkRule>,
    /// Over a gap to a surface of about the same height.
    pub jump_across: Option<LinkRule>,
    /// From the foot of an edge straight up. One-way unless set otherwise.
    pub climb: Option<LinkRule>,
}

impl LinkSettings {
    /// The default area type of links: 5, jumps, as in the Recast demo.
    pub const AREA: AreaId = AreaId::from_low_bits(5);
    /// The default flag of links: bit 3, jumping, as in the Recast demo.
    pub const FLAGS: PolyFlags = PolyFlags(8);

    /// All four kinds, with limits in proportion to the agent. It drops and jumps down as far as its
    /// [`max_drop`](AgentSettings::max_drop), or twice its height if that is not above its climb. It jumps over one and
    /// a half times its height, and climbs up to its own height.
    #[must_use]
    pub fn for_agent(agent: &AgentSettings) -> Self {
        // The sizes of giants are capped at what the limits allow.
        let [height, radius, max_climb] =
            [agent.height, agent.radius, agent.max_climb].map(|size| size.min(MOST / 2.0));
        let rule = LinkRule {
            max_height: if agent.max_drop > agent.max_climb { agent.max_drop.min(MOST) } else { 2.0 * height },
            max_distance: radius,
            rise: height * 0.25,
            spacing: height,
            width: 2.0 * radius,
            two_way: false,
            area: Self::AREA,
            flags: Self::FLAGS,
        };
        let jump = LinkRule { max_distance: 1.5 * height, ..rule };
        Self {
            drop: Some(rule),
            jump_down: Some(jump),
            jump_across: Some(LinkRule { max_height: max_climb.max(height * 0.25), two_way: true, ..jump }),
            climb: Some(LinkRule { max_height: height, ..rule }),
        }
    }

    /// The rule for a kind.
    #[must_use]
    pub const fn rule(&self, kind: LinkKind) -> Option<&LinkRule> {
        match kind {
            LinkKind::Drop => self.drop.as_ref(),
            LinkKind::JumpDown => self.jump_down.as_ref(),
            LinkKind::JumpAcross => self.jump_across.as_ref(),
            LinkKind::Climb => self.climb.as_ref(),
        }
    }

    /// Whether no kind is enabled.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        LinkKind::ALL.iter().all(|&kind| self.rule(kind).is_none())
    }

    /// Checks every number.
    ///
    /// # Errors
    /// The first number out of range: [`SettingsError`].
    pub fn check(&self) -> Result<(), SettingsError> {
        LinkKind::ALL.iter().filter_map(|&kind| self.rule(kind)).try_for_each(LinkRule::check)
    }
}

/// Longer and higher links than this are teleports, which are added by hand.
const MOST: f32 = 100.0;

impl LinkRule {
    fn check(&self) -> Result<(), SettingsError> {
        let numbers = [
            ("links.max_height", self.max_height, true),
            ("links.max_distance", self.max_distance, false),
            ("links.rise", self.rise, false),
            ("links.spacing", self.spacing, true),
            ("links.width", self.width, false),
        ];
        for (name, value, above_zero) in numbers {
            let fits = value.is_finite() && value <= MOST && if above_zero { value > 0.0 } else { value >= 0.0 };
            if !fits {
                let range = if above_zero { "above 0 and at most 100 m" } else { "between 0 and 100 m" };
                return Err(SettingsError { name, value: f64::from(value), range, limit: None });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agents_own_links_are_in_range_and_nonsense_is_named() {
        let mut links = LinkSettings::for_agent(&AgentSettings::default());
        assert_eq!(links.check(), Ok(()));
        assert!(!links.is_empty() && LinkSettings::default().is_empty());
        let depth = |max_drop: f32| {
            let links = LinkSettings::for_agent(&AgentSettings { max_drop, ..AgentSettings::default() });
            assert_eq!(links.check(), Ok(()));
            [links.drop, links.jump_down].map(|rule| rule.unwrap().max_height)
        };
        assert_eq!([depth(0.0), depth(0.5), depth(1.5), depth(1e9)], [[4.0; 2], [4.0; 2], [1.5; 2], [MOST; 2]]);
        for wrong in [f32::NAN, -1.0, 1e9, 0.0] {
            links.climb = links.climb.map(|rule| LinkRule { spacing: wrong, ..rule });
            assert_eq!(links.check().map_err(|e| e.name), Err("links.spacing"));
        }
    }
}
