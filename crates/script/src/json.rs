//! Converts the values that a module returns or logs into JSON.
//!
//! INVARIANT: only an object's own properties count and no method of the value is
//! called (a getter or a proxy trap may run, under the same deadline). So
//! neither a `toJSON` nor a changed prototype alters the result.

use std::fmt;

use rquickjs::object::Filter;
use rquickjs::{Array, Ctx, Function, Object, Type, Value};
use serde_json::{Map, Number, Value as Json};

/// The maximum nesting; `serde_json` has the same limit.
const MAX_DEPTH: usize = 127;

/// The largest safe integer of JavaScript.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// Why a value cannot be converted to JSON.
#[derive(Debug)]
pub(crate) enum JsonError {
    /// A getter, a proxy or the engine threw; the exception is pending.
    Threw(rquickjs::Error),
    /// The value exceeds its size limit.
    TooLarge,
    /// The value contains something that JSON cannot represent.
    Holds {
        /// The path, as `.a.b[0]`.
        at: String,
        /// The description.
        what: &'static str,
    },
}

impl From<rquickjs::Error> for JsonError {
    fn from(error: rquickjs::Error) -> Self {
        Self::Threw(error)
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threw(_) => out.write_str("reading it threw"),
            Self::TooLarge => out.write_str("too large"),
            Self::Holds { at, what } if at.is_empty() => out.write_str(what),
            Self::Holds { at, what } => write!(out, "{what} at `{at}`"),
        }
    }
}

/// Returns `value` as JSON of about `room` bytes at most, with its size in bytes.
///
/// Returns `None` for values that JSON omits: `undefined`, functions, symbols.
pub(crate) fn from_js(value: &Value<'_>, room: usize) -> Result<(Option<Json>, usize), JsonError> {
    let mut reader = Reader { left: room, at: Vec::new() };
    let json = reader.read(value)?;
    Ok((json, room - reader.left))
}

/// Returns a JavaScript string as UTF-8; an unpaired surrogate becomes U+FFFD.
pub(crate) fn text<'js>(string: &rquickjs::String<'js>) -> rquickjs::Result<String> {
    match string.to_string() {
        Err(rquickjs::Error::Utf8(_)) => {
            let ctx = string.as_value().ctx();
            let prototype: Object<'js> = ctx.globals().get::<_, Object<'js>>("String")?.get("prototype")?;
            let to_well_formed: Function<'js> = prototype.get("toWellFormed")?;
            to_well_formed
                .call::<_, rquickjs::String<'js>>((rquickjs::function::This(string.clone()),))?
                .to_string()
        }
        other => other,
    }
}

struct Reader {
    left: usize,
    at: Vec<Step>,
}

enum Step {
    Key(String),
    Index(u32),
}

impl Reader {
    fn read(&mut self, value: &Value<'_>) -> Result<Option<Json>, JsonError> {
        let json = match value.type_of() {
            Type::Undefined | Type::Uninitialized | Type::Symbol | Type::Function | Type::Constructor => {
                return Ok(None);
            }
            Type::Null => self.spend(4, Json::Null)?,
            Type::Bool => self.spend(5, Json::Bool(value.as_bool().unwrap_or(false)))?,
            Type::Int => self.spend(4, Json::from(value.as_int().unwrap_or(0)))?,
            Type::Float => self.spend(8, number(value.as_float().unwrap_or(f64::NAN)))?,
            Type::String => {
                let text = value.as_string().map(text).transpose()?.unwrap_or_default();
                self.spend(text.len() + 2, Json::String(text))?
            }
            Type::BigInt => return Err(self.holds("a BigInt")),
            Type::Promise => return Err(self.holds("a promise, which was not awaited,")),
            Type::Exception => self.error(value)?,
            Type::Array => match value.as_array() {
                Some(array) => self.array(array)?,
                None => return Ok(None),
            },
            _ => match value.as_object() {
                Some(object) => self.object(object)?,
                None => return Err(self.holds("something unknown")),
            },
        };
        Ok(Some(json))
    }

    fn array(&mut self, array: &Array<'_>) -> Result<Json, JsonError> {
        self.spend(2, ())?;
        // WHY: not `Array::len`, which panics on a length that is not a 31 bit number.
        let length: f64 = array.as_object().get("length")?;
        let mut items = Vec::new();
        for index in (0_u32..).take_while(|index| f64::from(*index) < length) {
            self.spend(1, ())?;
            let item: Value<'_> = array.get(index as usize)?;
            items.push(self.below(Step::Index(index), &item)?.unwrap_or(Json::Null));
        }
        Ok(Json::Array(items))
    }

    fn object<'js>(&mut self, object: &Object<'js>) -> Result<Json, JsonError> {
        self.spend(2, ())?;
        let mut map = Map::new();
        for property in object.own_props::<rquickjs::String<'js>, Value<'js>>(Filter::default()) {
            let (key, value) = property?;
            let key = text(&key)?;
            self.spend(key.len() + 4, ())?;
            if let Some(json) = self.below(Step::Key(key.clone()), &value)? {
                map.insert(key, json);
            }
        }
        // Dates, sets and maps have no own properties.
        if map.is_empty()
            && let Some(plain) = plain_of(object)?
        {
            return Ok(self.read(&plain)?.unwrap_or(Json::Null));
        }
        Ok(Json::Object(map))
    }

    fn error<'js>(&mut self, value: &Value<'js>) -> Result<Json, JsonError> {
        let Some(object) = value.as_object() else { return Ok(Json::Null) };
        let mut map = Map::new();
        for key in ["name", "message", "stack"] {
            let part: Value<'js> = object.get(key)?;
            if part.is_string()
                && let Some(json) = self.below(Step::Key(key.to_owned()), &part)?
            {
                map.insert(key.to_owned(), json);
            }
        }
        Ok(Json::Object(map))
    }

    fn below(&mut self, step: Step, value: &Value<'_>) -> Result<Option<Json>, JsonError> {
        if self.at.len() >= MAX_DEPTH {
            return Err(JsonError::Holds {
                at: String::new(),
                what: "a cycle, or something nested more than 127 levels deep",
            });
        }
        self.at.push(step);
        let json = self.read(value)?;
        self.at.pop();
        Ok(json)
    }

    fn spend<T>(&mut self, bytes: usize, value: T) -> Result<T, JsonError> {
        self.left = self.left.checked_sub(bytes).ok_or(JsonError::TooLarge)?;
        Ok(value)
    }

    fn holds(&self, what: &'static str) -> JsonError {
        let at = self.at.iter().map(|step| match step {
            Step::Key(key) => format!(".{key}"),
            Step::Index(index) => format!("[{index}]"),
        });
        JsonError::Holds { at: at.collect(), what }
    }
}

/// Returns the number as `JSON.stringify` writes it: integers without a fraction, NaN as null.
fn number(value: f64) -> Json {
    if value.fract() == 0.0 && value.abs() <= MAX_SAFE_INTEGER {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number within ±2^53")]
        return Json::from(value as i64);
    }
    Number::from_f64(value).map_or(Json::Null, Json::Number)
}

/// Returns a date as a string, a set as an array, a map as an object.
fn plain_of<'js>(object: &Object<'js>) -> rquickjs::Result<Option<Value<'js>>> {
    let ctx = object.ctx();
    if is_a(ctx, object, "Date")? {
        let date: Object<'js> = ctx.globals().get::<_, Object<'js>>("Date")?.get("prototype")?;
        let to_iso: Function<'js> = date.get("toISOString")?;
        // An invalid date throws; it is null in JSON.
        let text = to_iso.call::<_, Value<'js>>((rquickjs::function::This(object.clone()),));
        return Ok(Some(text.unwrap_or_else(|_| {
            ctx.catch();
            Value::new_null(ctx.clone())
        })));
    }
    for (class, owner, function) in [("Set", "Array", "from"), ("Map", "Object", "fromEntries")] {
        if is_a(ctx, object, class)? {
            let owner: Object<'js> = ctx.globals().get(owner)?;
            let convert: Function<'js> = owner.get(function)?;
            return convert.call((rquickjs::function::This(owner), object.clone())).map(Some);
        }
    }
    Ok(None)
}

fn is_a<'js>(ctx: &Ctx<'js>, object: &Object<'js>, class: &str) -> rquickjs::Result<bool> {
    let class: Value<'js> = ctx.globals().get(class)?;
    let is = class.is_function() && object.is_instance_of(&class);
    if ctx.has_exception() { Err(rquickjs::Error::Exception) } else { Ok(is) }
}
