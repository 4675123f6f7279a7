//! Tests that edits make the requested change and leave every other byte.

use expect_test::expect;
use intent::{EditError, IntentId, IntentsFile, NewIntent, Status};

const FILE: &str = "\
# Our intents; keep this comment.
intents:
    # The first.
    - id: INT-001          # never reuse
      name: Login
      description: |
          Add a login page.
          Two lines.
      status: PENDING      # set by steersman
      owned_scope:
          # The page.
          - src/login/**   # all of it
          - \"tests/login.test.ts\"
      constraints: []

    - id: INT-002
      status: 'IN_PROGRESS'
      name: \"Docs: rewrite\"
      ownedScope: [docs/**, README.md] # flow
# The end.
";

fn id(text: &str) -> IntentId {
    IntentId::parse(text).unwrap()
}

/// Returns the lines that differ, as `-old` and `+new`.
fn changes(before: &str, after: &str) -> String {
    let diff = similar::TextDiff::from_lines(before, after);
    let changed = diff.iter_all_changes().filter(|change| change.tag() != similar::ChangeTag::Equal);
    changed.map(|change| format!("{}{}", change.tag(), change.value())).collect()
}

#[test]
fn a_status_is_replaced_in_place() {
    let edited = IntentsFile::set_status(FILE, &id("INT-001"), Status::InProgress).unwrap();
    expect![[r#"
        -      status: PENDING      # set by steersman
        +      status: IN_PROGRESS      # set by steersman
    "#]]
    .assert_eq(&changes(FILE, &edited));
    let edited = IntentsFile::set_status(FILE, &id("INT-002"), Status::Completed).unwrap();
    expect![[r#"
        -      status: 'IN_PROGRESS'
        +      status: COMPLETED
    "#]]
    .assert_eq(&changes(FILE, &edited));
}

#[test]
fn only_the_documents_steps_are_taken() {
    assert!(matches!(
        IntentsFile::set_status(FILE, &id("INT-001"), Status::Completed),
        Err(EditError::Step(_))
    ));
    assert_eq!(
        IntentsFile::set_status(FILE, &id("INT-009"), Status::Blocked),
        Err(EditError::Unknown(id("INT-009")))
    );
    assert_eq!(IntentsFile::set_status(FILE, &id("INT-001"), Status::Pending).unwrap(), FILE);
}

#[test]
fn a_pattern_is_added_after_the_others_in_their_style() {
    let edited = IntentsFile::expand(FILE, &id("INT-001"), "**/*.css").unwrap();
    expect![[r#"
        +          - "**/*.css"
    "#]]
    .assert_eq(&changes(FILE, &edited));
    let edited = IntentsFile::expand(FILE, &id("INT-002"), "./mkdocs.yml").unwrap();
    expect![[r#"
        -      ownedScope: [docs/**, README.md] # flow
        +      ownedScope: [docs/**, README.md, "mkdocs.yml"] # flow
    "#]]
    .assert_eq(&changes(FILE, &edited));
    assert_eq!(IntentsFile::expand(FILE, &id("INT-002"), "docs/**").unwrap(), FILE);
    assert!(matches!(IntentsFile::expand(FILE, &id("INT-002"), "../x"), Err(EditError::Pattern(_))));
}

#[test]
fn an_intent_is_added_at_the_end_in_the_files_indentation() {
    let new = NewIntent {
        name: "Search: fast".into(),
        description: "Make \"search\" fast.\nReally.".into(),
        owned_scope: vec!["src/search/**".into(), "*.toml".into()],
        constraints: vec!["no new dependency".into()],
        ..NewIntent::default()
    };
    let (edited, added) = IntentsFile::add(FILE, &new).unwrap();
    assert_eq!(added, id("INT-003"));
    expect![[r#"
        +    - id: INT-003
        +      name: "Search: fast"
        +      description: "Make \"search\" fast.\nReally."
        +      status: PENDING
        +      owned_scope:
        +        - "src/search/**"
        +        - "*.toml"
        +      constraints:
        +        - no new dependency
        +      acceptance_criteria: []
    "#]]
    .assert_eq(&changes(FILE, &edited));
    assert_eq!(
        IntentsFile::add(FILE, &NewIntent { id: Some(id("INT-001")), ..new }),
        Err(EditError::Taken(id("INT-001")))
    );
}

#[test]
fn an_intent_can_be_added_to_whatever_there_is() {
    let new = NewIntent { name: "A".into(), owned_scope: vec!["a".into()], ..NewIntent::default() };
    for text in [
        "",
        "# notes\n",
        "intents:\n",
        "intents: []\n",
        "intents: [] # none\n",
        "intents:",
        "\u{feff}intents:\n",
        "active_intents:\r\n- id: INT-005\r\n  name: B\r\n  status: PENDING\r\n  owned_scope: [b]\r\n",
        "intents:\n- id: INT-005\n  status: PENDING\n  owned_scope: [b]\n  name: |\n    B",
    ] {
        let (edited, added) =
            IntentsFile::add(text, &new).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        let file = IntentsFile::parse(edited.as_bytes()).unwrap();
        assert_eq!(file.intents.last().unwrap().id, added, "{text:?}");
        assert_eq!(edited.contains("\r\n"), text.contains("\r\n"), "{edited:?}");
    }
}

#[test]
fn a_wrong_file_or_a_layout_we_do_not_know_is_left_alone() {
    let new = NewIntent { name: "A".into(), owned_scope: vec!["a".into()], ..NewIntent::default() };
    assert!(matches!(IntentsFile::add("intents: 7\n", &new), Err(EditError::Invalid(_))));
    let flow = "intents: [{id: INT-001, name: A, status: PENDING, owned_scope: [a]}]\n";
    assert_eq!(IntentsFile::add(flow, &new), Err(EditError::Layout));
    let edited = IntentsFile::set_status(flow, &id("INT-001"), Status::InProgress).unwrap();
    assert_eq!(edited, flow.replace("PENDING", "IN_PROGRESS"));
}

#[test]
fn a_scope_that_two_intents_share_is_not_edited_for_one_of_them() {
    let text = "intents:\n  - id: INT-001\n    name: A\n    status: PENDING\n    owned_scope: &code [src/**]\n  - id: INT-002\n    name: B\n    status: PENDING\n    owned_scope: *code\n";
    for intent in ["INT-001", "INT-002"] {
        assert_eq!(IntentsFile::expand(text, &id(intent), "docs/**"), Err(EditError::Layout), "{intent}");
    }
}
