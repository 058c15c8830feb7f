//! The components in the eyes of the ecosystem's own tools: what `wasm-tools validate` and `wasm-tools component wit` do.
#![expect(clippy::unwrap_used, reason = "a test ends where it can not go on")]

use std::collections::{BTreeMap, BTreeSet};

use appdecl::{COMPONENT, PACKAGES_COMPONENT, WIT};
use wasmparser::{Validator, WasmFeatures};
use wit_component::WitPrinter;
use wit_parser::Resolve;

#[test]
fn both_components_are_valid_without_any_proposal_that_is_not_finished() {
    for component in [COMPONENT, PACKAGES_COMPONENT] {
        Validator::new_with_features(WasmFeatures::default()).validate_all(component).unwrap();
        // WebAssembly 2.0 and components: what runtimes of 2023 have.
        let modest = WasmFeatures::WASM2 | WasmFeatures::COMPONENT_MODEL;
        Validator::new_with_features(modest).validate_all(component).unwrap();
    }
}

#[test]
fn what_a_component_says_of_itself_is_the_contract() {
    let mut contract = Resolve::default();
    contract.push_str("appdecl.wit", WIT).unwrap();
    let contract = functions(&contract);
    for (component, exported) in [(COMPONENT, "gate"), (PACKAGES_COMPONENT, "packages")] {
        let said = functions(&printed(component));
        for (interface, functions) in &said {
            assert_eq!(Some(functions), contract.get(interface), "{interface}");
        }
        assert!(said.contains_key(&format!("appdecl:gate/{exported}@0.1.0")), "{said:?}");
    }
}

/// The WIT that is read out of a component, printed and read again.
fn printed(component: &[u8]) -> Resolve {
    let decoded = wit_component::decode(component).unwrap();
    let (resolve, main) = (decoded.resolve(), decoded.package());
    let nested: Vec<_> = resolve.packages.iter().map(|(id, _)| id).filter(|id| *id != main).collect();
    let mut printer = WitPrinter::default();
    printer.print(resolve, main, &nested).unwrap();
    let mut read = Resolve::default();
    read.push_str("component.wit", &printer.output.to_string()).unwrap();
    read
}

/// The names of all functions, by interface. One without any holds types, of which a component has those it uses.
fn functions(resolve: &Resolve) -> BTreeMap<String, BTreeSet<String>> {
    let named = resolve.interfaces.iter().filter_map(|(id, interface)| {
        let functions = interface.functions.keys().cloned().collect();
        Some((resolve.id_of(id)?, functions))
    });
    named.collect()
}
