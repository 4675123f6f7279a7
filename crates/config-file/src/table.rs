//! Tables that declare a file: its keys with their types, limits and documentation.
//!
//! [`Fields`](crate::Fields) reads by them and [`schema`](crate::schema) describes them, so a key, a
//! limit or a word is written once.

/// A mapping with known keys.
#[derive(Debug)]
pub struct Object {
    /// Its name in the schema.
    pub name: &'static str,
    /// Its description.
    pub doc: &'static str,
    /// Its keys, in the order of documentation.
    pub fields: &'static [Field],
    /// Whether it may contain other keys.
    pub open: bool,
}

/// A key with its type and documentation.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// Other spellings of the key.
    pub aliases: &'static [&'static str],
    /// Its description.
    pub doc: &'static str,
    /// The hint for a missing or invalid value, if the type is not hint enough.
    pub hint: Option<&'static str>,
    /// Whether the key must exist and must not be empty.
    pub required: bool,
    /// The allowed values.
    pub shape: Shape,
    /// The value if the file omits the key.
    pub default: Option<DefaultValue>,
}

/// The default value of a key.
#[derive(Debug, Clone, Copy)]
pub enum DefaultValue {
    /// `true` or `false`.
    Boolean(bool),
    /// An integer.
    Integer(u64),
    /// A number.
    Number(f64),
}

/// The type of a value.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// A string.
    Text(Text),
    /// One of a few words.
    Word(&'static Words),
    /// `true` or `false`.
    Boolean,
    /// An integer within these bounds.
    Integer(u64, u64),
    /// A number of at least this value.
    Number(f64),
    /// An array.
    Array {
        /// The shape of its items.
        item: &'static Shape,
        /// The fewest items.
        least: usize,
        /// The most items.
        most: Option<usize>,
    },
    /// A mapping with known keys.
    Object(&'static Object),
    /// A mapping from any key to values of this shape.
    Values(&'static Shape),
    /// Any value.
    Any,
    /// One of several shapes that differ in their type.
    Choice(&'static Choice),
    /// One of several objects, selected by a word in them.
    Union(&'static Union),
}

/// The limits of a string.
#[derive(Debug, Clone, Copy)]
pub struct Text {
    /// The fewest characters.
    pub least: usize,
    /// The most characters, and the name of that limit in errors.
    pub most: Option<(usize, &'static str)>,
    /// The regular expression it matches; the reader explains errors in words.
    pub pattern: Option<&'static str>,
    /// Whether a number or a boolean is accepted as a string.
    pub any_scalar: bool,
}

/// A closed set of words.
#[derive(Debug)]
pub struct Words {
    /// Its name in the schema.
    pub name: &'static str,
    /// Their description.
    pub doc: &'static str,
    /// The words.
    pub words: &'static [Word],
}

/// A word of a closed set.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    /// The word.
    pub word: &'static str,
    /// Its meaning; empty if the word is clear.
    pub doc: &'static str,
}

/// Shapes that differ in their type.
#[derive(Debug)]
pub struct Choice {
    /// Its name in the schema.
    pub name: &'static str,
    /// Their description.
    pub doc: &'static str,
    /// Each shape with its meaning.
    pub options: &'static [(Shape, &'static str)],
}

/// Objects that are selected by a word in them.
#[derive(Debug)]
pub struct Union {
    /// Its name in the schema.
    pub name: &'static str,
    /// Their description.
    pub doc: &'static str,
    /// The key of the word.
    pub tag: &'static str,
    /// The key of the fields, if they are in their own mapping.
    pub content: Option<&'static str>,
    /// The objects.
    pub variants: &'static [Variant],
}

/// One object of a union.
#[derive(Debug)]
pub struct Variant {
    /// Its word.
    pub word: &'static str,
    /// Its meaning; empty if the word is clear.
    pub doc: &'static str,
    /// Its fields.
    pub object: &'static Object,
}

impl Object {
    /// Returns every declared key, in every spelling.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.fields.iter().flat_map(|it| std::iter::once(it.key).chain(it.aliases.iter().copied()))
    }

    /// Returns the field of a key, in any spelling.
    pub fn field(&self, key: &str) -> Option<&'static Field> {
        self.fields.iter().find(|it| it.is(key))
    }
}

impl Field {
    /// Declares an optional key.
    pub const fn new(key: &'static str, shape: Shape, doc: &'static str) -> Self {
        Self { key, aliases: &[], doc, hint: None, required: false, shape, default: None }
    }

    /// Declares a required key.
    pub const fn required(key: &'static str, shape: Shape, doc: &'static str) -> Self {
        Self { required: true, ..Self::new(key, shape, doc) }
    }

    /// Adds the hint for a missing or invalid value.
    #[must_use]
    pub const fn hint(self, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..self }
    }

    /// Adds other spellings.
    #[must_use]
    pub const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    /// Adds the value that applies if the file omits the key.
    #[must_use]
    pub const fn default(self, value: DefaultValue) -> Self {
        Self { default: Some(value), ..self }
    }

    /// Returns whether a key is this one, in any spelling.
    pub fn is(&self, key: &str) -> bool {
        self.key == key || self.aliases.contains(&key)
    }
}

impl Shape {
    /// Any string.
    pub const STRING: Self = Self::Text(Text::ANY);
    /// An array of strings.
    pub const STRINGS: Self = Self::array(&Self::STRING);
    /// An integer above zero.
    pub const POSITIVE: Self = Self::Integer(1, u64::MAX);
    /// A mapping of any values.
    pub const ANY_MAP: Self = Self::Values(&Self::Any);

    /// Returns an array without limits.
    pub const fn array(item: &'static Self) -> Self {
        Self::Array { item, least: 0, most: None }
    }
}

impl Text {
    /// A string without limits.
    pub const ANY: Self = Self { least: 0, most: None, pattern: None, any_scalar: false };

    /// Limits its length; errors name the limit.
    #[must_use]
    pub const fn at_most(self, characters: usize, limit: &'static str) -> Self {
        Self { most: Some((characters, limit)), ..self }
    }

    /// Requires at least one character.
    #[must_use]
    pub const fn not_empty(self) -> Self {
        Self { least: 1, ..self }
    }

    /// Describes it by a regular expression.
    #[must_use]
    pub const fn pattern(self, pattern: &'static str) -> Self {
        Self { pattern: Some(pattern), ..self }
    }

    /// Accepts a number or a boolean as a string.
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
    /// Declares a word with its meaning.
    pub const fn new(word: &'static str, doc: &'static str) -> Self {
        Self { word, doc }
    }
}
