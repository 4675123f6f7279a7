//! The table of `.orchestration/active_intents.yaml`: keys, types, documentation.

use config_file::{Choice, Field, Object, Shape, Text};

use crate::{IntentId, Status};

/// The whole file.
pub(crate) static INTENTS: Object = Object {
    name: "active-intents",
    doc: "The intents of a workspace.",
    fields: &[Field::new("version", Shape::Integer(0, u64::MAX), "The format; 1 if it is not given."), LIST],
    open: false,
};

/// The list of intents.
pub(super) const LIST: Field =
    Field::required("intents", Shape::list(&AN_INTENT), "The intents, each with an id of its own.")
        .aliases(&["active_intents"])
        .hint("begin with `intents:` and write each intent as `- id: INT-001` below it");

/// One intent.
pub(super) static INTENT: Object = Object {
    name: "Intent",
    doc: "A declared piece of work and the files it may write.",
    fields: &[
        ID,
        Field::required("name", WORDS, "A name for people.").hint("give it a short name for people"),
        Field::new("description", WORDS, "What is to be done."),
        STATUS,
        SCOPE,
        Field::new("constraints", TEXTS, "What has to be kept to.").hint(ON_LINES),
        Field::new("acceptance_criteria", TEXTS, "When it is done.")
            .aliases(&["acceptanceCriteria"])
            .hint(ON_LINES),
        Field::new("metadata", Shape::ANY_MAP, "Whatever else its author wants to note."),
    ],
    open: false,
};

/// The id of an intent.
pub(super) const ID: Field = Field::required(
    "id",
    Shape::Text(Text::ANY.any_scalar().pattern(IntentId::PATTERN)),
    "`INT-` and digits.",
)
.hint("give it an id such as INT-001");

/// How far an intent has come.
pub(super) const STATUS: Field =
    Field::required("status", Shape::Word(&Status::WORDS), "How far it has come.");

/// The scope of an intent.
pub(super) const SCOPE: Field = Field::required(
    "owned_scope",
    Shape::List { item: &A_PATTERN, least: 1, most: None },
    "Globs over workspace-relative paths: the files it may write.",
)
.aliases(&["ownedScope"])
.hint("list the files it may write, such as `- src/**`");

static PATTERN: Choice = Choice {
    name: "Pattern",
    doc: "Files that an intent may write.",
    options: &[
        (Shape::STRING, "A glob, such as `src/**`."),
        (Shape::Object(&DESCRIBED_PATTERN), "A glob with a note on it."),
    ],
};

/// A pattern with a note on it.
pub(super) static DESCRIBED_PATTERN: Object = Object {
    name: "DescribedPattern",
    doc: "A glob with a note on it.",
    fields: &[
        Field::required("pattern", WORDS, "The glob.").hint("write `pattern: src/**`"),
        Field::new("description", WORDS, "What the files are."),
    ],
    open: false,
};

const AN_INTENT: Shape = Shape::Object(&INTENT);
const A_PATTERN: Shape = Shape::Choice(&PATTERN);
const WORDS: Shape = Shape::Text(Text::ANY.any_scalar());
const TEXTS: Shape = Shape::list(&WORDS);
const ON_LINES: &str = "write each on a line of its own, after `- `";
