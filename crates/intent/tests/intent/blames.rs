//! Tests of blame, history, verification and statistics of a trace.

use std::collections::HashMap;

use expect_test::expect;
use intent::ContentHash;
use intent::trace::{
    Author, CSV_HEADER, Edit, Evidence, LineMarks, NoEvidence, TraceRecord, agent_trace, blame, csv, history,
    hunks, line_ranges, stats, verify,
};
use serde_json::json;

/// The history of a file, recorded as the trace and the journals do.
#[derive(Default)]
struct Life {
    trace: String,
    edits: HashMap<ContentHash, Edit>,
    contents: HashMap<ContentHash, Vec<u8>>,
    content: Option<String>,
    n_seconds: usize,
}

impl Life {
    /// An agent writes the file.
    fn agent(&mut self, intent: &str, path: &str, after: &str) -> &mut Self {
        let before = self.content.replace(after.to_owned());
        let hunks = hunks(before.as_deref().unwrap_or("").as_bytes(), after.as_bytes());
        let hash = ContentHash::of(after.as_bytes());
        self.n_seconds += 1;
        let line = json!({
            "intent_id": intent,
            "content_hash": hash.as_str(),
            "file_path": path,
            "mutation_class": if before.is_some() { "MODIFY" } else { "CREATE" },
            "line_ranges": line_ranges(&hunks),
            "timestamp": format!("2026-02-16T10:30:{:02}Z", self.n_seconds),
            "tool_name": "Write",
        });
        self.trace.extend([line.to_string().as_str(), "\n"]);
        let before = before.map(|before| ContentHash::of(before.as_bytes()));
        self.edits.insert(hash.clone(), Edit { before, hunks, marks: None });
        self.contents.insert(hash, after.as_bytes().to_vec());
        self
    }

    /// A person writes the file, without a trace.
    fn person(&mut self, after: &str) -> &mut Self {
        self.content = Some(after.to_owned());
        self
    }

    /// Renames the file, which a trace records as a new file.
    fn renamed(&mut self, intent: &str, path: &str) -> &mut Self {
        let content = self.content.take().unwrap();
        self.agent(intent, path, &content)
    }

    /// Returns each line with its author; `?` if it is uncertain.
    fn blame(&self, path: &str, evidence: &dyn Evidence) -> String {
        let now = self.content.as_deref().unwrap_or("");
        let history = history(path, || Ok(self.trace.as_bytes())).unwrap();
        let authors = blame(&history, now.as_bytes(), evidence);
        let said = authors.iter().zip(now.lines()).map(|(author, line)| match author {
            Author::Agent { record, certain: true } => format!("{} {line}\n", record.intent_id),
            Author::Agent { record, certain: false } => format!("{}? {line}\n", record.intent_id),
            Author::Person => format!("person {line}\n"),
        });
        said.collect()
    }
}

impl Evidence for Life {
    fn edit(&self, after: &ContentHash) -> Option<Edit> {
        self.edits.get(after).cloned()
    }

    fn content(&self, hash: &ContentHash) -> Option<Vec<u8>> {
        self.contents.get(hash).cloned()
    }
}

fn shop() -> Life {
    let mut life = Life::default();
    life.agent("INT-001", "a", "one\ntwo\nthree\n").agent("INT-002", "a", "zero\none\n2\nthree\n");
    life.person("zero\none\n2\nmine\nthree\n");
    life.agent("INT-003", "a", "zero\none\n2\nmine\nthree\nfour\n");
    life
}

#[test]
fn lines_are_followed_through_later_edits_with_evidence() {
    let mut life = shop();
    expect![[r#"
        INT-002? zero
        INT-001? one
        INT-002? 2
        INT-001? mine
        person three
        INT-003 four
    "#]]
    .assert_eq(&life.blame("a", &life));
    let mut clean = Life::default();
    clean.agent("INT-001", "a", "one\ntwo\nthree\n").agent("INT-002", "a", "zero\none\n2\nthree\n");
    expect![[r#"
        INT-002 zero
        INT-001 one
        INT-002 2
        INT-001 three
    "#]]
    .assert_eq(&clean.blame("a", &clean));
    clean.person("zero\nmine\none\n2\nthree\n");
    expect![[r#"
        INT-002 zero
        person mine
        INT-001 one
        INT-002 2
        INT-001 three
    "#]]
    .assert_eq(&clean.blame("a", &clean));
    life.person("");
    assert_eq!(life.blame("a", &life), "");
}

#[test]
fn with_both_contents_a_persons_lines_in_between_are_told() {
    let mut life = shop();
    let found = "zero\none\n2\nmine\nthree\n";
    life.contents.insert(ContentHash::of(found.as_bytes()), found.as_bytes().to_vec());
    assert_eq!(
        life.blame("a", &life),
        "INT-002 zero\nINT-001 one\nINT-002 2\nperson mine\nINT-001 three\nINT-003 four\n"
    );
}

/// Evidence with line marks in the journals, and without contents in git.
struct MarksOnly<'a>(&'a Life);

impl Evidence for MarksOnly<'_> {
    fn edit(&self, after: &ContentHash) -> Option<Edit> {
        let marks = self.0.contents.get(after).map(|content| LineMarks::of(content));
        self.0.edit(after).map(|edit| Edit { marks, ..edit })
    }

    fn content(&self, _hash: &ContentHash) -> Option<Vec<u8>> {
        None
    }
}

#[test]
fn with_the_marks_of_lines_a_persons_lines_are_told_wherever_they_came() {
    let mut life = shop();
    let blamed = "INT-002 zero\nINT-001 one\nINT-002 2\nperson mine\nINT-001 three\nINT-003 four\n";
    assert_eq!(life.blame("a", &MarksOnly(&life)), blamed);
    life.person("first\nzero\none\n2\nmine\nTHREE\nfour\nlast\n");
    expect![[r#"
        person first
        INT-002 zero
        INT-001 one
        INT-002 2
        person mine
        person THREE
        INT-003 four
        person last
    "#]]
    .assert_eq(&life.blame("a", &MarksOnly(&life)));
    // A person replaced a line that the next agent removed.
    let mut life = Life::default();
    life.agent("INT-001", "a", "one\ntwo\nthree\n").person("one\nTWO\nthree\nmine\n");
    life.agent("INT-002", "a", "one\n2\nthree\nmine\n");
    assert_eq!(life.blame("a", &MarksOnly(&life)), "INT-001 one\nINT-002 2\nINT-001 three\nperson mine\n");
}

#[test]
fn without_evidence_older_lines_are_not_certain() {
    let life = shop();
    expect![[r#"
        INT-002? zero
        INT-001? one
        INT-002? 2
        person mine
        person three
        INT-003 four
    "#]]
    .assert_eq(&life.blame("a", &NoEvidence));
    let mut changed = shop();
    changed.person("x\ny\n");
    expect![[r#"
        INT-002? x
        INT-001? y
    "#]]
    .assert_eq(&changed.blame("a", &NoEvidence));
}

#[test]
fn a_file_no_trace_knows_is_a_persons() {
    let mut life = Life::default();
    life.person("one\ntwo\n");
    assert_eq!(life.blame("a", &NoEvidence), "person one\nperson two\n");
}

#[test]
fn a_new_name_does_not_change_who_wrote_it() {
    let mut life = Life::default();
    life.agent("INT-001", "old", "one\ntwo\n").renamed("INT-002", "new").agent(
        "INT-003",
        "new",
        "one\ntwo\nthree\n",
    );
    assert_eq!(life.blame("new", &life), "INT-001 one\nINT-001 two\nINT-003 three\n");
}

#[test]
fn a_million_lines_are_searched_without_decoding_them() {
    let line = |n: usize| {
        let hash = "0".repeat(64);
        format!(
            "{{\"intent_id\":\"INT-001\",\"content_hash\":\"{hash}\",\"file_path\":\"src/file{}.ts\",\"mutation_class\":\"CREATE\",\"line_ranges\":[{{\"start\":1,\"end\":2}}],\"timestamp\":\"2026-02-16T10:30:00Z\",\"tool_name\":\"Write\"}}\n",
            n % 5000
        )
    };
    let one_round: String = (0..5000).map(line).collect();
    let trace = one_round.repeat(200);
    let found = history("src/file7.ts", || Ok(trace.as_bytes())).unwrap();
    let blamed = blame(&found, b"x\ny\n", &NoEvidence);
    assert_eq!((found.len(), blamed.len()), (200, 2));
}

#[test]
fn the_disk_is_held_against_the_newest_record() {
    let mut life = Life::default();
    life.agent("INT-001", "a", "1").agent("INT-001", "a", "2");
    life.content = None;
    life.agent("INT-001", "b", "1").content = None;
    life.agent("INT-001", "c", "1");
    life.trace.push_str("{\"half\":\n\n");
    let disk = |path: &str| match path {
        "a" => Some(ContentHash::of(b"2")),
        "b" => Some(ContentHash::of(b"other")),
        _ => None,
    };
    let found = verify(life.trace.as_bytes(), disk).unwrap();
    assert_eq!(
        (found.unchanged, found.changed, found.missing),
        (vec!["a".into()], vec!["b".into()], vec!["c".into()])
    );
    assert_eq!(found.broken[0].0, 5);
}

#[test]
fn the_sums_are_per_intent() {
    let life = shop();
    let all = stats(life.trace.as_bytes()).unwrap();
    let told: Vec<String> = all
        .iter()
        .map(|(id, it)| {
            format!("{id}: {} files, {} writes, {} lines, {}", it.files.len(), it.n_writes, it.n_lines, it.to)
        })
        .collect();
    expect![[r#"
        INT-001: 1 files, 1 writes, 3 lines, 2026-02-16T10:30:01Z
        INT-002: 1 files, 1 writes, 2 lines, 2026-02-16T10:30:02Z
        INT-003: 1 files, 1 writes, 1 lines, 2026-02-16T10:30:03Z"#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn a_record_is_exported_in_the_words_of_others() {
    let line = format!(
        "{{\"intent_id\":\"INT-001\",\"content_hash\":\"{}\",\"file_path\":\"src/a, \\\"b\\\".ts\",\"mutation_class\":\"MODIFY\",\"line_ranges\":[{{\"start\":10,\"end\":25}},{{\"start\":30,\"end\":30}}],\"timestamp\":\"2026-02-16T10:30:00Z\",\"tool_name\":\"Edit\",\"git_sha\":\"abc123\"}}",
        ContentHash::of(b"x")
    );
    let record = TraceRecord::parse(line.as_bytes()).unwrap();
    expect![[r#"
        {
          "version": "0.1.0",
          "id": "398d79c3-0a0d-81c9-a39e-dad43a06d324",
          "timestamp": "2026-02-16T10:30:00Z",
          "vcs": {
            "type": "git",
            "revision": "abc123"
          },
          "tool": {
            "name": "steersman",
            "version": "0.1.0"
          },
          "files": [
            {
              "path": "src/a, \"b\".ts",
              "conversations": [
                {
                  "contributor": {
                    "type": "ai"
                  },
                  "ranges": [
                    {
                      "start_line": 10,
                      "end_line": 25
                    },
                    {
                      "start_line": 30,
                      "end_line": 30
                    }
                  ]
                }
              ]
            }
          ],
          "metadata": {
            "steersman": {
              "intent_id": "INT-001",
              "content_hash": "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
              "mutation_class": "MODIFY",
              "tool_name": "Edit"
            }
          }
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&agent_trace(&record, "0.1.0")).unwrap());
    assert_eq!(CSV_HEADER.split(',').count(), 8);
    expect![[r#"INT-001,2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881,"src/a, ""b"".ts",MODIFY,10-25 30-30,2026-02-16T10:30:00Z,Edit,abc123"#]].assert_eq(&csv(&record));
}
