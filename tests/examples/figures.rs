//! What a call costs in Rust: `figures start` makes one, `figures` measures many. `examples/figures/run` prints the ratios.
#![expect(clippy::unwrap_used, reason = "a measurement ends where it can not go on")]

use std::env;
use std::time::Instant;

use appdecl::Gate;
use appdecl::facts::{HostFacts as _, Machine};
use serde_json::json;

fn main() {
    let own = env::current_exe().unwrap().to_string_lossy().into_owned();
    let system = json!({ "presence": "executable", "location": own });
    let app = json!({ "linux": system, "darwin": system });
    let gate = Gate::new().unwrap();
    let asks = json!({ "app": app, "requires": { "app": true } });
    gate.register("asks", &asks.to_string(), "figures", None).unwrap();
    gate.register("asks nothing", &json!({ "app": app }).to_string(), "figures", None).unwrap();
    assert!(gate.availability("asks").unwrap().unwrap().offerable);
    if env::args().nth(1).as_deref() == Some("start") {
        return;
    }
    let machine = Machine::new();
    let figures = json!({
        "call": microseconds(|| drop(gate.availability("asks").unwrap())),
        "record": microseconds(|| drop(gate.availability("asks nothing").unwrap())),
        "crossing": microseconds(|| _ = gate.version_at_least("1", "2").unwrap()),
        "stat": microseconds(|| _ = machine.stat(&own).unwrap()),
    });
    println!("{figures}");
}

/// The shortest of some rounds, for one call: what else the machine does can only add to a time.
fn microseconds(call: impl Fn()) -> f64 {
    let times = 5000;
    let rounds = (0..9).map(|_| {
        let begun = Instant::now();
        (0..times).for_each(|_| call());
        begun.elapsed().as_secs_f64() * 1e6 / f64::from(times)
    });
    rounds.fold(f64::INFINITY, f64::min)
}
