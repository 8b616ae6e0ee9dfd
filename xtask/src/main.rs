//! The workspace's chores.
fn main() {}
