//! Documents through the public surface: what strangers write, well-meant or not.

#![expect(clippy::panic, clippy::string_slice, reason = "helpers of tests")]

use appdecl_facts::document::{Document, Node, Span, Syntax, SyntaxError, Value, nearest};

const ROOM: usize = 16 << 20;

fn yaml(text: &str) -> Document {
    Document::parse(text, Syntax::Yaml, ROOM).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn json(text: &str) -> Document {
    Document::parse(text, Syntax::Json, ROOM).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn fault(text: &str, syntax: Syntax) -> SyntaxError {
    match Document::parse(text, syntax, ROOM) {
        Ok(document) => panic!("read as {}", as_json(&document)),
        Err(error) => error,
    }
}

fn as_json(document: &Document) -> String {
    document.root().to_json(ROOM, 64)
}

fn written(document: &Document, span: Span) -> &str {
    &document.text()[span.start..span.end]
}

/// Every span of the tree, each with what it should hold, as far as depth allows.
fn check_spans(document: &Document, node: Node<'_>, depth: usize) {
    let span = node.span();
    assert!(document.text().get(span.start..span.end).is_some(), "{span:?} is no stretch of the text");
    if depth == 0 {
        return;
    }
    match node.value() {
        Value::List(list) => list.items().for_each(|item| check_spans(document, item, depth - 1)),
        Value::Mapping(mapping) => {
            for member in mapping.members() {
                assert!(document.text().get(member.key_span.start..member.key_span.end).is_some());
                check_spans(document, member.value, depth - 1);
            }
        }
        _ => {}
    }
}

#[test]
fn plain_scalars_mean_what_the_core_schema_says() {
    let document = yaml(
        "[ true, False, null, ~, '', 7, -7, +7, 007, 0x1F, 0o17, 2.3, 7.0, .5, 5., 1e3, 01.50, 2.3.0, 1_000, yes, .inf, .nan, \
         2026-01-01T10:00:00Z, '7', \"true\", 0x, 1e, 0b1 ]",
    );
    assert_eq!(
        as_json(&document),
        r#"[true,false,null,null,"",7,-7,7,7,31,15,2.3,7.0,0.5,5.0,1e3,1.50,"2.3.0","1_000","yes",".inf",".nan","2026-01-01T10:00:00Z","7","true","0x","1e","0b1"]"#
    );
}

#[test]
fn numbers_out_of_reach_stay_numbers() {
    let document = json("[1e999999, -1e999999, 123456789012345678901234567890, 0.1e-9999]");
    assert_eq!(as_json(&document), "[1e308,-1e308,123456789012345678901234567890,0.1e-9999]");
    assert!(serde_json::from_str::<serde_json::Value>(&as_json(&document)).is_ok());
}

#[test]
fn keys_are_text_whatever_they_look_like() {
    let document = yaml("{ 4242: a, true: b, ~: c, 2.50: d, name: e }");
    assert_eq!(as_json(&document), r#"{"4242":"a","true":"b","~":"c","2.50":"d","name":"e"}"#);
    assert_eq!(as_json(&yaml("a: &k key\n*k : v\n")), r#"{"a":"key","key":"v"}"#);
}

#[test]
fn a_key_that_is_no_text_is_an_error_where_it_stands() {
    let error = fault("a: 1\n? [ x, y ]\n: 2\n", Syntax::Yaml);
    assert_eq!((error.line, error.column), (2, 3));
    assert!(error.message.contains("key"), "{error}");
    fault("{ { a: b }: c }", Syntax::Yaml);
    fault("a: &m { x: 1 }\n*m : v\n", Syntax::Yaml);
}

#[test]
fn repeated_members_stay_in_order_in_both_syntaxes() {
    for document in [yaml("a: 1\nb: 2\na: 3\n"), json(r#"{"a": 1, "b": 2, "a": 3}"#)] {
        assert_eq!(as_json(&document), r#"{"a":1,"b":2,"a":3}"#);
        let mapping = document.root().as_mapping().unwrap();
        let repeated: Vec<_> =
            mapping.repeated().iter().map(|member| document.position(member.key_span.start)).collect();
        assert_eq!(repeated.len(), 1);
        let place = document.root().locate_repeated("/a");
        assert_eq!(written(&document, place.node), "3");
        assert_eq!(document.position(place.key.unwrap().start), repeated[0]);
        assert_eq!(written(&document, document.root().locate("/a").node), "1");
        assert_eq!(written(&document, document.root().locate_repeated("/b").node), "2");
    }
}

#[test]
fn own_members_win_over_merged_ones_and_earlier_mappings_over_later_ones() {
    let document = yaml(
        "base: &base { a: 1, b: 2 }\nother: &other { b: 3, c: 4 }\none: { b: 5, <<: *base }\nboth: { <<: [ *base, *other ], d: 6 }\n\
         chain: { <<: { <<: *base, e: 7 } }\n",
    );
    let root = document.root();
    let shown = |key: &str| root.get(key).unwrap().value.to_json(ROOM, 64);
    assert_eq!(shown("one"), r#"{"b":5,"a":1}"#);
    assert_eq!(shown("both"), r#"{"a":1,"b":2,"c":4,"d":6}"#);
    assert_eq!(shown("chain"), r#"{"a":1,"b":2,"e":7}"#);
    let both = root.get("both").unwrap().value.as_mapping().unwrap();
    assert!(both.repeated().is_empty());
    assert!(both.get("a").unwrap().merged && !both.get("d").unwrap().merged);
}

#[test]
fn a_merge_key_is_one_only_where_it_is_plain_yaml() {
    assert_eq!(as_json(&yaml("{ '<<': { a: 1 } }")), r#"{"<<":{"a":1}}"#);
    assert_eq!(as_json(&json(r#"{ "<<": { "a": 1 } }"#)), r#"{"<<":{"a":1}}"#);
}

#[test]
fn merge_keys_that_take_no_mapping_or_stand_twice_are_errors() {
    for text in ["{ <<: 5 }", "{ <<: [ { a: 1 }, 5 ] }", "{ <<: }", "{ <<: {}, <<: {} }"] {
        let error = fault(text, Syntax::Yaml);
        assert!(error.message.contains("<<"), "{error}");
    }
}

#[test]
fn an_alias_within_its_own_node_is_an_error() {
    for text in ["&a [ *a ]", "&a { b: *a }", "&a { <<: *a }", "&a { b: [ { c: *a } ] }"] {
        let error = fault(text, Syntax::Yaml);
        assert!(error.message.contains("alias"), "{error}");
    }
    fault("a: *unknown", Syntax::Yaml);
    assert_eq!(as_json(&yaml("a: &x 1\nb: &x 2\nc: *x\n")), r#"{"a":1,"b":2,"c":2}"#);
}

#[test]
fn a_bomb_of_aliases_costs_what_its_text_costs() {
    let mut text = String::from("n0: &n0 [ x, x, x, x, x, x, x, x, x, x ]\n");
    for level in 1..60 {
        let alias = format!("*n{}", level - 1);
        text.push_str(&format!("n{level}: &n{level} [ {} ]\n", vec![alias; 10].join(", ")));
    }
    let document = yaml(&text);
    let shown = document.root().to_json(300_000, 64);
    assert!((300_001..300_100).contains(&shown.len()), "{}", shown.len());
}

#[test]
fn a_bomb_of_merge_keys_is_refused() {
    let members: Vec<_> = (0..1_000).map(|number| format!("k{number}: x")).collect();
    let mut text = format!("a: &a {{ {} }}\n", members.join(", "));
    for number in 0..5_000 {
        text.push_str(&format!("m{number}: {{ <<: [ *a, *a ] }}\n"));
    }
    let error = fault(&text, Syntax::Yaml);
    assert!(error.message.contains("too many members"), "{error}");
}

#[test]
fn nesting_costs_no_stack() {
    let deep = 100_000;
    let brackets = "[".repeat(deep) + &"]".repeat(deep);
    let braces = "{\"a\":".repeat(deep) + "1" + &"}".repeat(deep);
    for text in [&brackets, &braces] {
        let shown = as_json(&json(text));
        assert!(shown.contains("null") && shown.len() < 1_000, "{shown}");
        fault(text, Syntax::Yaml);
    }
    let dashes = "- ".repeat(deep) + "x";
    assert!(as_json(&yaml(&dashes)).contains("null"));
    let colons: String = (0..3_000).map(|depth| " ".repeat(depth) + "a:\n").collect();
    assert!(as_json(&yaml(&colons)).contains("null"));
    for open in ["[", "{\"a\":", "[[{", "\""] {
        fault(&open.repeat(deep), Syntax::Json);
        fault(&open.repeat(deep), Syntax::Yaml);
    }
}

#[test]
fn what_stands_deeper_than_asked_is_null_and_long_text_is_cut() {
    let document = json("[[[[1]],2]]");
    assert_eq!(document.root().to_json(ROOM, 2), "[[null,2]]");
    let long = format!("[{}0]", "1,".repeat(1_000));
    assert!((101..110).contains(&json(&long).root().to_json(100, 64).len()));
}

#[test]
fn a_text_that_is_too_long_is_not_read() {
    let error = Document::parse("[1, 2, 3]", Syntax::Json, 8).unwrap_err();
    assert!(error.message.contains("at most 8"), "{error}");
    assert!(Document::parse("[1, 2, 3]", Syntax::Json, 9).is_ok());
}

#[test]
fn an_empty_yaml_document_is_null_and_an_empty_json_text_is_none() {
    for text in ["", "\n", "# a remark\n", "---\n", "\u{feff}", "--- ~\n...\n"] {
        assert_eq!(as_json(&yaml(text)), "null", "{text:?}");
    }
    for text in ["", " ", "\u{feff}"] {
        fault(text, Syntax::Json);
    }
}

#[test]
fn a_second_document_is_an_error_where_it_begins() {
    let error = fault("a: 1\n---\nb: 2\n", Syntax::Yaml);
    assert_eq!(error.line, 2);
    assert!(error.message.contains("second document"), "{error}");
    assert_eq!(as_json(&yaml("---\na: 1\n...\n")), r#"{"a":1}"#);
}

#[test]
fn tags_of_the_core_schema_hold_and_others_are_errors() {
    assert_eq!(
        as_json(&yaml(
            "[ !!str 7, !!int 7, !!float 7.5, !!null ~, ! 8, !!seq [ x ], !!map { a: b }, !!str ]"
        )),
        r#"["7",7,7.5,null,"8",["x"],{"a":"b"},""]"#
    );
    for text in [
        "!secret x",
        "!!int seven",
        "!!binary YQ==",
        "!!seq { a: b }",
        "!!str [ x ]",
        "!!set { a }",
        "!<tag:x,2000:y> z",
        "a: !!python/object x",
    ] {
        let error = fault(text, Syntax::Yaml);
        assert!(error.message.contains('!'), "{error}");
    }
}

#[test]
fn json_is_read_as_strictly_as_serde_json_reads_it() {
    for text in [
        "{a: 1}",
        "{'a': 1}",
        "[1,]",
        "{\"a\":1,}",
        "[01]",
        "[+1]",
        "[.5]",
        "[1.]",
        "[NaN]",
        "\"a\tb\"",
        "\"\\x\"",
        "[1] 2",
        "// x\n1",
        "\"\\ud800\"",
        "\"\\udc00\\ud800\"",
        "{\"\\ud800\": 1}",
        "tru",
        "nul",
        "[1 2]",
        "{\"a\" 1}",
        "\"\u{1}\"",
        "{1: 2}",
        "--1",
        "[",
    ] {
        assert!(serde_json::from_str::<serde_json::Value>(text).is_err(), "{text}");
        fault(text, Syntax::Json);
    }
}

#[test]
fn json_strings_are_decoded_and_found() {
    let text = "{ \"\\u0061\\n\": \"\\ud83d\\ude00 \\\"x\\\\\", \"\u{e9}\u{1f600}\": [ \"f\" ] }";
    let document = json(text);
    let expected: serde_json::Value = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&as_json(&document)).unwrap(), expected);
    let place = document.root().locate("/\u{e9}\u{1f600}/0");
    assert_eq!(written(&document, place.node), "\"f\"");
    let long = "k".repeat(5_000);
    assert!(json(&format!("{{\"{long}\": 1}}")).root().get(&long).is_some());
}

#[test]
fn syntax_errors_say_line_and_column() {
    let cases = [
        ("{\n  \"a\": 1,\n  \"b\" 2\n}", Syntax::Json, 3, 7),
        ("{\"\u{e9}\u{e9}\": x}", Syntax::Json, 1, 8),
        ("[1, 2", Syntax::Json, 1, 5),
        ("\u{feff}[1, x]", Syntax::Json, 1, 5),
        ("a: 1\nb: [ 1, 2\n", Syntax::Yaml, 3, 1),
        ("a: b: c\n", Syntax::Yaml, 1, 5),
        ("\u{e9}: [ *no ]\n", Syntax::Yaml, 1, 6),
    ];
    for (text, syntax, line, column) in cases {
        let error = fault(text, syntax);
        assert_eq!((error.line, error.column), (line, column), "{text:?}: {error}");
        assert!(text.get(error.span.start..error.span.end).is_some(), "{text:?}: {error:?}");
    }
}

#[test]
fn pointers_lead_to_the_node_its_key_or_the_nearest_that_exists() {
    let document =
        yaml("app:\n  linux:\n    location: [ \u{e9}, { kind: snap } ]\n  a/b: { c~d: 5 }\n  '': empty\n");
    let root = document.root();
    for (pointer, node, key) in [
        ("/app/linux/location/0", "\u{e9}", None),
        ("/app/linux/location/1/kind", "snap", Some("kind")),
        ("/app/a~1b/c~0d", "5", Some("c~d")),
        ("/app/", "empty", Some("''")),
    ] {
        let place = root.locate(pointer);
        assert!(place.exact, "{pointer}");
        assert_eq!(written(&document, place.node), node, "{pointer}");
        assert_eq!(place.key.map(|span| written(&document, span)), key, "{pointer}");
    }
    for (pointer, key) in [
        ("/app/linux/version", "linux"),
        ("/app/win32/location", "app"),
        ("/app/linux/location/01", "location"),
        ("/app/linux/location/-", "location"),
        ("/app/linux/location/+1", "location"),
        ("/app/linux/location/99999999999999999999999", "location"),
    ] {
        let place = root.locate(pointer);
        assert!(!place.exact, "{pointer}");
        assert_eq!(place.key.map(|span| written(&document, span)), Some(key), "{pointer}");
    }
    assert_eq!(root.locate("").node, root.span());
    assert!(!root.locate("app").exact && !root.locate("/nothing").exact);
}

#[test]
fn spans_hold_what_was_written() {
    let document = yaml(
        "list:\n- plain text   # remark\n- 'quoted'\n- &anchor { a: b }\n- |\n  block\n  text\n\n- [ x,\n    y ]   # remark\n- {}   \nnext: -5\n",
    );
    let list = document.root().get("list").unwrap().value.as_list().unwrap();
    let found: Vec<_> = list.items().map(|item| written(&document, item.span())).collect();
    assert_eq!(found, ["plain text", "'quoted'", "&anchor { a: b }", "block\n  text", "[ x,\n    y ]", "{}"]);
    assert_eq!(written(&document, document.root().get("next").unwrap().value.span()), "-5");
    let block = document.root().get("list").unwrap().value.span();
    assert!(written(&document, block).ends_with("{}"), "{:?}", written(&document, block));
}

#[test]
fn the_suites_of_this_project_are_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/conformance");
    let mut read = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let document = yaml(&text);
        assert!(document.root().get("suite").is_some());
        check_spans(&document, document.root(), 20);
        assert!(serde_json::from_str::<serde_json::Value>(&as_json(&document)).is_ok());
        read += 1;
    }
    assert!(read >= 9);
}

#[test]
fn hostile_texts_end_in_a_tree_or_an_error() {
    let seeds: Vec<String> = [
        "suite: x\na: &a { b: [ 1, 'x', \"y\\u00e9\" ], <<: { c: d } }\nl:\n- *a\n- !!str 5\n- |\n  t\n- >-\n  u\n? k\n: v\n",
        "{\"a\": [1, -2.5e3, true, null, \"\\ud83d\\ude00\"], \"b\": {\"c\": \"d\"}}",
        "{---", "...x", "[?", "{?}", "- -\n -", "%YAML 1.2\n---\n", "&a *a", "a:\n\t- b", "'", "\"\\", "\u{feff}a: \u{feff}b", "--- |\n x\n---", "{a: [}, ]", "!<", "? ? ? :",
    ]
    .map(str::to_owned)
    .to_vec();
    let splinters = [
        "[", "]", "{", "}", ":", ": ", ",", "&a ", "*a", "!", "!!", "|", ">", "'", "\"", "\\", "#", "\n",
        "\t", "  ", "- ", "? ", "---", "...", "%", "<<: ", "\u{feff}", "\u{0}", "\r", "\u{85}", "\u{2028}",
        "é", "@", "`", "0x",
    ];
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let rounds =
        std::env::var("APPDECL_FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(4_000);
    for _ in 0..rounds {
        let mut text = seeds[random.below(seeds.len())].clone();
        for _ in 0..=random.below(6) {
            let at = text.floor_char_boundary(random.below(text.len() + 1));
            let end = text.floor_char_boundary((at + random.below(4)).min(text.len())).max(at);
            let with = if random.below(3) == 0 { "" } else { splinters[random.below(splinters.len())] };
            text.replace_range(at..end, with);
        }
        for syntax in [Syntax::Json, Syntax::Yaml] {
            match Document::parse(&text, syntax, ROOM) {
                Ok(document) => {
                    check_spans(&document, document.root(), 40);
                    let shown = document.root().to_json(ROOM, 200);
                    let again: Result<serde_json::Value, _> = serde_json::from_str(&shown);
                    let expected: Result<serde_json::Value, _> =
                        serde_json::from_str(text.trim_start_matches('\u{feff}'));
                    if syntax == Syntax::Json && !text.contains("e999") {
                        assert_eq!(again.ok(), expected.ok(), "{text:?}");
                    } else {
                        assert!(again.is_ok(), "{text:?}: {shown}");
                    }
                }
                Err(error) => {
                    assert!(text.get(error.span.start..error.span.end).is_some(), "{text:?}: {error:?}");
                    assert!(!error.message.is_empty());
                    if syntax == Syntax::Json {
                        assert!(serde_json::from_str::<serde_json::Value>(&text).is_err(), "{text:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_misspelt_name_is_guessed_and_a_strange_one_is_not() {
    let known = ["min_version", "app", "os", "files"];
    assert_eq!(nearest("minVersion", known), Some("min_version"));
    assert_eq!(nearest("min-version", known), Some("min_version"));
    assert_eq!(nearest("apps", known), Some("app"));
    assert_eq!(nearest("registry", known), None);
    assert_eq!(nearest(&"x".repeat(100_000), known), None);
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}
