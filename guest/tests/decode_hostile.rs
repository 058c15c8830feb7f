//! Input that is made to hurt: as large as allowed, as deep, as wide, as shared as can be. What is asserted is the answer and
//! how much was asked for; a decoder that walked these in any but straight lines would never come to an answer.

use appdecl_guest::decode::pe::file_version;
use appdecl_guest::decode::plist::{LARGEST, bundle_version};
use appdecl_guest::facts::FaultCode;

const SHORT: &str = "CFBundleShortVersionString";

#[track_caller]
fn assert_refused(bytes: &[u8], why: &str) {
    assert_eq!(bundle_version(bytes).map_err(|unreadable| unreadable.reason()), Err(why));
}

#[track_caller]
fn assert_read(bytes: &[u8]) {
    assert!(bytes.len() <= LARGEST);
    assert_eq!(bundle_version(bytes).as_deref(), Ok("2.3.0"));
}

/// A list of the largest size: the version, then `unit` as often as it fits between `before` and `after`.
fn full(before: &str, unit: &str, after: &str) -> Vec<u8> {
    let head = format!("<plist version=\"1.0\"><dict><key>{SHORT}</key><string>2.3.0</string>{before}");
    let tail = format!("{after}</dict></plist>");
    let times = (LARGEST - head.len() - tail.len()) / unit.len();
    let mut list = head + &unit.repeat(times) + &tail;
    list.push_str(&" ".repeat(LARGEST - list.len()));
    list.into_bytes()
}

#[test]
fn a_list_of_exactly_1_mib_is_read_and_a_larger_one_is_not() {
    let mut list = full("", " ", "");
    assert_eq!(list.len(), LARGEST);
    assert_read(&list);
    list.push(b' ');
    assert_refused(&list, "the property list is larger than 1 MiB");
}

#[test]
fn deep_lists_are_refused_at_the_65th_level() {
    for unit in ["<array>", "<dict><key>k</key>"] {
        assert_refused(&full("<key>x</key>", unit, ""), "the property list is deeper than 64 levels");
    }
}

#[test]
fn wide_lists_and_long_texts_are_read() {
    for (before, unit, after) in [
        ("<key>x</key><array>", "<true/>", "</array>"),
        ("<key>x</key><array>", "<dict/>", "</array>"),
        ("<key>x</key><array>", "<string>&#65;&amp;</string>", "</array>"),
        ("<key>x</key><string>", "&lt;", "</string>"),
        ("<key>x</key><string>", "\r\n", "</string>"),
        ("<key>x</key><string>", "<![CDATA[]]>", "</string>"),
        ("<key>x</key><data>", "AAAA", "</data>"),
        ("<key>x</key><integer>", "0", "</integer>"),
        ("<key>x</key><real>0.", "7", "</real>"),
        ("", "<!---->", ""),
        ("", "<?p?>", ""),
    ] {
        assert_read(&full(before, unit, after));
    }
}

#[test]
fn many_keys_are_compared_with_each_other_only_once() {
    let mut keys = String::new();
    for number in 0..20_000 {
        keys.push_str(&format!("<key>{:0>25}</key><true/>", number));
    }
    assert_read(&full(&keys, " ", ""));
    keys.push_str(&format!("<key>{:0>25}</key><true/>", 7));
    assert_refused(&full(&keys, " ", ""), "a dict of the property list has a key twice");
}

#[test]
fn floods_of_what_has_no_end_are_refused() {
    let malformed = "the property list is no well-formed XML";
    let attributes: String = (0..100_000).map(|number| format!(" a{number}=''")).collect();
    assert_refused(format!("<plist{attributes}><dict/></plist>").as_bytes(), malformed);
    assert_refused("<".repeat(LARGEST).as_bytes(), malformed);
    assert_refused("&".repeat(LARGEST).as_bytes(), malformed);
    assert_refused("<!--".repeat(LARGEST / 4).as_bytes(), malformed);
    assert_refused("<![CDATA[".repeat(LARGEST / 9).as_bytes(), malformed);
    assert_refused("<!DOCTYPE [<".repeat(LARGEST / 12).as_bytes(), malformed);
    assert_refused("<plist>".repeat(LARGEST / 7).as_bytes(), "the top of the property list is no dict");
}

#[test]
fn entities_are_never_declared_and_so_never_expanded() {
    let list = "<!DOCTYPE plist [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\">]><plist><dict><key>x</key><string>&b;</string></dict></plist>";
    assert_refused(list.as_bytes(), "the document type of the property list is not supported");
    let undeclared = format!("<plist><dict><key>{SHORT}</key><string>2.3.0&ha;</string></dict></plist>");
    assert_refused(undeclared.as_bytes(), "the property list is no well-formed XML");
}

/// A binary list with references and offsets of three bytes; the first object is the top one.
struct Binary {
    data: Vec<u8>,
    offsets: Vec<usize>,
}

impl Binary {
    fn new() -> Self {
        Self { data: b"bplist00".to_vec(), offsets: Vec::new() }
    }

    /// Adds an object; its number.
    fn object(&mut self, bytes: &[u8]) -> usize {
        self.offsets.push(self.data.len());
        self.data.extend_from_slice(bytes);
        self.offsets.len() - 1
    }

    /// A dict of the version, and `x` with the object of that number.
    fn top(&mut self, x: usize) {
        self.object(&[&[0xd2][..], &reference(1), &reference(3), &reference(2), &reference(x)].concat());
        self.object(&[&[0x5f, 0x10, 26], SHORT.as_bytes()].concat());
        self.object(b"\x552.3.0");
        self.object(b"\x51x");
    }

    fn finish(mut self) -> Vec<u8> {
        let table = self.data.len();
        for offset in &self.offsets {
            self.data.extend_from_slice(&reference(*offset));
        }
        self.data.extend_from_slice(&[0, 0, 0, 0, 0, 0, 3, 3]);
        for number in [self.offsets.len(), 0, table] {
            self.data.extend_from_slice(&(number as u64).to_be_bytes());
        }
        self.data
    }
}

fn reference(number: usize) -> [u8; 3] {
    let [.., a, b, c] = number.to_be_bytes();
    [a, b, c]
}

/// The marker and length of an object that is longer than 14.
fn long(kind: u8, length: usize) -> Vec<u8> {
    [&[kind | 0xf, 0x12][..], &(length as u32).to_be_bytes()].concat()
}

fn bomb(levels: usize) -> Vec<u8> {
    let mut list = Binary::new();
    list.top(4);
    for level in 1..=levels {
        list.object(&[&[0xa2][..], &reference(4 + level), &reference(4 + level)].concat());
    }
    list.object(b"\x09");
    list.finish()
}

#[test]
fn what_is_shared_is_read_once() {
    // 2 to the power of 63 values, if they were written out.
    assert_read(&bomb(63));
    assert_refused(&bomb(64), "the property list is deeper than 64 levels");
}

#[test]
fn a_shared_object_is_as_deep_as_the_deepest_way_to_it() {
    let mut list = Binary::new();
    // An array of thirty levels is met first on level 2, and then below forty more.
    list.top(4);
    list.object(&[&[0xa2][..], &reference(5), &reference(35)].concat());
    for level in 0..29 {
        list.object(&[&[0xa1][..], &reference(6 + level)].concat());
    }
    list.object(b"\xa0");
    for level in 0..40 {
        list.object(&[&[0xa1][..], &reference(if level == 39 { 5 } else { 36 + level })].concat());
    }
    assert_refused(&list.finish(), "the property list is deeper than 64 levels");
}

#[test]
fn long_keys_that_many_dicts_share_are_compared_once() {
    let mut list = Binary::new();
    list.top(4);
    let count = 40_000;
    let dicts: Vec<u8> = (0..count).flat_map(|dict| reference(7 + dict)).collect();
    list.object(&[long(0xa0, count), dicts].concat());
    for end in [b"a", b"b"] {
        list.object(&[long(0x50, 50_000), vec![b'k'; 49_999], end.to_vec()].concat());
    }
    for _ in 0..count {
        list.object(&[&[0xd2][..], &reference(5), &reference(6), &reference(2), &reference(2)].concat());
    }
    assert_read(&list.finish());
}

#[test]
fn objects_over_each_other_are_refused() {
    let mut list = Binary::new();
    list.top(4);
    let count = 60_000;
    let data: Vec<u8> = (0..count).flat_map(|index| reference(5 + index)).collect();
    list.object(&[long(0xa0, count), data].concat());
    // Each is an object of its own and the inside of the one before.
    for _ in 0..count {
        list.object(b"\x4e");
    }
    list.data.extend_from_slice(&[0; 14]);
    assert_refused(&list.finish(), "objects of the binary property list overlap");
}

#[test]
fn counts_that_no_file_could_hold_are_refused() {
    for kind in [0x40_u8, 0x50, 0x60, 0xa0, 0xd0] {
        for length in [u64::MAX, u64::MAX / 2, 1 << 40, 1 << 32, 1 << 20] {
            let mut list = Binary::new();
            list.top(4);
            list.object(&[&[kind | 0xf, 0x13][..], &length.to_be_bytes()].concat());
            assert_refused(&list.finish(), "the binary property list refers to what is not there");
        }
    }
    let trailer = [&[0_u8; 6][..], &[1, 1], &u64::MAX.to_be_bytes(), &[0; 8], &8_u64.to_be_bytes()].concat();
    assert_refused(&[b"bplist00", &trailer[..]].concat(), "the binary property list is malformed");
}

/// A program with as many sections and directory entries as their counts can say, nothing behind them.
fn huge_program() -> Vec<u8> {
    let mut program = vec![0xff; 1 << 20];
    program.splice(0..2, *b"MZ");
    program.splice(60..64, 64_u32.to_le_bytes());
    program.splice(64..68, *b"PE\0\0");
    program.splice(84..86, 224_u16.to_le_bytes());
    program.splice(88..90, 0x10b_u16.to_le_bytes());
    program
}

#[test]
fn a_program_is_read_in_few_bounded_steps() {
    let program = huge_program();
    for sections in [1_u16, 96, 1_638, 1_639, u16::MAX] {
        let mut program = program.clone();
        program.splice(70..72, sections.to_le_bytes());
        let mut asked = Vec::new();
        let version = file_version(&mut |offset, length| {
            asked.push(length);
            let rest = program.get(offset as usize..).unwrap_or_default();
            Ok(rest.iter().copied().take(length as usize).collect())
        });
        assert!(version.is_err(), "{version:?}");
        assert!(asked.len() <= 11 && asked.iter().all(|length| *length <= 65_536), "{asked:?}");
    }
}

#[test]
fn a_host_that_answers_too_little_or_too_much_or_not_at_all_is_survived() {
    let reason = |answer: &dyn Fn(u64, u32) -> Result<Vec<u8>, FaultCode>| {
        file_version(&mut |offset, length| answer(offset, length)).expect_err("no version").reason()
    };
    assert_eq!(reason(&|_, _| Err(FaultCode::Denied)), "denied");
    assert_eq!(reason(&|_, _| Ok(Vec::new())), "the file is no Windows program");
    assert_eq!(reason(&|_, length| Ok(vec![0; length as usize + 9])), "the file is no Windows program");
    let program = huge_program();
    let falling_silent = |offset: u64, length: u32| match offset {
        0 => Ok(program.iter().copied().take(length as usize + 9).collect()),
        _ => Err(FaultCode::Io),
    };
    assert_eq!(reason(&falling_silent), "io");
}
