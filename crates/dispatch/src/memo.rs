//! What a module hands to itself, from judging an event to recording what was decided.

use std::any::Any;
use std::fmt;
use std::rc::Rc;

/// One value of any type, for the module that made it.
#[derive(Clone, Default)]
pub struct Memo(Option<Rc<dyn Any>>);

impl Memo {
    /// Keeps a value.
    pub fn of<T: Any>(value: T) -> Self {
        Self(Some(Rc::new(value)))
    }

    /// Returns the value, if there is one of this type.
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.0.as_ref()?.downcast_ref()
    }
}

/// Two memos are the same if they hold the very same value.
impl PartialEq for Memo {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Rc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        }
    }
}

impl fmt::Debug for Memo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Memo(..)" } else { "Memo(nothing)" })
    }
}
