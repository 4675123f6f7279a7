//! Tables that declare a file: its keys, their types and limits, and what each is for.
//!
//! [`Fields`](crate::Fields) reads by them and [`schema`](crate::schema) describes them, so a
//! key, a limit or a word is written once.

/// A mapping with known keys.
#[derive(Debug)]
pub struct Object {
    /// Its name in the schema.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Its keys, in the order in which people are shown them.
    pub fields: &'static [Field],
    /// Whether other keys may stand in it.
    pub open: bool,
}

/// A key and what belongs there.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// Other spellings of the key.
    pub aliases: &'static [&'static str],
    /// What it says.
    pub doc: &'static str,
    /// What to do when it is missing or wrong, where the type does not say enough.
    pub hint: Option<&'static str>,
    /// Whether it has to be there and to say something.
    pub required: bool,
    /// What belongs there.
    pub shape: Shape,
    /// The value of a file that leaves it out.
    pub default: Option<DefaultValue>,
}

/// The value of a key that a file leaves out.
#[derive(Debug, Clone, Copy)]
pub enum DefaultValue {
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number.
    Integer(u64),
    /// A number.
    Number(f64),
}

/// What a value may be.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// A string.
    Text(Text),
    /// One of a few words.
    Word(&'static Words),
    /// `true` or `false`.
    Boolean,
    /// A whole number within these bounds.
    Integer(u64, u64),
    /// A number of at least this.
    Number(f64),
    /// A list.
    List {
        /// What its items are.
        item: &'static Shape,
        /// The fewest items.
        least: usize,
        /// The most items.
        most: Option<usize>,
    },
    /// A mapping with known keys.
    Object(&'static Object),
    /// A mapping from any key to such values.
    Values(&'static Shape),
    /// Any value.
    Any,
    /// One of several shapes that differ in their type.
    Choice(&'static Choice),
    /// One of several objects, told apart by a word in them.
    Union(&'static Union),
}

/// The limits of a string.
#[derive(Debug, Clone, Copy)]
pub struct Text {
    /// The fewest characters.
    pub least: usize,
    /// The most characters, and what errors call that limit.
    pub most: Option<(usize, &'static str)>,
    /// The regular expression it matches; the reader says in words what is wrong.
    pub pattern: Option<&'static str>,
    /// Whether a number or a boolean counts as its text.
    pub any_scalar: bool,
}

/// A closed set of words.
#[derive(Debug)]
pub struct Words {
    /// Its name in the schema.
    pub name: &'static str,
    /// What they stand for.
    pub doc: &'static str,
    /// The words.
    pub words: &'static [Word],
}

/// A word of a closed set.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    /// The word.
    pub word: &'static str,
    /// What it means; empty if the word says it.
    pub doc: &'static str,
}

/// Shapes that differ in their type.
#[derive(Debug)]
pub struct Choice {
    /// Its name in the schema.
    pub name: &'static str,
    /// What they stand for.
    pub doc: &'static str,
    /// Each shape with what it means.
    pub options: &'static [(Shape, &'static str)],
}

/// Objects that a word in them tells apart.
#[derive(Debug)]
pub struct Union {
    /// Its name in the schema.
    pub name: &'static str,
    /// What they stand for.
    pub doc: &'static str,
    /// The key of the word.
    pub tag: &'static str,
    /// The key of the fields, where they are a mapping of their own.
    pub content: Option<&'static str>,
    /// The objects.
    pub variants: &'static [Variant],
}

/// One object of a union.
#[derive(Debug)]
pub struct Variant {
    /// Its word.
    pub word: &'static str,
    /// What it means; empty if the word says it.
    pub doc: &'static str,
    /// Its fields.
    pub object: &'static Object,
}

impl Object {
    /// Returns every key it knows, in every spelling.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.fields.iter().flat_map(|it| std::iter::once(it.key).chain(it.aliases.iter().copied()))
    }

    /// Returns the field of a key, in whatever spelling.
    pub fn field(&self, key: &str) -> Option<&'static Field> {
        self.fields.iter().find(|it| it.is(key))
    }
}

impl Field {
    /// Declares an optional key.
    pub const fn new(key: &'static str, shape: Shape, doc: &'static str) -> Self {
        Self { key, aliases: &[], doc, hint: None, required: false, shape, default: None }
    }

    /// Declares a key that has to be there.
    pub const fn required(key: &'static str, shape: Shape, doc: &'static str) -> Self {
        Self { required: true, ..Self::new(key, shape, doc) }
    }

    /// Adds what to do when it is missing or wrong.
    #[must_use]
    pub const fn hint(self, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..self }
    }

    /// Adds other spellings.
    #[must_use]
    pub const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    /// Adds the value of a file that leaves it out.
    #[must_use]
    pub const fn default(self, value: DefaultValue) -> Self {
        Self { default: Some(value), ..self }
    }

    /// Returns whether a key is this one, in whatever spelling.
    pub fn is(&self, key: &str) -> bool {
        self.key == key || self.aliases.contains(&key)
    }
}

impl Shape {
    /// Any string.
    pub const STRING: Self = Self::Text(Text::ANY);
    /// A list of strings.
    pub const STRINGS: Self = Self::list(&Self::STRING);
    /// A whole number above zero.
    pub const POSITIVE: Self = Self::Integer(1, u64::MAX);
    /// A mapping of anything.
    pub const ANY_MAP: Self = Self::Values(&Self::Any);

    /// Returns a list without limits.
    pub const fn list(item: &'static Self) -> Self {
        Self::List { item, least: 0, most: None }
    }
}

impl Text {
    /// A string without limits.
    pub const ANY: Self = Self { least: 0, most: None, pattern: None, any_scalar: false };

    /// Limits its length; errors call the limit by its name.
    #[must_use]
    pub const fn at_most(self, characters: usize, limit: &'static str) -> Self {
        Self { most: Some((characters, limit)), ..self }
    }

    /// Demands at least one character.
    #[must_use]
    pub const fn not_empty(self) -> Self {
        Self { least: 1, ..self }
    }

    /// Describes it by a regular expression.
    #[must_use]
    pub const fn pattern(self, pattern: &'static str) -> Self {
        Self { pattern: Some(pattern), ..self }
    }

    /// Lets a number or a boolean count as its text.
    #[must_use]
    pub const fn any_scalar(self) -> Self {
        Self { any_scalar: true, ..self }
    }
}

impl Words {
    /// Returns the words.
    pub fn iter(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.words.iter().map(|it| it.word)
    }
}

impl Word {
    /// Declares a word with what it means.
    pub const fn new(word: &'static str, doc: &'static str) -> Self {
        Self { word, doc }
    }
}
