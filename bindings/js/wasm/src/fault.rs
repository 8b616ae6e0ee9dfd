//! Errors on their way out: a code for programs, a sentence for people.

use core::fmt::Display;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(raw_module = "../error.js")]
extern "C" {
    /// The class that the package exports; made here, so that no call has to be wrapped.
    type WayfareError;

    #[wasm_bindgen(constructor)]
    fn new(code: &str, message: &str) -> WayfareError;
}

/// Why a call fails.
pub enum Fault {
    /// Something of ours: its code and its sentence.
    Ours(&'static str, String),
    /// What a function of the page threw; it is thrown on.
    Thrown(JsValue),
}

/// An answer, or the reason that there is none.
pub type Answer<T> = Result<T, Fault>;

impl Fault {
    pub(crate) fn new(code: &'static str, message: impl Display) -> Self {
        Self::Ours(code, message.to_string())
    }

    /// An error of the library, which says the names of settings as options objects have them.
    pub(crate) fn of_library(code: &'static str, error: impl Display) -> Self {
        Self::Ours(code, option_names(&error.to_string()))
    }

    pub(crate) fn argument(message: impl Display) -> Self {
        Self::new("invalid-argument", message)
    }
}

/// What the core build leaves out.
#[cfg(all(feature = "mesh", not(feature = "extra")))]
pub(crate) fn not_here(what: &str) -> Fault {
    Fault::new(
        "not-in-this-build",
        format_args!("{what:?} is in the full build: load it with init({{ build: \"full\" }})"),
    )
}

impl From<Fault> for JsValue {
    fn from(fault: Fault) -> Self {
        // What a function of the page threw is the reason of whatever went wrong after it.
        if let Some(thrown) = crate::callback::take_thrown() {
            return thrown;
        }
        match fault {
            Fault::Ours(code, message) => WayfareError::new(code, &sentence(&message)).into(),
            Fault::Thrown(value) => value,
        }
    }
}

/// A message with its `snake_case` names of settings as options objects have them: `cell_size` as `cellSize`. What stands in
/// quotation marks was given, and is left as it is.
pub(crate) fn option_names(message: &str) -> String {
    let parts = message.split('"').enumerate();
    let told = parts.map(|(part, text)| {
        if part % 2 == 1 {
            return text.to_owned();
        }
        text.split_inclusive(|letter: char| !(letter.is_alphanumeric() || letter == '_')).map(option_name).collect()
    });
    told.collect::<Vec<String>>().join("\"")
}

fn option_name(word: &str) -> String {
    // Two names are written out in options.
    let word = match word.trim_end_matches(|letter: char| !letter.is_alphanumeric()) {
        "edge_max_len" => word.replace("_len", "_length"),
        "detail_sample_dist" => word.replace("_dist", "_distance"),
        _ => word.to_owned(),
    };
    let mut parts = word.split('_');
    let mut name = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut letters = part.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

/// The library's messages begin in lower case and end without a dot, to be put into others; here each stands alone.
fn sentence(message: &str) -> String {
    let mut text = String::with_capacity(message.len() + 1);
    let mut letters = message.chars();
    // A message that begins with the name of a setting keeps it as it is written.
    let is_name =
        message.split(' ').next().is_some_and(|word| word.contains(['.', '_']) || word.contains(char::is_uppercase));
    if let Some(first) = letters.next() {
        if is_name { text.push(first) } else { text.extend(first.to_uppercase()) }
    }
    text.push_str(letters.as_str());
    if !text.ends_with(['.', '?', '!']) {
        text.push('.');
    }
    text
}

/// The code of each error type of the library.
macro_rules! codes {
    ($($error:ty: $code:literal),* $(,)?) => {
        $(impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                Self::of_library($code, error)
            }
        })*
    };
}

#[cfg(feature = "mesh")]
codes! {
    wayfare::area::AreaIdError: "invalid-argument",
    wayfare::area::AreaTableError: "invalid-argument",
    wayfare::bake::ExplainBytesError: "format",
    wayfare::context::Cancelled: "cancelled",
    wayfare::corridor::NotOnPath: "not-on-path",
    wayfare::crowd::CrowdReadError: "format",
    wayfare::dynamic::CheckpointBytesError: "format",
    wayfare::dynamic::ObjectError: "invalid-argument",
    wayfare::dynamic::ObstacleBytesError: "format",
    wayfare::format::DetourReadError: "format",
    wayfare::format::DetourWriteError: "format",
    wayfare::format::ReadError: "format",
    wayfare::format::RestoreError: "format",
    wayfare::input::HeightMapError: "invalid-argument",
    wayfare::input::SettingsError: "settings",
    wayfare::input::TriMeshError: "level",
    wayfare::math::FrameError: "invalid-argument",
    wayfare::mesh::AddConnectionError: "invalid-argument",
    wayfare::mesh::AddTileError: "tile",
    wayfare::mesh::ParseRefError: "invalid-argument",
    wayfare::mesh::StaleRef: "stale-ref",
    wayfare::mesh::StaleTile: "stale-ref",
    wayfare::plan::UnknownRequest: "stale-ref",
    wayfare::query::AreaCostError: "invalid-argument",
    wayfare::query::CorridorError: "stale-ref",
    wayfare::query::OverlayError: "invalid-argument",
    wayfare::query::OverlayReadError: "format",
    wayfare::tile::TileError: "tile",
}

#[cfg(feature = "extra")]
codes! {
    wayfare::query::ClearanceError: "invalid-argument",
    wayfare::tile::OutlineError: "invalid-argument",
}

#[cfg(feature = "extra")]
codes! {
    wayfare::dynamic::ObstacleFileError: "format",
}

#[cfg(feature = "extra")]
impl From<wayfare::dynamic::LiveLevelError> for Fault {
    fn from(error: wayfare::dynamic::LiveLevelError) -> Self {
        use wayfare::dynamic::LiveLevelError;
        match error {
            LiveLevelError::Object(error) => error.into(),
            LiveLevelError::Obstacle(error) => error.into(),
            LiveLevelError::Rebuild(error) => error.into(),
            LiveLevelError::Links(error) => Self::of_library("rebuild", error),
            LiveLevelError::NoLevel => {
                Self::argument("the level to which an object could be added is not known: give stored() its `level`")
            }
            error => Self::argument(error),
        }
    }
}

#[cfg(feature = "blocks")]
codes! {
    wayfare::blocks::BlockSettingsError: "settings",
    wayfare::blocks::TooManyBlocks: "memory",
    wayfare::grid::LocalGridError: "invalid-argument",
}

#[cfg(feature = "mesh")]
impl From<wayfare::bake::BakeError> for Fault {
    fn from(error: wayfare::bake::BakeError) -> Self {
        use wayfare::bake::BakeError;
        let code = match error {
            BakeError::Settings(_) | BakeError::AgentsDiffer { .. } | BakeError::OtherLayout => "settings",
            BakeError::Cancelled(_) => "cancelled",
            BakeError::TooMuchMemory(_) | BakeError::Grid(_) => "memory",
            _ => "bake",
        };
        Self::of_library(code, error)
    }
}

#[cfg(feature = "mesh")]
impl From<wayfare::dynamic::RebuildError> for Fault {
    fn from(error: wayfare::dynamic::RebuildError) -> Self {
        match error {
            wayfare::dynamic::RebuildError::NoSource { coord } => Self::new(
                "rebuild",
                format_args!(
                    "tile {}, {} is to be baked again, but there are no triangles: call useLevel() of obstacles, or give \
                     LiveLevel.stored() its `level`",
                    coord.x, coord.z
                ),
            ),
            error => Self::of_library("rebuild", error),
        }
    }
}

#[cfg(feature = "mesh")]
impl From<wayfare::dynamic::ObstacleError> for Fault {
    fn from(error: wayfare::dynamic::ObstacleError) -> Self {
        let code = match error {
            wayfare::dynamic::ObstacleError::Gone { .. } => "stale-ref",
            _ => "invalid-argument",
        };
        Self::of_library(code, error)
    }
}

#[cfg(feature = "mesh")]
impl From<wayfare::crowd::CrowdError> for Fault {
    fn from(error: wayfare::crowd::CrowdError) -> Self {
        use wayfare::crowd::CrowdError;
        let code = match error {
            CrowdError::Params(_) => "settings",
            CrowdError::NoSurface { .. } => "off-mesh",
            CrowdError::NoAgent { .. } => "stale-ref",
            _ => "invalid-argument",
        };
        Self::of_library(code, error)
    }
}
