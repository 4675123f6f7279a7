//! Why a file of intents does not load.

use std::fmt;

use config_file::Problem;

/// Everything that is wrong with a file of intents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// At least one, in the order of the file.
    pub problems: Vec<Problem>,
}

/// The document's words, then every problem on its own line.
impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Invalid active_intents.yaml: ")?;
        for (index, problem) in self.problems.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{}", problem.brief())?;
        }
        Ok(())
    }
}

impl std::error::Error for Invalid {}
