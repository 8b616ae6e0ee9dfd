//! Writers: files that are whole or not there, pictures, statistics, tables.
//!
//! A picture is made in three steps, each replaceable by itself: a [`wayfare::debug::ShapeList`] says what there is to
//! see; [`view`] looks at it from above and turns it into a [`picture::Picture`] of plain 2D items with the colours of
//! [`theme`]; [`svg`] and [`png`] write those items.

pub(crate) mod atomic_file;
pub(crate) mod chart;
mod font;
mod frame;
pub(crate) mod geometry;
mod hidden;
mod kind;
mod legend;
mod margins;
pub(crate) mod numbers;
mod overlap;
mod part_file;
mod picture;
mod png;
mod samples;
pub(crate) mod stats;
mod svg;
pub(crate) mod targets;
mod theme;
mod view;

pub(crate) use kind::Kind;
pub(crate) use view::{Caption, draw_picture};
