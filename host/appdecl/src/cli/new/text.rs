//! What the two files say. The suite reaches everything that can come of the declaration.

use super::System;

/// A declaration of these systems.
pub(super) fn declaration(name: &str, systems: &[System]) -> String {
    let word = scalar(name);
    let mut text =
        String::from("# Where the application is found on each system, and how its version is read.\napp:\n");
    for system in systems {
        text.push_str(&match system {
            System::Win32 => format!(
                "  win32:
    presence: executable
    location: '%ProgramFiles%\\{name}\\{name}.exe'
    # The version that Windows shows under installed applications.
    version: {{ kind: uninstall_registry, display_name_prefix: {word} }}
"
            ),
            System::Darwin => format!(
                "  darwin:
    presence: bundle
    # In /Applications, or in the user's own Applications.
    location: [ {{ kind: app_bundle, name: {name}.app }} ]
    version: {{ kind: plist }}
"
            ),
            System::Linux => format!(
                "  linux:
    presence: executable
    # Places are tried in this order. Nothing tells a version on Linux: being there is enough.
    location: [ /opt/{name}/{name}, {{ kind: command, name: {word} }} ]
"
            ),
        });
    }
    text.push_str("# What is asked of it.\nrequires:\n  app: true\n");
    if systems.iter().any(|system| *system != System::Linux) {
        text.push_str("  # In quotes, or YAML takes it for a number.\n  min_version: '1.0'\n");
    }
    text
}

/// A suite for that declaration.
pub(super) fn suite(name: &str, systems: &[System]) -> String {
    let word = scalar(name);
    let mut text = format!(
        "# Machines on paper, and what the declaration comes to on each. Run it with `appdecl test`.
suite: {word}
package: {name}.yaml
server: {word}
cases:
"
    );
    for system in systems {
        match system {
            System::Win32 => win32(&mut text, name, &word),
            System::Darwin => darwin(&mut text, name),
            System::Linux => linux(&mut text, name),
        }
    }
    let all = [("win32", System::Win32), ("darwin", System::Darwin), ("linux", System::Linux)];
    if let Some((other, _)) = all.iter().find(|(_, system)| !systems.contains(system)) {
        text.push_str(&format!(
            "  - name: a system that is not declared
    facts: {{ os: {other} }}
    expect: {{ state: unsupported_os }}
"
        ));
    }
    text
}

/// Installed copies: what they are called, their version, and what is expected of them.
const INSTALLED: [(&str, &str, &str); 3] = [
    ("installed", "1.2.0", "state: available, version: 1.2.0"),
    ("too old", "0.9.1", "state: version_too_old, version: 0.9.1, reason: version-below-minimum"),
    ("without a version that can be read", "latest", "state: version_too_old, reason: version-unreadable"),
];

fn win32(text: &mut String, name: &str, word: &str) {
    for (title, version, expect) in INSTALLED {
        text.push_str(&format!(
            "  - name: {title} on Windows
    facts:
      os: win32
      env: {{ ProgramFiles: 'C:\\Program Files' }}
      files: {{ 'C:\\Program Files\\{name}\\{name}.exe': file }}
      registry:
        'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\{name}':
          {{ DisplayName: {word}, DisplayVersion: {version} }}
    expect: {{ {expect} }}
"
        ));
    }
    text.push_str(
        "  - name: not installed on Windows
    facts: { os: win32, env: { ProgramFiles: 'C:\\Program Files' } }
    expect: { state: missing_app, reason: not-found }
",
    );
}

fn darwin(text: &mut String, name: &str) {
    for (title, version, expect) in INSTALLED {
        text.push_str(&format!(
            "  - name: {title} on macOS
    facts:
      os: darwin
      home: /Users/u
      files:
        /Applications/{name}.app/Contents/Info.plist:
          {{ plist: {{ CFBundleShortVersionString: {version} }} }}
    expect: {{ {expect} }}
"
        ));
    }
    text.push_str(
        "  - name: not installed on macOS
    facts: { os: darwin, home: /Users/u }
    expect: { state: missing_app, reason: not-found }
",
    );
}

fn linux(text: &mut String, name: &str) {
    text.push_str(&format!(
        "  - name: in its own folder on Linux
    facts: {{ os: linux, files: {{ /opt/{name}/{name}: executable }} }}
    expect: {{ state: available, path: /opt/{name}/{name} }}
  - name: on the PATH of Linux
    facts: {{ os: linux, env: {{ PATH: /usr/bin }}, files: {{ /usr/bin/{name}: executable }} }}
    expect: {{ state: available, path: /usr/bin/{name} }}
  - name: not installed on Linux
    facts: {{ os: linux, env: {{ PATH: /usr/bin }} }}
    expect: {{ state: missing_app, reason: not-found }}
"
    ));
}

/// A name as YAML writes it: in quotes where a reader of YAML 1.1 or 1.2 takes it for something else than text.
fn scalar(name: &str) -> String {
    const WORDS: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    if WORDS.contains(&name) { format!("'{name}'") } else { name.to_owned() }
}
