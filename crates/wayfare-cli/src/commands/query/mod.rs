//! `wayfare query MESH --batch FILE`: many queries, JSON lines in and out.

mod bench;
mod command;
mod line;
mod ops;
mod stored;

pub(super) use command::{Query, answer_line};
