//! The table of `.orchestration/active_intents.yaml`: keys, types, documentation.

use config_file::{Choice, Field, Object, Shape, Text};

use crate::{IntentId, Status};

/// The whole file.
pub(crate) static INTENTS: Object = Object {
    name: "active-intents",
    doc: "The intents of a workspace.",
    fields: &[Field::new("version", Shape::Integer(0, u64::MAX), "The format; 1 if not set."), LIST],
    open: false,
};

/// The list of intents.
pub(super) const LIST: Field =
    Field::required("intents", Shape::array(&AN_INTENT), "The intents, each with a unique id.")
        .aliases(&["active_intents"])
        .hint("begin with `intents:` and write each intent as `- id: INT-001` below it");

/// One intent.
pub(super) static INTENT: Object = Object {
    name: "Intent",
    doc: "A declared piece of work and the files it may write.",
    fields: &[
        ID,
        Field::required("name", WORDS, "A name for users.").hint("give it a short name for users"),
        Field::new("description", WORDS, "The task."),
        STATUS,
        SCOPE,
        Field::new("constraints", TEXTS, "The constraints of the work.").hint(ON_LINES),
        Field::new("acceptance_criteria", Shape::array(&A_CRITERION), "The criteria for completion.")
            .aliases(&["acceptanceCriteria"])
            .hint(ON_LINES),
        Field::new("metadata", Shape::ANY_MAP, "Notes of its author."),
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

/// The status of an intent.
pub(super) const STATUS: Field = Field::required("status", Shape::Word(&Status::WORDS), "Its status.");

/// The scope of an intent.
pub(super) const SCOPE: Field = Field::required(
    "owned_scope",
    Shape::Array { item: &A_PATTERN, least: 1, most: None },
    "Globs over workspace-relative paths: the files it may write.",
)
.aliases(&["ownedScope"])
.hint("list the files it may write, such as `- src/**`");

static PATTERN: Choice = Choice {
    name: "Pattern",
    doc: "Files that an intent may write.",
    options: &[
        (Shape::STRING, "A glob, such as `src/**`."),
        (Shape::Object(&DESCRIBED_PATTERN), "A glob with a description."),
    ],
};

/// A pattern with a description.
pub(super) static DESCRIBED_PATTERN: Object = Object {
    name: "DescribedPattern",
    doc: "A glob with a description.",
    fields: &[
        Field::required("pattern", WORDS, "The glob.").hint("write `pattern: src/**`"),
        Field::new("description", WORDS, "A description of the files."),
    ],
    open: false,
};

static CRITERION: Choice = Choice {
    name: "Criterion",
    doc: "A criterion for completion.",
    options: &[
        (WORDS, "A sentence, which a reader judges."),
        (Shape::Object(&RUN_CRITERION), "A command that must exit with 0."),
    ],
};

/// A criterion that is a command.
pub(super) static RUN_CRITERION: Object = Object {
    name: "RunCriterion",
    doc: "A command that must exit with 0.",
    fields: &[Field::required(
        "run",
        WORDS,
        "The command line, which a shell runs at the root of the workspace.",
    )
    .hint("write `run: cargo test`")],
    open: false,
};

const AN_INTENT: Shape = Shape::Object(&INTENT);
const A_PATTERN: Shape = Shape::Choice(&PATTERN);
const A_CRITERION: Shape = Shape::Choice(&CRITERION);
const WORDS: Shape = Shape::Text(Text::ANY.any_scalar());
const TEXTS: Shape = Shape::array(&WORDS);
const ON_LINES: &str = "write each on its own line, after `- `";
