//! Who is told when the list of declarations changes.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// What one call changed in the list of declarations.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// A server was registered, for the first time or again.
    Registered {
        /// Its name.
        server: String,
    },
    /// A server that had been registered no longer is.
    Unregistered {
        /// Its name.
        server: String,
    },
    /// All servers were removed.
    Cleared,
}

type Listener = Arc<dyn Fn(&Change) + Send + Sync>;

/// The subscribers.
#[derive(Default)]
pub(super) struct Notices {
    listeners: Mutex<Vec<(u64, Listener)>>,
}

impl Notices {
    pub(super) fn subscribe(self: &Arc<Self>, listener: Listener) -> Subscription {
        let mut listeners = self.lock();
        let id = listeners.last().map_or(0, |(last, _)| last + 1);
        listeners.push((id, listener));
        Subscription { notices: Arc::downgrade(self), id }
    }

    /// Tells everybody. No lock is held meanwhile, so that they may ask the gate and subscribe.
    pub(super) fn tell(&self, change: &Change) {
        let listeners: Vec<Listener> = self.lock().iter().map(|(_, listener)| Arc::clone(listener)).collect();
        for listener in listeners {
            listener(change);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(u64, Listener)>> {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the subscription when it is dropped.
#[must_use = "the subscription ends when this is dropped"]
pub struct Subscription {
    notices: Weak<Notices>,
    id: u64,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(notices) = self.notices.upgrade() {
            notices.lock().retain(|(id, _)| *id != self.id);
        }
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription").finish_non_exhaustive()
    }
}
