//! What is read here is what a complete parser reads, and what is refused is refused for the reason given.

use saphyr_parser::{Event, Parser, ScalarStyle};

use super::scalar::resolve;
use super::{FaultKind, LONGEST, Node, Yaml, parse};

/// A value as both parsers can say it.
#[derive(Debug, PartialEq)]
enum Plain {
    Scalar(Yaml),
    List(Vec<Plain>),
    Mapping(Vec<(Plain, Plain)>),
}

fn ours(node: &Node) -> Plain {
    match &node.yaml {
        Yaml::List(items) => Plain::List(items.iter().map(ours).collect()),
        Yaml::Mapping(members) => Plain::Mapping(
            members
                .iter()
                .map(|(key, value)| {
                    // Our keys keep their text whatever their type is.
                    (Plain::Scalar(Yaml::Text(key.name.clone())), ours(value))
                })
                .collect(),
        ),
        scalar => Plain::Scalar(scalar.clone()),
    }
}

fn theirs(text: &str) -> Result<Plain, String> {
    let mut events = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, _) = event.map_err(|error| error.to_string())?;
        match event {
            Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::Nothing => {}
            other => events.push(other),
        }
    }
    let mut events = events.into_iter();
    let tree = events.next().map(|event| build(event, &mut events, false)).ok_or("nothing")?;
    if events.next().is_some() { Err("more than one document".to_owned()) } else { tree }
}

fn build<'e>(
    event: Event<'e>,
    events: &mut impl Iterator<Item = Event<'e>>,
    is_key: bool,
) -> Result<Plain, String> {
    match event {
        Event::Scalar(text, ScalarStyle::Plain, 0, None) if !is_key => Ok(Plain::Scalar(resolve(&text))),
        Event::Scalar(text, _, 0, None) => Ok(Plain::Scalar(Yaml::Text(text.into_owned()))),
        Event::SequenceStart(0, None) => {
            let mut items = Vec::new();
            loop {
                match events.next().ok_or("cut off")? {
                    Event::SequenceEnd => return Ok(Plain::List(items)),
                    event => items.push(build(event, events, false)?),
                }
            }
        }
        Event::MappingStart(0, None) => {
            let mut members = Vec::new();
            loop {
                match events.next().ok_or("cut off")? {
                    Event::MappingEnd => return Ok(Plain::Mapping(members)),
                    event => {
                        let key = build(event, events, true)?;
                        let value = events.next().ok_or("cut off")?;
                        members.push((key, build(value, events, false)?));
                    }
                }
            }
        }
        other => Err(format!("{other:?}")),
    }
}

fn framed(body: &str) -> String {
    format!("---\n{body}\n---\nText.\n")
}

fn assert_alike(body: &str) {
    let found = parse(&framed(body)).unwrap_or_else(|fault| panic!("{fault:?} in\n{body}"));
    assert_eq!(Ok(ours(&found)), theirs(&format!("{body}\n")), "in\n{body}");
}

#[test]
fn what_skills_are_written_in_is_read_as_a_complete_parser_reads_it() {
    for body in [
        "name: pdf-processing\ndescription: Extracts text, fills forms. Use it for PDFs.\nlicense: Apache-2.0",
        "name: a # a comment\n# another\n\ndescription: b#c # d\nlicense:   x   ",
        "description: >\n  One line\n  and another.\n\n  A paragraph.\nname: x",
        "description: >-\n  Folded\n    more indented\n  back\n\n\nname: x",
        "description: |\n  Kept\n   as it is\n\n  end\n\nname: x",
        "description: |+\n  Kept\n\n\nname: x",
        "description: |2\n   one blank more\n  none\nname: x",
        "description: >1-\n a\n b\nname: x",
        "description: |\nname: x",
        "description: >\n\n  after an empty line\nname: x",
        "description: |\n  a\n\tname: x".replace('\t', "  ").as_str(),
        "description:\n  on the next line\n  and the one after\nname: x",
        "description: a text that\n  goes on\n\n  after an empty line\nname: x",
        "description: \"quoted: # not a comment\"\nname: 'it''s'",
        "description: \"over\n  two lines \\\n  joined \\\"\\u00e9\\x41\\U0001F600\\n\\t\\\\\\/\\e\"\nname: x",
        "description: \"  a  \n\n  b  \"\nname: x",
        "description: 'a\n  b\n\n  c'\nname: x",
        "\"name\": x\n'description' : y",
        "metadata:\n  author: me\n  version: \"1.0\"\n  deep:\n    er: x\nname: x",
        "metadata: {author: me, version: '1.0', \"k\":v, empty: , last}\nname: x",
        "metadata: {\n  a: b,\n  # a comment\n  c: [d, e, ],\n  }\nname: x",
        "requires_apps: [blender, \"x y\", 'z']\nname: x",
        "requires_apps:\n  - blender\n  - other # a comment\nname: x",
        "requires_apps:\n- blender\n- other\nname: x",
        "requires_apps:\n  -\n    blender\n  - \n  - - a\n    - b\nname: x",
        "hooks:\n  PreToolUse:\n    - matcher: \"Bash\"\n      hooks:\n        - type: command\n          command: ./x.sh\nname: x",
        "items:\n  - a: 1\n    b: 2\n  - c: |\n      text\n    d: x\nname: x",
        "a: 1\nb: 1.0\nc: -.inf\nd: 0x1F\ne: 0o17\nf: 1e3\ng: true\nh: ~\ni:\nj: null\nk: .5\nl: +5\nm: 5.\nn: 1.2.3\no: 2024-01-01\np: yes\nq: -\tx".replace("\nq: -\tx", "").as_str(),
        "1: a\ntrue: b\n~: c",
        "a: b:c\nd: e:\u{a0}f\ng: http://x/y#z\nh: -x\ni: ?x\nj: :x",
        "a: - b".replace("- b", "-b").as_str(),
        "a: [b, [c, {d: e}], {}]\nb: []\nc: {}",
        "a: [b#c, d:e, 'f' ]  # end",
        "k: \"\"\nl: ''\nm: \"a\\\n\n  b\"",
        "  name: x\n  description: y",
        "a b c: d\n- x: y".replace("\n- x: y", "").as_str(),
        "a: é😀\nü: ö",
        "a: x\r\nb: y\r",
        "a: 'x' # c\nb: \"y\"\t# c",
        "a: |  # a comment\n  text\nb: x",
        "a: >+\n  text\n\n",
        "a: |-\n\n\n  text\n\n\nb: c",
        "a: >\n  x\n\n   y\n  z\n\n\n   w\nb: c",
    ] {
        assert_alike(body);
    }
}

/// Pieces that front matter is made of, and pieces that break it.
const PIECES: [&str; 34] = [
    "a", "b c", "name", ": ", ":", "- ", "-", "\n", "\n", "\n  ", "\n    ", "\n ", " ", "# x", " # y", "'",
    "\"", "|", ">", "|-\n  ", ">\n  ", "[", "]", "{", "}", ", ", "\\n", "\\", "&x ", "*x", "!t ", "\t",
    "1.0", "? ",
];

#[test]
fn whatever_is_accepted_means_the_same_to_a_complete_parser() {
    let mut state: u64 = 1;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut accepted = 0;
    for _ in 0..150_000 {
        let mut body = String::from("k: ");
        for _ in 0..next(12) {
            body.push_str(PIECES[next(PIECES.len())]);
        }
        if body.lines().any(|line| line.trim_end() == "---") {
            continue;
        }
        if let Ok(node) = parse(&framed(&body)) {
            accepted += 1;
            assert_eq!(Ok(ours(&node)), theirs(&format!("{body}\n")), "in {body:?}");
        }
    }
    assert!(accepted > 10_000, "{accepted}");
}

fn fault(body: &str) -> (FaultKind, usize, usize) {
    let fault = parse(&framed(body)).expect_err(body);
    (fault.kind, fault.line, fault.column)
}

#[test]
fn what_could_grow_or_be_read_in_two_ways_is_refused_with_its_place() {
    use FaultKind::{Syntax, Unsupported};
    assert_eq!(fault("a: &x [1]\nb: *x"), (Unsupported, 2, 4));
    assert_eq!(fault("a: x\nb: *x"), (Unsupported, 3, 4));
    assert_eq!(fault("a: !!python/object x"), (Unsupported, 2, 4));
    assert_eq!(fault("a: [!x y]"), (Unsupported, 2, 5));
    assert_eq!(fault("? a\n: b"), (Unsupported, 2, 1));
    assert_eq!(fault("a: x\n--- b: y"), (Unsupported, 3, 1));
    assert_eq!(fault("a: x\n...\nb: y"), (Unsupported, 3, 1));
    assert_eq!(fault("%YAML 1.2\na: x"), (Unsupported, 2, 1));
    assert_eq!(fault("a:\n\tb: c"), (Unsupported, 3, 1));
    assert_eq!(fault("a: [b: c]"), (Unsupported, 2, 6));
    assert_eq!(fault("description: Use it when: always"), (Syntax, 2, 25));
    assert_eq!(fault("a: \"open\nb: c"), (Syntax, 3, 1));
    assert_eq!(fault("a: [b, c\nd: e"), (Syntax, 3, 1));
    assert_eq!(fault("a: b\n  c: d"), (Syntax, 3, 4));
    assert_eq!(fault("a: 'x' y"), (Syntax, 2, 7));
    assert_eq!(fault("a: @x"), (Syntax, 2, 4));
    assert_eq!(fault("a: \"\\q\""), (Syntax, 2, 6));
    assert_eq!(fault("a: \"\\uD83D\\uDE00\""), (Syntax, 2, 6));
    assert_eq!(fault("a\u{1b}: x"), (Syntax, 2, 2));
}

#[test]
fn a_text_without_two_markers_has_no_front_matter() {
    let kind = |text: &str| parse(text).map_err(|fault| fault.kind).map(|_| ());
    assert_eq!(kind(""), Err(FaultKind::Missing));
    assert_eq!(kind("# Title\n---\nname: x\n---\n"), Err(FaultKind::Missing));
    assert_eq!(kind("\n---\nname: x\n---\n"), Err(FaultKind::Missing));
    assert_eq!(kind("----\nname: x\n----\n"), Err(FaultKind::Missing));
    assert_eq!(kind("---\nname: x\n"), Err(FaultKind::Unclosed));
    assert_eq!(kind("---\nname: x\n ---\n"), Err(FaultKind::Unclosed));
    assert_eq!(kind("---\n---\n"), Err(FaultKind::Syntax));
    assert_eq!(kind("\u{feff}--- \r\nname: x\r\n---\t\r\n"), Ok(()));
    assert_eq!(kind("---\nname: x\n---"), Ok(()));
}

#[test]
fn nesting_is_bounded_and_work_is_linear() {
    let deep = [
        "[".repeat(LONGEST),
        "{a: ".repeat(LONGEST / 4),
        "- ".repeat(LONGEST / 2),
        (0..100).map(|level| format!("{}a:\n", " ".repeat(level))).collect(),
    ];
    for body in deep {
        let fault = parse(&framed(&format!("a:\n  {}", body.replace('\n', "\n  ")))).expect_err("too deep");
        assert_eq!(fault.kind, FaultKind::Unsupported, "{}", fault.what);
    }
    for body in
        ["a: b\n".repeat(2000), format!("a: {}", "b ".repeat(4000)), format!("a: [{}]", "b,".repeat(4000))]
    {
        assert!(parse(&framed(&body)).is_ok());
    }
}
