//! Registry keys for a test, of any name and content, removed when it ends.
#![expect(unsafe_code, reason = "the calls have no safe form")]

use std::os::windows::io::RawHandle;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use windows_sys::Wdk::Foundation::OBJECT_ATTRIBUTES;
use windows_sys::Wdk::System::Registry::{NtCreateKey, NtDeleteKey, NtSetValueKey};
use windows_sys::Win32::Foundation::{ERROR_ACCESS_DENIED, HANDLE, UNICODE_STRING};
use windows_sys::Win32::System::Registry::{
    HKEY, HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE, KEY_ALL_ACCESS, KEY_WOW64_32KEY, KEY_WOW64_64KEY,
    RegCloseKey, RegCreateKeyExW, RegDeleteTreeW,
};

use crate::sys::win32;
use crate::{Hive, View};

/// A key below `SOFTWARE`, where a 64-bit Windows has two views.
pub(super) struct TestKey {
    path: String,
    key: HKEY,
}

impl TestKey {
    /// A new empty key at a path that no other test has; none, with a word why, where this user may not make one.
    pub(super) fn create(hive: Hive, view: View) -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
        Self::create_at(hive, view, &format!(r"SOFTWARE\appdecl-tests-{now}-{number}"))
    }

    /// The same at a path of the test's choice.
    pub(super) fn create_at(hive: Hive, view: View, path: &str) -> Option<Self> {
        let root = match hive {
            Hive::LocalMachine => HKEY_LOCAL_MACHINE,
            Hive::CurrentUser => HKEY_CURRENT_USER,
        };
        let view = match view {
            View::Bits64 => KEY_WOW64_64KEY,
            View::Bits32 => KEY_WOW64_32KEY,
        };
        let (closed, mut key) = (win32::closed(path).unwrap(), ptr::null_mut());
        // SAFETY: the path ends with a NUL, `key` is writable, and the other places may be null.
        let error = unsafe {
            RegCreateKeyExW(
                root,
                closed.as_ptr(),
                0,
                ptr::null(),
                0,
                KEY_ALL_ACCESS | view,
                ptr::null(),
                &mut key,
                ptr::null_mut(),
            )
        };
        if error == ERROR_ACCESS_DENIED {
            println!("skipped: this user may not write to {hive:?}");
            return None;
        }
        assert_eq!(error, 0, "{path} could not be created");
        Some(Self { path: path.to_owned(), key })
    }

    /// The path without its root, as a question has it.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// Adds a key of any name with values of any name, type and content, open with all rights. The plain calls would end
    /// its name at the first NUL.
    pub(super) fn add(&self, name: &[u16], values: &[(&str, u32, &[u8])]) -> OpenKey {
        let name = counted(name);
        let attributes = OBJECT_ATTRIBUTES {
            Length: u32::try_from(size_of::<OBJECT_ATTRIBUTES>()).unwrap(),
            RootDirectory: self.key,
            ObjectName: &name,
            ..Default::default()
        };
        let mut key = ptr::null_mut();
        // SAFETY: the attributes and the name that they point to live until the call returns; `key` is writable.
        let status =
            unsafe { NtCreateKey(&mut key, KEY_ALL_ACCESS, &attributes, 0, ptr::null(), 0, ptr::null_mut()) };
        assert_eq!(status, 0);
        for (name, kind, bytes) in values {
            set_value(key, &name.encode_utf16().collect::<Vec<_>>(), *kind, bytes);
        }
        OpenKey(key)
    }
}

impl Drop for TestKey {
    fn drop(&mut self) {
        let nothing = [0];
        // SAFETY: the key is open and closed once; an empty name stands for what is below the key.
        unsafe {
            RegDeleteTreeW(self.key, nothing.as_ptr());
            NtDeleteKey(self.key);
            RegCloseKey(self.key);
        }
    }
}

/// A key that is closed when dropped.
pub(super) struct OpenKey(HANDLE);

impl OpenKey {
    pub(super) fn handle(&self) -> RawHandle {
        self.0
    }

    /// Removes the key. Its name or its rights may keep the plain calls from doing so.
    pub(super) fn delete(self) {
        // SAFETY: the handle is open.
        let status = unsafe { NtDeleteKey(self.0) };
        assert_eq!(status, 0);
    }
}

impl Drop for OpenKey {
    fn drop(&mut self) {
        // SAFETY: the handle is open and closed once.
        unsafe { RegCloseKey(self.0) };
    }
}

fn set_value(key: HANDLE, name: &[u16], kind: u32, bytes: &[u8]) {
    let (name, size) = (counted(name), u32::try_from(bytes.len()).unwrap());
    // SAFETY: the key is open, and the name and the bytes live until the call returns.
    let status = unsafe { NtSetValueKey(key, &name, 0, kind, bytes.as_ptr().cast(), size) };
    assert_eq!(status, 0);
}

/// Text by its length. It borrows `units` without saying so.
fn counted(units: &[u16]) -> UNICODE_STRING {
    let size = u16::try_from(size_of_val(units)).unwrap();
    UNICODE_STRING { Length: size, MaximumLength: size, Buffer: units.as_ptr().cast_mut() }
}
