//! Lists the nodes in the scene: those that are read before a tick, and those that are notified after it.

use crate::core::Id;
use godot::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The kinds of nodes, in the order in which they are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Region,
    Obstacle,
    Area,
    Link,
    Agent,
}

thread_local! {
    static NODES: RefCell<BTreeMap<(Kind, Id), InstanceId>> = RefCell::default();
}

/// A node has come.
pub fn add(kind: Kind, id: Id, node: InstanceId) {
    NODES.with_borrow_mut(|nodes| nodes.insert((kind, id), node));
}

/// A node has gone.
pub fn remove(kind: Kind, id: Id) {
    NODES.with_borrow_mut(|nodes| nodes.remove(&(kind, id)));
}

/// The node of a number.
pub fn get<T: GodotClass + Inherits<Object>>(kind: Kind, id: Id) -> Option<Gd<T>> {
    let node = NODES.with_borrow(|nodes| nodes.get(&(kind, id)).copied())?;
    Gd::try_from_instance_id(node).ok()
}

/// The number of a node of any kind.
pub fn instance(id: Id) -> Option<InstanceId> {
    NODES.with_borrow(|nodes| nodes.iter().find(|((_, other), _)| *other == id).map(|(_, &node)| node))
}

/// Does something with each node of a kind. It may free others: those are left out.
pub fn each<T: GodotClass + Inherits<Object>>(kind: Kind, act: impl Fn(Gd<T>)) {
    let ids: Vec<InstanceId> =
        NODES.with_borrow(|nodes| nodes.iter().filter(|((k, _), _)| *k == kind).map(|(_, &node)| node).collect());
    ids.into_iter().filter_map(|id| Gd::try_from_instance_id(id).ok()).for_each(act);
}
