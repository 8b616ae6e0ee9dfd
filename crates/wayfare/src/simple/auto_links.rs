//! Adds the links that a bake found as off-mesh connections.

use crate::bake::AutoLink;
use crate::mesh::{AddConnectionError, NavMesh, PolyRef};

impl NavMesh {
    /// Adds links that [`find_links`](crate::bake::find_links) found as off-mesh connections, each with its id as the
    /// connection's user id, and returns their references in the same order.
    ///
    /// # Errors
    /// [`AddConnectionError`] for the first that cannot be added; those before it stay.
    pub fn add_connections(&mut self, links: &[AutoLink]) -> Result<Vec<PolyRef>, AddConnectionError> {
        links.iter().map(|link| self.add_connection(link.into())).collect()
    }
}
