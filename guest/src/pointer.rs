//! JSON pointers (RFC 6901) of faults, kept short: a name of a stranger can be as long as a document, and stand before very
//! many faults.

/// The longest pointer, in bytes and without its escapes. A longer one ends at the last whole name before that.
const LONGEST: usize = 2048;

/// Adds a name; false where the pointer would be too long then, and stays as it is.
pub fn push(pointer: &mut String, name: &str) -> bool {
    let fits = pointer.len() + name.len() < LONGEST;
    if fits {
        pointer.push('/');
        for character in name.chars() {
            match character {
                '~' => pointer.push_str("~0"),
                '/' => pointer.push_str("~1"),
                other => pointer.push(other),
            }
        }
    }
    fits
}
