//! What a valid declaration says: data (`app`) plus policy (`requires`).

use crate::facts::Os;

/// A valid declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declaration {
    apps: Vec<(Os, App)>,
    /// What is asked of the application.
    pub requires: Requires,
    /// Liveness for all declared systems at once.
    pub liveness: Option<PortableLiveness>,
    has_app_block: bool,
}

impl Declaration {
    /// Puts a declaration together.
    pub fn new(apps: Option<Vec<(Os, App)>>, requires: Requires, liveness: Option<PortableLiveness>) -> Self {
        Self { has_app_block: apps.is_some(), apps: apps.unwrap_or_default(), requires, liveness }
    }

    /// Where the application is found on that system.
    pub fn app(&self, os: Os) -> Option<&App> {
        self.apps.iter().find(|(declared, _)| *declared == os).map(|(_, app)| app)
    }

    /// How to see, on that system, whether the application is running. On a system that is not declared nothing is known;
    /// without an `app` block the portable form holds everywhere.
    pub fn liveness(&self, os: Os) -> Liveness<'_> {
        if self.has_app_block && self.app(os).is_none() {
            return Liveness::Unknown;
        }
        if let Some(server_json) = self.app(os).and_then(|app| app.liveness.as_ref()) {
            return Liveness::ServerJson(server_json);
        }
        match &self.liveness {
            Some(PortableLiveness::ServerJson(server_json)) => Liveness::ServerJson(server_json),
            Some(PortableLiveness::InteractiveSession) => Liveness::InteractiveSession,
            Some(PortableLiveness::Static) | None => Liveness::Unknown,
        }
    }
}

/// How to see whether the application is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liveness<'a> {
    /// A runtime file tells.
    ServerJson(&'a ServerJson),
    /// It needs an interactive session; nothing more can be seen.
    InteractiveSession,
    /// It cannot be seen.
    Unknown,
}

/// What is asked of the application.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requires {
    /// Whether it must be there.
    pub app: bool,
    /// The version it must have, where one can be read.
    pub min_version: Option<String>,
}

/// An application on one system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct App {
    /// What counts as present.
    pub presence: Presence,
    /// Where to look, in order.
    pub places: Vec<Place>,
    /// Where its version is read.
    pub version: VersionSource,
    /// Its runtime file.
    pub liveness: Option<ServerJson>,
}

/// What counts as present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// A regular file.
    Executable,
    /// A folder with a regular `Contents/Info.plist`.
    Bundle,
}

impl Presence {
    /// Both, in the order that messages list them.
    pub const ALL: [Self; 2] = [Self::Executable, Self::Bundle];

    /// The word that a declaration uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Executable => "executable",
            Self::Bundle => "bundle",
        }
    }
}

/// Where to look for an application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A path, perhaps with references and stars.
    Path(String),
    /// A program on `PATH`.
    Command {
        /// Its bare name.
        name: String,
    },
    /// The install location of an uninstall entry.
    UninstallRegistry {
        /// What the entry's `DisplayName` begins with.
        display_name_prefix: String,
        /// The program below the install location.
        file: String,
    },
    /// A bundle in an Applications folder.
    AppBundle {
        /// Its name, ending in `.app`.
        name: String,
    },
    /// An exported flatpak.
    Flatpak {
        /// Its application id.
        app_id: String,
    },
    /// An installed snap.
    Snap {
        /// Its command.
        name: String,
    },
}

/// Where a version is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum VersionSource {
    /// Nowhere.
    #[default]
    None,
    /// The version resource of the program file.
    PeResource,
    /// The matching uninstall entry.
    UninstallRegistry {
        /// What the entry's `DisplayName` begins with.
        display_name_prefix: String,
    },
    /// The bundle's property list.
    Plist,
}

/// A runtime file: where it is and how it names what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerJson {
    /// Its path, perhaps with references.
    pub path: String,
    /// The names of its members.
    pub keys: KeyNames,
    /// The path that is dialled.
    pub endpoint_path: String,
}

/// The names of a runtime file's members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyNames {
    /// The process number.
    pub pid: String,
    /// The URL.
    pub url: String,
    /// The token.
    pub token: String,
}

/// Liveness for all declared systems at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PortableLiveness {
    /// A runtime file tells.
    ServerJson(ServerJson),
    /// It needs an interactive session.
    InteractiveSession,
    /// It cannot be seen.
    Static,
}
