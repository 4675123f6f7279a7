//! How one try of a run ended.

/// How one try ended. All text in it has gone through the automation's filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It did what it was asked.
    Success {
        /// The exit code of the program, if there was one.
        exit_code: Option<i32>,
        /// What it printed.
        logs: String,
    },
    /// It did not.
    Failure {
        /// A constant for programs.
        code: &'static str,
        /// A sentence for people.
        message: String,
        /// The exit code of the program, if there was one.
        exit_code: Option<i32>,
        /// What it printed.
        logs: String,
    },
    /// Its time was up.
    Timeout {
        /// What it printed until then.
        logs: String,
    },
    /// It was stopped.
    Stopped {
        /// What it printed until then.
        logs: String,
    },
}

impl Ending {
    /// Codes of failures that another try would meet again.
    const LASTING: [&str; 9] = [
        "FILE_DELETED",
        "EXTENSION_UNINSTALLED",
        "CLI_NOT_INSTALLED",
        "INVALID_SCHEMA",
        "UNKNOWN",
        "NO_RUNNER",
        "TEMPLATE_ERROR",
        "NO_SUCH_SERVER",
        "SECRET_PATTERN",
    ];

    /// A failure of something that never began.
    pub(crate) fn failure(code: &'static str, message: impl Into<String>) -> Self {
        Self::Failure { code, message: message.into(), exit_code: None, logs: String::new() }
    }

    /// Adds something to what is kept of its output.
    #[must_use]
    pub(crate) fn with(mut self, addition: &str) -> Self {
        let (Self::Success { logs, .. }
        | Self::Failure { logs, .. }
        | Self::Timeout { logs }
        | Self::Stopped { logs }) = &mut self;
        if !addition.is_empty() && !logs.is_empty() && !logs.ends_with('\n') {
            logs.push('\n');
        }
        logs.push_str(addition);
        self
    }

    /// Returns whether another try may end better.
    pub(crate) fn may_be_tried_again(&self) -> bool {
        matches!(self, Self::Failure { code, .. } if !Self::LASTING.contains(code))
    }
}
