//! A value that a module carries from `handle` to `conclude`, or from `conclude` to `committed`.

use std::any::Any;
use std::fmt;
use std::rc::Rc;

/// One value of any type; only the module that made it reads it.
#[derive(Clone, Default)]
pub struct Carryover(Option<Rc<dyn Any>>);

impl Carryover {
    /// Stores a value.
    pub fn of<T: Any>(value: T) -> Self {
        Self(Some(Rc::new(value)))
    }

    /// Returns the value; `None` if it is missing or has another type.
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.0.as_ref()?.downcast_ref()
    }
}

/// Two are equal if they share one value.
impl PartialEq for Carryover {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Rc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        }
    }
}

impl fmt::Debug for Carryover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Carryover(..)" } else { "Carryover(none)" })
    }
}
