//! `appdecl test --coverage`.

use serde_json::json;

use crate::{assert_has, json, suite, test_of};

const CASES: &str = "\
# Cases of two declarations.
  - name: installed
    declaration: &acme
      app:
        linux:
          presence: executable
          location: [ /opt/acme, { kind: command, name: acme } ]
          liveness: { kind: server_json, path: /run/acme.json }
        darwin: { presence: bundle, location: [ { kind: app_bundle, name: Acme.app } ], version: { kind: plist } }
      requires: { app: true, min_version: '1.0' }
    facts: { os: linux, files: { /opt/acme: file } }
    expect: { state: available }
  - name: new on macOS
    declaration: *acme
    facts: { os: darwin, home: /Users/u, files: { /Applications/Acme.app/Contents/Info.plist: { plist: { CFBundleShortVersionString: '2.0' } } } }
    expect: { state: available }
  - name: denied
    declaration: *acme
    facts: { os: linux, files: { /opt: { error: denied } } }
    expect: { reason: access-denied }
  - name: refused
    declaration: { app: { linux: { presence: executable, location: opt/acme } }, requires: { min_version: '1' } }
    expect: { invalid: [ { code: path-not-rooted, pointer: /app/linux/location }, { code: min-version-needs-app, pointer: /requires/min_version } ] }
";

#[test]
fn states_places_and_version_sources_are_points_and_reasons_and_codes_stand_beside_them() {
    let run = test_of(&suite(CASES), &["--coverage"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert_eq!(run.stdout, "4 of 4 cases passed\n");
    assert_has(
        &run.stderr,
        &[
            "coverage of server in s: ",
            "  reached: linux: missing_app\n",
            "  reached: linux: found by location 0 (path)\n",
            "  not reached: linux: found by location 1 (command)\n",
            "  reached: darwin: found by location 0 (app_bundle)\n",
            "  reached: darwin: version read by plist\n",
            "  not reached: darwin: version_too_old, version-below-minimum\n",
            "  not reached: linux: app_not_running\n",
            "  reached: linux: endpoint_unavailable\n",
            "  not reached: unsupported_os\n",
            "  also reached: linux: missing_app, access-denied\n",
            "  also reached: linux: no endpoint, missing\n",
            "codes reached in s: min-version-needs-app, path-not-rooted\n",
        ],
    );
}

#[test]
fn less_than_what_is_asked_for_fails_and_says_how_much_it_is() {
    let text = suite(CASES);
    let run = test_of(&text, &["--coverage-min", "90"]);
    assert_eq!(run.code, 1);
    assert_has(&run.stderr, &["% of server is reached, and at least 90 % is asked for"]);
    assert_eq!(test_of(&text, &["--coverage-min", "20"]).code, 0);
    assert_eq!(test_of(&text, &["--coverage-min", "101"]).code, 2);
    for other in ["--list", "--update"] {
        assert_eq!(test_of(&text, &["--coverage-min", "20", other]).code, 2, "{other}");
    }
}

#[test]
fn programs_get_the_coverage_in_the_report() {
    let run = test_of(&suite(CASES), &["--coverage", "--format", "json"]);
    let report = json(&run.stdout);
    let coverage = &report["coverage"][0];
    assert_eq!(coverage["suite"], "s");
    assert_eq!(coverage["codes"], json!(["min-version-needs-app", "path-not-rooted"]));
    let points = coverage["declarations"][0]["points"].as_array().unwrap();
    assert!(points.contains(&json!({ "name": "linux: found by location 1 (command)", "reached": false })));
    assert!(json(&test_of(&suite(CASES), &["--format", "json"]).stdout).get("coverage").is_none());
}
