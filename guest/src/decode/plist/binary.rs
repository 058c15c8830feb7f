//! Binary property lists (`bplist00`): a heap of objects that refer to each other by number, a table of where each begins,
//! and a trailer that says where the table is. Apple's `CFBinaryPList.c` describes the layout.
//!
//! Objects may be shared, so a small file can name a huge tree. Each object is therefore read once and what is known of it
//! kept; and objects that lie over each other are refused, since only they could be longer in sum than the file. So the
//! work is bounded by the size of the file, without a limit of its own.

use std::borrow::Cow;

use crate::order::sorted;

use super::{KEY_TWICE, LEVELS, NO_DICT, TOO_DEEP, Unreadable, Versions};

/// What every binary property list begins with.
pub(super) const MAGIC: &[u8] = b"bplist00";

const MALFORMED: Unreadable = Unreadable("the binary property list is malformed");
const OUT_OF_RANGE: Unreadable = Unreadable("the binary property list refers to what is not there");
const LOOP: Unreadable = Unreadable("the binary property list contains itself");
const OVERLAP: Unreadable = Unreadable("objects of the binary property list overlap");
const TRAILER: usize = 32;

/// Reads a whole list.
pub(super) fn read(bytes: &[u8]) -> Result<Versions, Unreadable> {
    let (heap, top) = Heap::open(bytes)?;
    let mut walk = Walk::new(&heap);
    walk.visit(top, 1)?;
    walk.judge_keys()?;
    let Object::Dict { keys, values } = heap.object(top)?.0 else { return Err(NO_DICT) };
    let mut versions = Versions::default();
    for (key, value) in heap.references(keys).zip(heap.references(values)) {
        let Object::Text(key) = heap.object(key)?.0 else { return Err(MALFORMED) };
        // One long value can stand behind very many keys.
        if !Versions::has(&key) {
            continue;
        }
        let text = match heap.object(value)?.0 {
            Object::Text(text) => Some(text.into_owned()),
            _ => None,
        };
        versions.note(&key, text);
    }
    Ok(versions)
}

/// The parts of a file, none of them trusted further than its size.
struct Heap<'a> {
    /// Everything before the table, the magic too, so that offsets count from its begin.
    objects: &'a [u8],
    table: &'a [u8],
    offset_size: usize,
    reference_size: usize,
}

/// An object, its own references not followed.
enum Object<'a> {
    Text(Cow<'a, str>),
    /// Anything else that refers to nothing: its value is never used.
    Other,
    Array(&'a [u8]),
    Dict {
        keys: &'a [u8],
        values: &'a [u8],
    },
}

impl<'a> Heap<'a> {
    /// Takes a file apart; also the number of its top object.
    fn open(bytes: &'a [u8]) -> Result<(Self, usize), Unreadable> {
        let (content, trailer) = bytes.split_last_chunk::<TRAILER>().ok_or(MALFORMED)?;
        let &[_, _, _, _, _, _, offset_size, reference_size, ref numbers @ ..] = trailer;
        let mut numbers = numbers.chunks_exact(8).map(number);
        let mut next = || numbers.next().flatten().ok_or(MALFORMED);
        let (count, top, table_at) = (next()?, next()?, next()?);
        let (offset_size, reference_size) = (usize::from(offset_size), usize::from(reference_size));
        let (objects, table) = content.split_at_checked(table_at).ok_or(MALFORMED)?;
        let is_sound = (1..=8).contains(&offset_size)
            && (1..=8).contains(&reference_size)
            && count.checked_mul(offset_size) == Some(table.len())
            && table
                .chunks_exact(offset_size)
                .all(|offset| number(offset).is_some_and(|offset| (MAGIC.len()..table_at).contains(&offset)));
        if is_sound {
            Ok((Self { objects, table, offset_size, reference_size }, top))
        } else {
            Err(MALFORMED)
        }
    }

    /// How many objects there are.
    fn count(&self) -> usize {
        self.table.len() / self.offset_size
    }

    /// The object with a number, and the bytes that it takes.
    fn object(&self, index: usize) -> Result<(Object<'a>, usize), Unreadable> {
        let offset = self.table.chunks_exact(self.offset_size).nth(index).and_then(number);
        let bytes = offset.and_then(|offset| self.objects.get(offset..)).ok_or(OUT_OF_RANGE)?;
        let mut rest = Rest(bytes);
        let [marker] = *rest.array()?;
        let (kind, low) = (marker >> 4, marker & 0x0f);
        let object = match (kind, low) {
            (0x0, 0x0 | 0x8 | 0x9) => Object::Other,
            (0x1, 0..=4) => rest.other(1 << low)?,
            (0x2, 2 | 3) => rest.other(1 << low)?,
            (0x3, 3) => {
                if !is_date(f64::from_be_bytes(*rest.array()?)) {
                    return Err(MALFORMED);
                }
                Object::Other
            }
            (0x4, _) => {
                let length = rest.length(low)?;
                rest.other(length)?
            }
            (0x5, _) => {
                let length = rest.length(low)?;
                let ascii = rest.take(length, 1)?;
                let text = str::from_utf8(ascii).ok().filter(|text| text.is_ascii());
                Object::Text(Cow::Borrowed(text.ok_or(MALFORMED)?))
            }
            (0x6, _) => {
                let length = rest.length(low)?;
                let units = rest.take(length, 2)?;
                let units =
                    units.chunks_exact(2).filter_map(<[u8]>::first_chunk).copied().map(u16::from_be_bytes);
                let text: Result<String, _> = char::decode_utf16(units).collect();
                Object::Text(Cow::Owned(text.map_err(|_| MALFORMED)?))
            }
            (0x8, 0..=7) => rest.other(usize::from(low) + 1)?,
            (0xa, _) => {
                let length = rest.length(low)?;
                Object::Array(rest.take(length, self.reference_size)?)
            }
            (0xd, _) => {
                let length = rest.length(low)?;
                let keys = rest.take(length, self.reference_size)?;
                Object::Dict { keys, values: rest.take(length, self.reference_size)? }
            }
            _ => return Err(MALFORMED),
        };
        Ok((object, bytes.len() - rest.0.len()))
    }

    /// The numbers of objects in a part of an array or a dict; one that is too large for anything stays out of range.
    fn references(&self, bytes: &'a [u8]) -> impl Iterator<Item = usize> + use<'a> {
        bytes.chunks_exact(self.reference_size).map(|reference| number(reference).unwrap_or(usize::MAX))
    }
}

/// What of an object has not been read yet.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn array<const N: usize>(&mut self) -> Result<&'a [u8; N], Unreadable> {
        let (array, rest) = self.0.split_first_chunk().ok_or(OUT_OF_RANGE)?;
        self.0 = rest;
        Ok(array)
    }

    fn take(&mut self, count: usize, size: usize) -> Result<&'a [u8], Unreadable> {
        let length = count.checked_mul(size).ok_or(OUT_OF_RANGE)?;
        let (taken, rest) = self.0.split_at_checked(length).ok_or(OUT_OF_RANGE)?;
        self.0 = rest;
        Ok(taken)
    }

    fn other(&mut self, length: usize) -> Result<Object<'a>, Unreadable> {
        self.take(length, 1).map(|_| Object::Other)
    }

    /// The length of what follows, in its own units: in the marker, or an integer object of its own behind it.
    fn length(&mut self, low: u8) -> Result<usize, Unreadable> {
        if low < 0x0f {
            return Ok(usize::from(low));
        }
        match *self.array()? {
            [marker @ 0x10..=0x13] => number(self.take(1 << (marker & 0x0f), 1)?).ok_or(OUT_OF_RANGE),
            _ => Err(MALFORMED),
        }
    }
}

/// Visits everything below an object once: every reference, every key, every value.
struct Walk<'h, 'a> {
    heap: &'h Heap<'a>,
    seen: Vec<Seen>,
    texts: Vec<Cow<'a, str>>,
    /// The bytes that no object has taken yet.
    free: usize,
}

/// What is known of an object.
#[derive(Clone, Copy)]
enum Seen {
    Never,
    /// It is being read: what refers to it is inside it.
    Open,
    /// Where it stands in [`Walk::texts`].
    Text(usize),
    /// How many levels of arrays and dicts it is; 0 for none.
    Levels(usize),
}

impl<'h, 'a> Walk<'h, 'a> {
    fn new(heap: &'h Heap<'a>) -> Self {
        // The table is as long as it has entries, so this is bounded by the file.
        let seen = vec![Seen::Never; heap.count()];
        Self { heap, seen, texts: Vec::new(), free: heap.objects.len().saturating_sub(MAGIC.len()) }
    }

    /// Reads the object with a number, unless it has been read; `level` is the one it is on, if it is an array or a dict.
    fn visit(&mut self, index: usize, level: usize) -> Result<Seen, Unreadable> {
        let seen = self.seen.get_mut(index).ok_or(OUT_OF_RANGE)?;
        let found = match std::mem::replace(seen, Seen::Open) {
            Seen::Open => return Err(LOOP),
            Seen::Never => self.explore(index, level)?,
            found @ Seen::Text(_) => found,
            found @ Seen::Levels(levels) if level.saturating_add(levels) <= LEVELS + 1 => found,
            Seen::Levels(_) => return Err(TOO_DEEP),
        };
        *self.seen.get_mut(index).ok_or(OUT_OF_RANGE)? = found;
        Ok(found)
    }

    fn explore(&mut self, index: usize, level: usize) -> Result<Seen, Unreadable> {
        let (object, size) = self.heap.object(index)?;
        self.free = self.free.checked_sub(size).ok_or(OVERLAP)?;
        match object {
            Object::Other => Ok(Seen::Levels(0)),
            Object::Text(text) => {
                self.texts.push(text);
                Ok(Seen::Text(self.texts.len() - 1))
            }
            Object::Array(_) | Object::Dict { .. } if level > LEVELS => Err(TOO_DEEP),
            Object::Array(items) => self.levels_of(items, level),
            Object::Dict { keys, values } => {
                self.levels_of(keys, level)?;
                self.levels_of(values, level)
            }
        }
    }

    /// The levels of an array or a dict that holds these.
    fn levels_of(&mut self, references: &'a [u8], level: usize) -> Result<Seen, Unreadable> {
        let mut below = 0;
        for index in self.heap.references(references) {
            if let Seen::Levels(levels) = self.visit(index, level + 1)? {
                below = below.max(levels);
            }
        }
        Ok(Seen::Levels(below + 1))
    }

    /// Every key that was seen is a text, and no dict has one twice: not the same object, and no other with the same text.
    fn judge_keys(&self) -> Result<(), Unreadable> {
        let mut names: Vec<&str> = sorted(self.texts.iter().map(Cow::as_ref).collect(), |a, b| a.cmp(b));
        names.dedup();
        // Long texts are compared here, once each, and not in every dict that shares them.
        let ranks: Vec<Option<usize>> =
            self.texts.iter().map(|text| names.binary_search(&text.as_ref()).ok()).collect();
        let mut last_holder = vec![None; names.len()];
        for (index, seen) in self.seen.iter().enumerate() {
            if !matches!(seen, Seen::Levels(1..)) {
                continue;
            }
            let Object::Dict { keys, .. } = self.heap.object(index)?.0 else { continue };
            for key in self.heap.references(keys) {
                let Some(Seen::Text(text)) = self.seen.get(key) else {
                    return Err(Unreadable("a key of the binary property list is no string"));
                };
                let rank = ranks.get(*text).copied().flatten().ok_or(MALFORMED)?;
                let holder = last_holder.get_mut(rank).ok_or(MALFORMED)?;
                if holder.replace(index) == Some(index) {
                    return Err(KEY_TWICE);
                }
            }
        }
        Ok(())
    }
}

/// A big-endian number of 1 to 8 bytes, where this machine can count that far.
fn number(bytes: &[u8]) -> Option<usize> {
    usize::try_from(bytes.iter().fold(0_u64, |value, byte| value << 8 | u64::from(*byte))).ok()
}

/// Seconds since 2001, from the year 1 to the year 9999.
fn is_date(seconds: f64) -> bool {
    (-63_113_904_000.0..252_423_993_600.0).contains(&seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arrays of twice the next one, with a text at the end.
    fn bomb(levels: u8) -> Vec<u8> {
        let mut list = MAGIC.to_vec();
        let mut table = Vec::new();
        for level in 1..=levels {
            table.push(list.len() as u8);
            list.extend_from_slice(&[0xa2, level, level]);
        }
        table.push(list.len() as u8);
        list.extend_from_slice(b"\x51x");
        let table_at = list.len() as u64;
        list.extend_from_slice(&table);
        list.extend_from_slice(&[0, 0, 0, 0, 0, 0, 1, 1]);
        for number in [table.len() as u64, 0, table_at] {
            list.extend_from_slice(&number.to_be_bytes());
        }
        list
    }

    #[test]
    fn every_byte_of_a_bomb_is_taken_exactly_once() {
        let bomb = bomb(40);
        let (heap, top) = Heap::open(&bomb).expect("a sound layout");
        let mut walk = Walk::new(&heap);
        assert!(matches!(walk.visit(top, 1), Ok(Seen::Levels(40))));
        assert_eq!(walk.free, 0);
        assert_eq!(walk.texts, ["x"]);
    }

    #[test]
    fn numbers_are_big_endian_and_as_long_as_they_come() {
        assert_eq!(number(&[1, 2]), Some(0x0102));
        assert_eq!(number(&[0, 0, 0, 0, 0, 0, 0, 7]), Some(7));
        assert_eq!(number(&[]), Some(0));
    }
}
