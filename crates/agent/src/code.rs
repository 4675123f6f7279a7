//! The sorts of problems that only agents have, in the words of the registry.

use config_file::Code;

/// Another agent has this name or id.
pub const DUPLICATE_ID: Code = Code::new("DUPLICATE_ID");

/// The file cannot be read.
pub const FILE_NOT_FOUND: Code = Code::new("FILE_NOT_FOUND");

/// An editor extension cannot be understood.
pub const EXTENSION_ERROR: Code = Code::new("EXTENSION_ERROR");
