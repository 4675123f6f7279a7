//! Recorded payloads with something odd done to them.

use host::Host;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;
use testkit::Sandbox;
use testkit::payload::{Recorded, every_recorded};

use crate::any_json::json;
use crate::{answer, prove};

fn recording(sandbox: &Sandbox) -> impl Strategy<Value = Recorded> + use<> {
    proptest::sample::select(every_recorded(&sandbox.root()))
}

/// Something odd to do to one value of a payload.
#[derive(Debug, Clone)]
enum Oddity {
    Remove,
    Replace(Value),
    RenameTo(String),
}

fn oddity() -> impl Strategy<Value = Oddity> {
    prop_oneof![Just(Oddity::Remove), json().prop_map(Oddity::Replace), ".{0,10}".prop_map(Oddity::RenameTo)]
}

/// Does it to the `nth` field, counting into nested objects.
fn mutate(value: &mut Value, nth: &mut usize, oddity: &Oddity) {
    let Value::Object(map) = value else { return };
    for key in map.keys().cloned().collect::<Vec<_>>() {
        if *nth == 0 {
            *nth = usize::MAX;
            match oddity {
                Oddity::Remove => drop(map.remove(&key)),
                Oddity::Replace(new) => drop(map.insert(key, new.clone())),
                Oddity::RenameTo(name) => {
                    let moved = map.remove(&key).unwrap_or_default();
                    map.insert(name.clone(), moved);
                }
            }
            return;
        }
        *nth -= 1;
        if let Some(inner) = map.get_mut(&key) {
            mutate(inner, nth, oddity);
        }
        if *nth == usize::MAX {
            return;
        }
    }
}

fn host_of(recorded: &Recorded, is_named: bool) -> Option<Host> {
    Host::from_name(recorded.host).filter(|_| is_named)
}

#[test]
fn a_recorded_payload_with_odd_fields() {
    let oddities = proptest::collection::vec((0..20usize, oddity()), 1..4);
    prove(
        |sandbox| (recording(sandbox), any::<bool>(), oddities),
        |sandbox, (recorded, is_named, oddities)| {
            let mut payload = recorded.payload.clone();
            for (nth, oddity) in oddities {
                mutate(&mut payload, &mut { nth }, &oddity);
            }
            let host = host_of(&recorded, is_named);
            answer(sandbox, host, Some(recorded.event), payload.to_string().as_bytes());
        },
    );
}

#[test]
fn a_recorded_payload_with_odd_bytes() {
    let edits = proptest::collection::vec((any::<Index>(), any::<Option<u8>>()), 0..6);
    prove(
        |sandbox| (recording(sandbox), any::<bool>(), edits, proptest::option::of(any::<Index>())),
        |sandbox, (recorded, is_named, edits, cut)| {
            let mut bytes = recorded.payload.to_string().into_bytes();
            for (at, byte) in edits {
                let at = at.index(bytes.len());
                match byte {
                    Some(byte) => bytes[at] = byte,
                    None => drop(bytes.remove(at)),
                }
            }
            if let Some(cut) = cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            answer(sandbox, host_of(&recorded, is_named), Some(recorded.event), &bytes);
        },
    );
}

#[test]
fn a_payload_of_one_host_handed_to_another() {
    let host = proptest::sample::select(Host::ALL.to_vec());
    prove(
        |sandbox| (recording(sandbox), host, proptest::option::of(".{0,14}")),
        |sandbox, (recorded, host, event)| {
            answer(sandbox, Some(host), event, recorded.payload.to_string().as_bytes());
        },
    );
}
