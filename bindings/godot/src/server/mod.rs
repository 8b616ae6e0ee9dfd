//! The server: what scripts call, under the names of [NavigationServer3D].

mod agents;
mod bakes;
mod maps;
mod parts;
mod regions;
mod wayfare_server;

pub use wayfare_server::{WayfareServer, id_of, rid};
