//! The states of an entry, and the ways between them.

/// Whether an agent can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    /// It is being looked at.
    Discovering,
    /// It can be used.
    Available,
    /// Its file or extension is gone.
    Unavailable,
    /// Its file is not valid.
    Error,
}

/// A way that does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an agent that is {} cannot become {}", from.as_str(), to.as_str())]
pub struct NotAllowed {
    /// The state it is in.
    pub from: State,
    /// The state it was to be in.
    pub to: State,
}

impl State {
    /// Every one of them.
    pub const ALL: [Self; 4] = [Self::Discovering, Self::Available, Self::Unavailable, Self::Error];

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Discovering => "DISCOVERING",
            Self::Available => "AVAILABLE",
            Self::Unavailable => "UNAVAILABLE",
            Self::Error => "ERROR",
        }
    }

    /// Goes to another state, if there is a way.
    pub fn to(self, to: Self) -> Result<Self, NotAllowed> {
        let is_way = matches!(
            (self, to),
            (Self::Discovering | Self::Unavailable, Self::Available | Self::Error)
                | (Self::Available, Self::Unavailable)
                | (Self::Error, Self::Available)
        );
        if is_way { Ok(to) } else { Err(NotAllowed { from: self, to }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ways_are_those_of_the_picture() {
        let mut ways = Vec::new();
        for from in State::ALL {
            ways.extend(State::ALL.into_iter().filter(|to| from.to(*to).is_ok()).map(|to| (from, to)));
        }
        assert_eq!(
            ways,
            [
                (State::Discovering, State::Available),
                (State::Discovering, State::Error),
                (State::Available, State::Unavailable),
                (State::Unavailable, State::Available),
                (State::Unavailable, State::Error),
                (State::Error, State::Available),
            ]
        );
        let wrong = State::Error.to(State::Discovering).expect_err("no way");
        assert_eq!(wrong.to_string(), "an agent that is ERROR cannot become DISCOVERING");
    }
}
