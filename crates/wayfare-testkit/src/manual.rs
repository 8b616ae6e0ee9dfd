//! The examples of the READMEs and of the manual's chapters, run as tests.
//!
//! They stand here and not beside what they speak of: a package that users get holds no file from outside its folder.

/// README.md of the repository.
#[doc = include_str!("../../../README.md")]
pub struct Readme;

/// README.md of the library's package.
#[doc = include_str!("../../wayfare/README.md")]
pub struct Library;

/// README.md of the package that draws.
#[doc = include_str!("../../wayfare-draw/README.md")]
pub struct Pictures;

/// README.md of the package that reads files.
#[doc = include_str!("../../wayfare-io/README.md")]
pub struct Files;

/// README.md of the scenes' package.
#[doc = include_str!("../../wayfare-scenes/README.md")]
pub struct Scenes;

/// README.md of the package of tile stores.
#[doc = include_str!("../../wayfare-store/README.md")]
pub struct Stores;

/// Agents of any size.
#[doc = include_str!("../../../docs/agent-sizes.md")]
pub struct AgentSizes;

/// Areas, volumes and connections.
#[doc = include_str!("../../../docs/areas.md")]
pub struct Areas;

/// Worlds of blocks.
#[doc = include_str!("../../../docs/block-worlds.md")]
pub struct BlockWorlds;

/// A changing world.
#[doc = include_str!("../../../docs/changing-worlds.md")]
pub struct ChangingWorlds;

/// Agents and crowds.
#[doc = include_str!("../../../docs/crowds.md")]
pub struct Crowds;

/// A game loop in sixty lines.
#[doc = include_str!("../../../docs/game-loop.md")]
pub struct GameLoop;

/// Worlds larger than memory.
#[doc = include_str!("../../../docs/large-worlds.md")]
pub struct LargeWorlds;

/// Level files and pictures.
#[doc = include_str!("../../../docs/level-files.md")]
pub struct LevelFiles;

/// Local grids.
#[doc = include_str!("../../../docs/local-grids.md")]
pub struct LocalGrids;

/// Shortest paths in any direction.
#[doc = include_str!("../../../docs/optimal-paths.md")]
pub struct OptimalPaths;

/// Questions to a mesh.
#[doc = include_str!("../../../docs/queries.md")]
pub struct Queries;

/// Saving and loading.
#[doc = include_str!("../../../docs/saving.md")]
pub struct Saving;

/// Tiles that come and go.
#[doc = include_str!("../../../docs/tiles.md")]
pub struct Tiles;
