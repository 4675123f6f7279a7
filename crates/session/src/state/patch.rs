//! Applies JSON merge patches to the state.

use serde_json::{Map, Value};

use super::{Core, State};

/// Why a part of a module's patch is ignored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatchFault {
    /// The state has no such section.
    #[error("the state has no section `{0}`; a module's own pointers go below `features.<module>`")]
    UnknownSection(String),
    /// Setting an array twice would lose elements.
    #[error("`{0}` is an array; the state holds pointers only")]
    List(String),
    /// A field of `core` has the wrong type.
    #[error("cannot read `core`: {0}")]
    Core(String),
    /// A field of `core` that only the dispatcher sets.
    #[error("only the dispatcher sets `core.{0}`")]
    NotYours(&'static str),
    /// A section is not an object.
    #[error("`{0}` must be an object")]
    NotAnObject(String),
}

impl State {
    /// Applies the valid parts of a patch and returns the faults of the others.
    pub fn apply(&mut self, patch: &Map<String, Value>) -> Vec<PatchFault> {
        let mut faults = Vec::new();
        for (section, value) in patch {
            let Value::Object(changes) = value else {
                faults.push(PatchFault::NotAnObject(section.clone()));
                continue;
            };
            if let Some(path) = first_list(section, value) {
                faults.push(PatchFault::List(path));
                continue;
            }
            let target = match section.as_str() {
                "core" => {
                    match serde_json::from_value::<Core>(value.clone()) {
                        Ok(core) => self.core.merge(&core),
                        Err(error) => faults.push(PatchFault::Core(error.to_string())),
                    }
                    continue;
                }
                "plan" => &mut self.plan,
                "cap" => &mut self.cap,
                "rlm" => &mut self.rlm,
                "memory" => &mut self.memory,
                "features" => &mut self.features,
                _ => {
                    faults.push(PatchFault::UnknownSection(section.clone()));
                    continue;
                }
            };
            merge_objects(target, changes);
        }
        faults
    }
}

/// Finds a field in a module's patch that only the dispatcher sets: ids and counts that would stay wrong if a
/// module set them too high once.
pub fn reserved_field(patch: &Map<String, Value>) -> Option<PatchFault> {
    const KEPT: [&str; 10] = [
        "sessionId",
        "hostSessionId",
        "host",
        "startedTs",
        "lastTurnId",
        "lastEventOffset",
        "agents",
        "keptStops",
        "hold",
        "endedTurn",
    ];
    let core = patch.get("core")?.as_object()?;
    KEPT.into_iter().find(|field| core.contains_key(*field)).map(PatchFault::NotYours)
}

/// RFC 7396, with one rule of the contract more: `lastCheckTs` only grows.
fn merge_objects(target: &mut Map<String, Value>, changes: &Map<String, Value>) {
    for (key, change) in changes {
        match change {
            Value::Null => {
                target.remove(key);
            }
            Value::Object(inner) => {
                let slot = target.entry(key.clone()).or_insert_with(|| Value::Object(Map::new()));
                if !slot.is_object() {
                    *slot = Value::Object(Map::new());
                }
                if let Value::Object(object) = slot {
                    merge_objects(object, inner);
                }
            }
            Value::Number(_) if key == "lastCheckTs" => {
                let known = target.get(key).and_then(Value::as_u64);
                if known <= change.as_u64() {
                    target.insert(key.clone(), change.clone());
                }
            }
            other => {
                target.insert(key.clone(), other.clone());
            }
        }
    }
}

fn first_list(path: &str, value: &Value) -> Option<String> {
    match value {
        Value::Array(_) => Some(path.to_owned()),
        Value::Object(object) => {
            object.iter().find_map(|(key, value)| first_list(&format!("{path}.{key}"), value))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use event::Phase;
    use proptest::prelude::*;
    use serde_json::json;

    fn patch(value: Value) -> Map<String, Value> {
        let Value::Object(map) = value else { panic!("a patch is an object") };
        map
    }

    fn after(patches: &[Value]) -> State {
        let mut state = State::new();
        for value in patches {
            assert_eq!(state.apply(&patch(value.clone())), [], "{value}");
        }
        state
    }

    #[test]
    fn a_session_keeps_the_ids_it_got_first() {
        let state =
            after(&[json!({"core":{"sessionId":"aaaaaaaa"}}), json!({"core":{"sessionId":"bbbbbbbb"}})]);
        assert_eq!(state.core.session_id.as_deref(), Some("aaaaaaaa"));
    }

    #[test]
    fn turn_and_phase_never_go_back() {
        let late = json!({"core":{"lastTurnId":5,"workId":"w001","phase":"EXECUTING"}});
        let outdated = json!({"core":{"lastTurnId":3,"workId":"w001","phase":"PLANNING"}});
        let state = after(&[late, outdated]);
        assert_eq!(state.core.last_turn_id, 5);
        assert_eq!(state.core.phase(), Phase::Executing);
    }

    #[test]
    fn a_new_piece_of_work_starts_at_planning() {
        let state = after(&[
            json!({"core":{"workId":"w001","phase":"COMPLETE"}}),
            json!({"core":{"workId":"w002","workTurn":2,"phase":"PLANNING"}}),
            json!({"core":{"workId":"w001","phase":"COMPLETE"}}),
        ]);
        assert_eq!(state.core.work().to_string(), "w002");
        assert_eq!(state.core.phase(), Phase::Planning);
    }

    #[test]
    fn a_lifted_block_stays_lifted() {
        let blocked = json!({"core":{"workId":"w001","phase":"BLOCKED","blockedFrom":"EXECUTING"}});
        let lifted = json!({"core":{"workId":"w001","phase":"EXECUTING","phaseRevision":1}});
        let state = after(&[blocked.clone(), lifted, blocked]);
        assert_eq!(state.core.phase(), Phase::Executing);
    }

    #[test]
    fn what_the_state_has_no_place_for_is_said() {
        let mut state = State::new();
        let faults = state
            .apply(&patch(json!({"mine": {}, "rlm": {"seen": [1]}, "plan": 3, "core": {"lastTurnId": "x"}})));
        assert_eq!(faults.len(), 4, "{faults:?}");
        assert_eq!(State { version: state.version, ..State::default() }, state);
    }

    #[test]
    fn null_removes_and_objects_merge() {
        let state = after(&[json!({"memory":{"a":{"x":1,"y":2}}}), json!({"memory":{"a":{"x":null,"z":3}}})]);
        assert_eq!(Value::Object(state.memory), json!({"a":{"y":2,"z":3}}));
    }

    fn any_core() -> impl Strategy<Value = Value> {
        (0..4u32, 0..6u64, 0..5usize, 0..3u64).prop_map(|(work, turn, phase, revision)| {
            json!({"core": {
                "workId": format!("w{:03}", work + 1), "lastTurnId": turn,
                "phase": Phase::ALL[phase].as_str(), "phaseRevision": revision,
            }})
        })
    }

    proptest! {
        #[test]
        fn the_order_of_patches_does_not_matter(patches in proptest::collection::vec(any_core(), 0..8)) {
            let forward = after(&patches);
            let mut backward = patches.clone();
            backward.reverse();
            let backward = after(&backward);
            prop_assert_eq!(forward.core.last_turn_id, backward.core.last_turn_id);
            prop_assert_eq!(forward.core.work(), backward.core.work());
            prop_assert_eq!(forward.core.phase(), backward.core.phase());
            let mut twice = patches.clone();
            twice.extend(patches);
            prop_assert_eq!(after(&twice).core.phase(), forward.core.phase());
        }
    }
}
