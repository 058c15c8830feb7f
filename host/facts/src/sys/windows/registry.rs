//! The Windows registry, by its plain calls: other ways lose names that are no text, and choose a view by themselves.

use std::ptr;

use windows_sys::Win32::Foundation::{
    ERROR_FILE_NOT_FOUND, ERROR_MORE_DATA, ERROR_NO_MORE_ITEMS, ERROR_SUCCESS,
};
use windows_sys::Win32::System::Registry::{
    HKEY, HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE, KEY_ENUMERATE_SUB_KEYS, KEY_QUERY_VALUE, KEY_WOW64_32KEY,
    KEY_WOW64_64KEY, REG_SAM_FLAGS, RegCloseKey, RegEnumKeyExW, RegOpenKeyExW, RegQueryValueExW,
};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, IsWow64Process};
use windows_sys::core::BOOL;

use super::{fault, fault_code};
use crate::sys::win32;
use crate::{Fault, FaultCode, Hive, Subkey, Value, View, limits};

/// A key's name has at most 255 characters; the rest is for its NUL and for whoever broke that rule.
/// <https://learn.microsoft.com/windows/win32/sysinfo/registry-element-size-limits>
const MAX_NAME: usize = 1024;
/// Most values are a name or a version: they take one call each.
const LIKELY_VALUE: usize = 512;

/// The keys directly below `key`, each with the named values.
pub(in crate::sys) fn subkeys(
    hive: Hive,
    view: View,
    key: &str,
    values: &[String],
) -> Result<Vec<Subkey>, Fault> {
    if view == View::Bits32 && !has_two_views() {
        return Err(Fault::new(FaultCode::Absent, "a 32-bit Windows has one view"));
    }
    let view = match view {
        View::Bits64 => KEY_WOW64_64KEY,
        View::Bits32 => KEY_WOW64_32KEY,
    };
    let root = match hive {
        Hive::LocalMachine => HKEY_LOCAL_MACHINE,
        Hive::CurrentUser => HKEY_CURRENT_USER,
    };
    let value_names = values.iter().map(|name| win32::closed(name)).collect::<Result<Vec<_>, _>>()?;
    let parent = Key::open(root, &win32::closed(key)?, KEY_ENUMERATE_SUB_KEYS | view).map_err(fault_of)?;
    let mut subkeys = Vec::new();
    let mut text: usize = 0;
    let mut buffer = vec![0; LIKELY_VALUE];
    for index in 0.. {
        let name = match parent.name_at(index) {
            Ok(Some(name)) => name,
            Ok(None) => break,
            // A name beyond every limit: that key is left out alone.
            Err(ERROR_MORE_DATA) => continue,
            Err(error) => return Err(fault_of(error)),
        };
        if subkeys.len() >= limits::MAX_SUBKEYS {
            return Err(Fault::new(FaultCode::TooLarge, "there are more than 16384 keys"));
        }
        let subkey = read(&parent, &name, view, &value_names, &mut buffer);
        text = text.saturating_add(text_of(&subkey));
        if text > limits::MAX_LIST_TEXT {
            return Err(Fault::new(FaultCode::TooLarge, "the values are larger than 8 MiB"));
        }
        subkeys.push(subkey);
    }
    Ok(subkeys)
}

fn read(
    parent: &Key,
    name: &[u16],
    view: REG_SAM_FLAGS,
    value_names: &[Vec<u16>],
    buffer: &mut Vec<u8>,
) -> Subkey {
    let values = match open_below(parent, name, view) {
        Ok(key) => value_names.iter().map(|name| key.value(name, buffer)).collect(),
        Err(fault) => vec![Value::Unreadable(fault); value_names.len()],
    };
    Subkey { name: win32::lossy(name), values }
}

fn open_below(parent: &Key, name: &[u16], view: REG_SAM_FLAGS) -> Result<Key, Fault> {
    // The call ends a name at its first NUL: it would open another key, and give that one's values for this one's.
    if name.contains(&0) {
        return Err(Fault::new(FaultCode::Unsupported, "the name of the key holds a NUL"));
    }
    let closed: Vec<u16> = name.iter().copied().chain([0]).collect();
    Key::open(parent.0, &closed, KEY_QUERY_VALUE | view).map_err(fault_of)
}

fn text_of(subkey: &Subkey) -> usize {
    let values = subkey.values.iter().map(|value| match value {
        Value::Text(text) | Value::ExpandableText(text) => text.len(),
        _ => 0,
    });
    values.fold(subkey.name.len(), usize::saturating_add)
}

fn fault_of(error: u32) -> Fault {
    fault(&std::io::Error::from_raw_os_error(error.cast_signed()))
}

/// Every 64-bit Windows has both views, for 32-bit programs too.
#[expect(unsafe_code, reason = "the calls have no safe form")]
fn has_two_views() -> bool {
    if cfg!(target_pointer_width = "64") {
        return true;
    }
    let mut emulated: BOOL = 0;
    // SAFETY: the handle stands for this process and needs no closing; `emulated` is writable.
    let answered = unsafe { IsWow64Process(GetCurrentProcess(), &mut emulated) };
    answered != 0 && emulated != 0
}

/// An open key, closed when dropped.
struct Key(HKEY);

impl Key {
    /// Opens a key by a path that ends with a NUL.
    #[expect(unsafe_code, reason = "the call has no safe form")]
    fn open(parent: HKEY, path: &[u16], access: REG_SAM_FLAGS) -> Result<Self, u32> {
        let mut key: HKEY = ptr::null_mut();
        // SAFETY: the parent is a root or an open key, the path ends with a NUL, and `key` is writable.
        let error = unsafe { RegOpenKeyExW(parent, path.as_ptr(), 0, access, &mut key) };
        if error == ERROR_SUCCESS { Ok(Self(key)) } else { Err(error) }
    }

    /// The name of the key below this one at a place in the list; none at its end.
    #[expect(unsafe_code, reason = "the call has no safe form")]
    fn name_at(&self, index: u32) -> Result<Option<Vec<u16>>, u32> {
        let mut name = vec![0; MAX_NAME];
        let mut length = u32::try_from(name.len()).unwrap_or(0);
        // SAFETY: the key is open, `name` has room for `length` units, and the other places may be null.
        let error = unsafe {
            RegEnumKeyExW(
                self.0,
                index,
                name.as_mut_ptr(),
                &mut length,
                ptr::null(),
                ptr::null_mut(),
                ptr::null_mut(),
                ptr::null_mut(),
            )
        };
        match error {
            ERROR_SUCCESS => {
                name.truncate(usize::try_from(length).unwrap_or_default());
                Ok(Some(name))
            }
            ERROR_NO_MORE_ITEMS => Ok(None),
            error => Err(error),
        }
    }

    /// One value by a name that ends with a NUL. `buffer` is room to read into and keeps its size for the next.
    fn value(&self, name: &[u16], buffer: &mut Vec<u8>) -> Value {
        match self.query(name, buffer) {
            Ok((kind, length)) => win32::value(kind, buffer.get(..length).unwrap_or_default()),
            Err(ERROR_FILE_NOT_FOUND) => Value::Missing,
            Err(ERROR_MORE_DATA) => {
                Value::Unreadable(Fault::new(FaultCode::TooLarge, "the value is larger than 64 KiB"))
            }
            Err(error) => Value::Unreadable(Fault::new(fault_code(error), fault_of(error).detail)),
        }
    }

    /// Reads a value and grows `buffer` for it, up to 64 KiB.
    #[expect(unsafe_code, reason = "the call has no safe form")]
    fn query(&self, name: &[u16], buffer: &mut Vec<u8>) -> Result<(u32, usize), u32> {
        loop {
            let (mut kind, mut length) = (0, u32::try_from(buffer.len()).unwrap_or(0));
            // SAFETY: the key is open, the name ends with a NUL, `buffer` has room for `length` bytes, and the other
            // places are writable.
            let error = unsafe {
                RegQueryValueExW(
                    self.0,
                    name.as_ptr(),
                    ptr::null(),
                    &mut kind,
                    buffer.as_mut_ptr(),
                    &mut length,
                )
            };
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            match error {
                ERROR_SUCCESS => return Ok((kind, length)),
                // A value may grow between two calls; each turn grows the room, so the turns come to an end.
                ERROR_MORE_DATA if length > buffer.len() && length <= MAX_VALUE => buffer.resize(length, 0),
                error => return Err(error),
            }
        }
    }
}

/// 64 KiB, as the registry stores it.
const MAX_VALUE: usize = limits::MAX_REGISTRY_TEXT * size_of::<u16>();

impl Drop for Key {
    #[expect(unsafe_code, reason = "the call has no safe form")]
    fn drop(&mut self) {
        // SAFETY: the key is open and is not used after this. A failure to close it leaves nothing to be done.
        let _ = unsafe { RegCloseKey(self.0) };
    }
}
