//! Where an application is (SPEC §2.2, §4): places are tried in order, each candidate is looked at once.

mod command;
mod folders;
mod located_path;
pub mod uninstall;

use std::cell::OnceCell;
use std::ops::ControlFlow;

use self::uninstall::Entries;
use crate::declaration::{Place, Presence};
use crate::facts::{Facts, NodeKind, Os};
use crate::inquiry::{Inquiry, is_denied};
use crate::path::{self, Unresolved};

/// How many times one evaluation looks at the disk. Whoever writes `PATH`, `PATHEXT` or a pattern can ask for more.
const LOOKS: usize = 10_000;

/// How many copies of an application are judged. Each may cost as much as reading its version does.
const COPIES: usize = 100;

/// How trying one place ended, where it ended without a copy that is good enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It could be looked at.
    LookedAt,
    /// Something on the way is denied to this user.
    Denied,
    /// It could not be looked at.
    Unresolved(Unresolved),
    /// A copy before it was good: nothing was asked.
    NotAsked,
}

impl Outcome {
    /// The reason code.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::LookedAt | Self::NotAsked => "not-found",
            Self::Denied => "access-denied",
            Self::Unresolved(unresolved) => unresolved.code(),
        }
    }
}

/// One place that was tried.
#[derive(Clone, Debug)]
pub struct Tried {
    /// Whether the declaration names it as a path.
    pub is_path: bool,
    /// The paths it came to: the pattern, or each candidate that was looked at; as written where it can not be expanded.
    pub paths: Vec<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// Whether a copy of the application is there, good or not.
    pub has_copy: bool,
}

/// A search for copies of one application.
pub struct Search<'a> {
    inquiry: &'a Inquiry<'a>,
    presence: Presence,
    entries: OnceCell<Entries>,
    looks_left: usize,
    copies_left: usize,
}

/// What a kind of place does with each candidate.
pub(crate) type Visit<'v> = dyn FnMut(&str) -> ControlFlow<()> + 'v;

impl<'a> Search<'a> {
    /// A search on this machine.
    pub fn new(inquiry: &'a Inquiry<'a>, presence: Presence) -> Self {
        Self { inquiry, presence, entries: OnceCell::new(), looks_left: LOOKS, copies_left: COPIES }
    }

    /// The uninstall entries, read once.
    pub fn entries(&self) -> &Entries {
        self.entries.get_or_init(|| Entries::read(self.inquiry))
    }

    /// Tries places in order and tells `on_copy` each copy that is present, until it breaks.
    pub fn run(
        &mut self,
        places: &[Place],
        on_copy: &mut dyn FnMut(&Self, &str) -> ControlFlow<()>,
    ) -> Vec<Tried> {
        let trace = self.inquiry.trace();
        let mut ended = false;
        places
            .iter()
            .enumerate()
            .map(|(index, place)| {
                trace.within("place", || {
                    trace.detail("index", || index);
                    trace.detail("kind", || kind(place));
                    trace.detail("written", || written(place));
                    let tried = if ended {
                        Tried {
                            is_path: false,
                            paths: Vec::new(),
                            outcome: Outcome::NotAsked,
                            has_copy: false,
                        }
                    } else {
                        self.try_place(place, &mut ended, on_copy)
                    };
                    trace.detail("paths", || tried.paths.as_slice());
                    trace.detail("outcome", || match &tried.outcome {
                        Outcome::NotAsked => "not-asked",
                        _ if ended => "found",
                        _ if tried.has_copy => "version-not-good",
                        outcome => outcome.reason(),
                    });
                    tried
                })
            })
            .collect()
    }

    fn try_place(
        &mut self,
        place: &Place,
        ended: &mut bool,
        on_copy: &mut dyn FnMut(&Self, &str) -> ControlFlow<()>,
    ) -> Tried {
        let mut paths = Vec::new();
        let mut denied = false;
        let mut has_copy = false;
        let inquiry = self.inquiry;
        let os = inquiry.os();
        let candidates = |search: &mut Self, visit: &mut Visit<'_>| match place {
            Place::Path(declared) => located_path::candidates(inquiry, os, declared, visit),
            Place::Command { name } => command::candidates(inquiry, os, name, visit),
            Place::AppBundle { name } => {
                folders::candidates(inquiry, os, &folders::APPLICATIONS, name, visit)
            }
            Place::Flatpak { app_id } => folders::candidates(inquiry, os, &folders::FLATPAK, app_id, visit),
            Place::Snap { name } => folders::candidates(inquiry, os, &folders::SNAP, name, visit),
            Place::UninstallRegistry { display_name_prefix, file } => {
                uninstall::candidates(search.entries(), inquiry, os, display_name_prefix, file, visit)
            }
        };
        // Candidates are made first and looked at one by one, so that a search may be asked while they are made.
        let mut queue = Vec::new();
        let must_be_executable = matches!(place, Place::Command { .. }) && os != Os::Win32;
        let budget = self.looks_left;
        let made = candidates(self, &mut |candidate| {
            queue.push(candidate.to_owned());
            if queue.len() < budget { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        for candidate in queue {
            if *ended || self.looks_left == 0 || self.copies_left == 0 {
                break;
            }
            if !path::is_plain_rooted(&candidate, os) {
                continue;
            }
            self.looks_left -= 1;
            let look = self.look(&candidate, must_be_executable, os);
            denied |= look == Look::Denied;
            if look == Look::Present {
                self.copies_left -= 1;
                has_copy = true;
                *ended = on_copy(self, &candidate).is_break();
            }
            paths.push(candidate);
        }
        match made {
            Ok(Made { shown, denied: on_the_way }) => Tried {
                is_path: matches!(place, Place::Path(_)),
                paths: shown.map_or(paths, |shown| vec![shown]),
                outcome: if denied || on_the_way { Outcome::Denied } else { Outcome::LookedAt },
                has_copy,
            },
            Err(unresolved) => Tried {
                is_path: matches!(place, Place::Path(_)),
                paths: match place {
                    Place::Path(declared) => vec![path::with_own_separators(declared.trim(), os)],
                    _ => Vec::new(),
                },
                outcome: Outcome::Unresolved(unresolved),
                has_copy,
            },
        }
    }

    fn look(&self, candidate: &str, must_be_executable: bool, os: Os) -> Look {
        let looked_at = match self.presence {
            Presence::Executable => candidate.to_owned(),
            Presence::Bundle => path::join(candidate, "Contents/Info.plist", os),
        };
        let answer = self.inquiry.stat(&looked_at);
        match answer {
            Ok(node) if node.kind == NodeKind::File && (node.executable || !must_be_executable) => {
                Look::Present
            }
            _ if is_denied(&answer) => Look::Denied,
            _ => Look::NotThere,
        }
    }
}

/// What making the candidates of a place came to.
pub(crate) struct Made {
    /// What stands for all candidates where they are shown: a pattern.
    pub(crate) shown: Option<String>,
    /// Whether a folder on the way was denied.
    pub(crate) denied: bool,
}

impl Made {
    /// Candidates that show themselves.
    pub(crate) const PLAIN: Self = Self { shown: None, denied: false };
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Present,
    NotThere,
    Denied,
}

fn kind(place: &Place) -> &'static str {
    match place {
        Place::Path(_) => "path",
        Place::Command { .. } => "command",
        Place::UninstallRegistry { .. } => "uninstall_registry",
        Place::AppBundle { .. } => "app_bundle",
        Place::Flatpak { .. } => "flatpak",
        Place::Snap { .. } => "snap",
    }
}

fn written(place: &Place) -> String {
    match place {
        Place::Path(text) => text.clone(),
        Place::Command { name } | Place::AppBundle { name } | Place::Snap { name } => name.clone(),
        Place::Flatpak { app_id } => app_id.clone(),
        Place::UninstallRegistry { display_name_prefix, file } => format!("{display_name_prefix}: {file}"),
    }
}
