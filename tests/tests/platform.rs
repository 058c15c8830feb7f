//! `docs/platform.md` lists what is asked of a machine. The suites ask all of that, and nothing else.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where it can not go on"
)]

#[path = "hosts/paper.rs"]
mod paper;
#[path = "hosts/work.rs"]
#[expect(dead_code, reason = "shared with the comparison of hosts, which also compares the answers")]
mod work;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Value as Json, from_str};

/// One conformance case, and what was asked of its machine.
struct Case {
    name: String,
    /// The calls, with every declaration in them.
    calls: String,
    questions: Vec<Question>,
}

struct Question {
    /// `interface.function`, in the names of the contract.
    name: String,
    arguments: Vec<Json>,
    answer: Json,
}

impl Question {
    fn text(&self, argument: usize) -> &str {
        self.arguments[argument].as_str().unwrap()
    }
}

impl Case {
    fn asked<'c>(&'c self, question: &'c str) -> impl Iterator<Item = &'c Question> {
        self.questions.iter().filter(move |asked| asked.name == question)
    }

    /// As `docs/platform.md` calls the system; none where it was not even asked for.
    fn system(&self) -> Option<&'static str> {
        Some(match self.asked("environment.os").next()?.answer.as_str()? {
            "win32" => "Windows",
            "darwin" => "macOS",
            _ => "Linux",
        })
    }

    /// Whether a declaration or a registry value writes `%NAME%`, `$NAME` or `${NAME}`.
    fn names(&self, variable: &str) -> bool {
        let values = self.asked("registry.subkeys").map(|asked| asked.answer.to_string());
        let written = values.fold(self.calls.clone(), |all, more| all + &more).to_lowercase();
        let variable = variable.to_lowercase();
        [format!("%{variable}%"), format!("${variable}"), format!("${{{variable}}}")]
            .iter()
            .any(|reference| written.contains(reference))
    }
}

fn cases() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
        let cases = paper::cases();
        assert!(cases.len() > 300, "{} cases", cases.len());
        cases.iter().map(|work| case(&from_str(&work.line()).unwrap())).collect()
    });
    &CASES
}

fn case(line: &Json) -> Case {
    let text = |line: &Json, member: &str| line[member].as_str().unwrap().to_owned();
    let questions = line["transcript"].as_array().unwrap().iter().map(|line| Question {
        name: format!("{}.{}", text(line, "interface"), text(line, "function")),
        arguments: line["arguments"].as_array().unwrap().clone(),
        answer: line["answer"].clone(),
    });
    Case { name: text(line, "case"), calls: line["calls"].to_string(), questions: questions.collect() }
}

/// The lines of a section of `docs/platform.md`.
fn section(title: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/platform.md");
    let page = fs::read_to_string(path).unwrap();
    let section = page.split("\n## ").find_map(|section| section.strip_prefix(title)).unwrap();
    section.lines().map(str::to_owned).collect()
}

/// The cells of a section's table, without its head.
fn table(title: &str) -> Vec<Vec<String>> {
    let rows = section(title).into_iter().filter(|line| line.starts_with("| "));
    let cells = |row: String| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    rows.skip(1).map(cells).collect()
}

/// What stands between backticks.
fn quoted(text: &str) -> BTreeSet<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The items of a section's lists that begin with `mark`.
fn items(title: &str, mark: &str) -> BTreeSet<String> {
    let lines = section(title);
    lines.iter().filter_map(|line| line.strip_prefix(mark)).map(|item| item.replace('`', "")).collect()
}

fn set<T: ToString>(items: impl IntoIterator<Item = T>) -> BTreeSet<String> {
    items.into_iter().map(|item| item.to_string()).collect()
}

#[test]
fn every_question_that_is_listed_is_asked_and_no_other() {
    let listed =
        table("When something is read").iter().flat_map(|row| quoted(&row[0])).collect::<BTreeSet<_>>();
    let cases = cases();
    let asked = set(cases.iter().flat_map(|case| &case.questions).map(|question| &question.name));
    assert_eq!(asked, listed);
}

#[test]
fn every_variable_that_is_listed_is_asked_for_and_no_other_that_nobody_names() {
    let mut listed = BTreeSet::new();
    for row in table("Environment variables") {
        let systems = row[1].replace("all", "Linux, macOS, Windows");
        for name in quoted(&row[0]) {
            listed.extend(systems.split(", ").map(|system| (system.to_owned(), name.clone())));
        }
    }
    let mut asked = BTreeSet::new();
    for case in cases() {
        for question in case.asked("environment.variable") {
            let name = question.text(0);
            if !case.names(name) {
                let system = case.system().unwrap_or_else(|| unreachable!("{}: which system?", case.name));
                asked.insert((system.to_owned(), name.to_owned()));
            }
        }
    }
    assert_eq!(asked, listed);
}

#[test]
fn every_registry_key_and_value_that_is_listed_is_asked_for_and_no_other() {
    let title = "Registry keys";
    let (mut keys, mut places, mut values) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
    for case in cases() {
        for question in case.asked("registry.subkeys") {
            assert_eq!(case.system(), Some("Windows"), "{}", case.name);
            keys.insert(question.text(2).to_owned());
            let place = match (question.text(0), question.text(1)) {
                ("local-machine", "bits64") => "HKEY_LOCAL_MACHINE, 64-bit view",
                ("local-machine", _) => "HKEY_LOCAL_MACHINE, 32-bit view",
                _ => "HKEY_CURRENT_USER",
            };
            if !places.contains(&place) {
                places.push(place);
            }
            values.extend(
                question.arguments[3]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|name| name.as_str().unwrap().to_owned()),
            );
        }
    }
    let numbered = places.iter().enumerate().map(|(index, place)| format!("{}. {place}", index + 1));
    let listed =
        section(title).into_iter().filter(|line| line.starts_with(|begin: char| begin.is_ascii_digit()));
    assert!(numbered.eq(listed.map(|line| line.replace('`', ""))), "{places:?}");
    assert_eq!(set(keys.iter().chain(&values)), items(title, "- "));
}

#[test]
fn every_folder_that_a_place_brings_is_looked_into() {
    let folders: BTreeSet<_> = table("Paths that nobody declared")
        .iter()
        .flat_map(|row| quoted(&row[2]))
        .filter(|folder| folder.contains('/'))
        .collect();
    assert!(folders.len() >= 6, "{folders:?}");
    let cases = cases();
    for folder in folders {
        let tail = folder.trim_start_matches('~');
        let found = cases.iter().any(|case| {
            case.asked("filesystem.stat").any(|asked| {
                let (path, declared) = (asked.text(0), case.calls.contains(tail));
                let begins = if tail == folder { path.starts_with(tail) } else { path.contains(tail) };
                begins && !declared
            })
        });
        assert!(found, "no case looks into {folder}");
    }
}

#[test]
fn no_question_ever_names_a_network_or_a_device() {
    let is_foreign = |path: &str| path.starts_with(['\\', '/']);
    let (mut offered, mut asked) = (0, 0);
    for case in cases().iter().filter(|case| case.system() == Some("Windows")) {
        let brought = case.asked("environment.variable").map(|asked| asked.answer.to_string());
        let values = case.asked("registry.subkeys").map(|asked| asked.answer.to_string());
        offered += brought
            .chain(values)
            .filter(|answer| answer.contains(r#""\\\\"#) || answer.contains("\"//"))
            .count();
        for question in &case.questions {
            if ["filesystem", "plist", "pe", "runtime-file"]
                .iter()
                .any(|begin| question.name.starts_with(begin))
            {
                assert!(!is_foreign(question.text(0)), "{}: {}", case.name, question.text(0));
                asked += 1;
            }
        }
    }
    assert!(offered > 2 && asked > 100, "{offered} network paths in facts, {asked} questions");
}
