//! The states of an entry, and their transitions.

/// The state of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    /// It is being checked.
    Discovering,
    /// It is available.
    Available,
    /// Its file or extension does not exist any more.
    Unavailable,
    /// Its file is invalid.
    Error,
}

/// A forbidden transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cannot change the state of an agent from {} to {}", from.as_str(), to.as_str())]
pub struct InvalidStateChange {
    /// The current state.
    pub from: State,
    /// The requested state.
    pub to: State,
}

impl State {
    /// All states.
    pub const ALL: [Self; 4] = [Self::Discovering, Self::Available, Self::Unavailable, Self::Error];

    /// Returns the name used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Discovering => "DISCOVERING",
            Self::Available => "AVAILABLE",
            Self::Unavailable => "UNAVAILABLE",
            Self::Error => "ERROR",
        }
    }

    /// Moves to another state. Fails if the transition is forbidden.
    pub fn to(self, to: Self) -> Result<Self, InvalidStateChange> {
        let is_way = matches!(
            (self, to),
            (Self::Discovering | Self::Unavailable, Self::Available | Self::Error)
                | (Self::Available, Self::Unavailable)
                | (Self::Error, Self::Available)
        );
        if is_way { Ok(to) } else { Err(InvalidStateChange { from: self, to }) }
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
        assert_eq!(wrong.to_string(), "cannot change the state of an agent from ERROR to DISCOVERING");
    }
}
