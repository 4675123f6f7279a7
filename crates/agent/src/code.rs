//! The kinds of problems that only agents have, with the registry's names.

use config_file::Code;

/// Another agent has this name or id.
pub const DUPLICATE_ID: Code = Code::new("DUPLICATE_ID");

/// The file cannot be read.
pub const FILE_NOT_FOUND: Code = Code::new("FILE_NOT_FOUND");

/// The `package.json` of an editor extension cannot be parsed.
pub const EXTENSION_ERROR: Code = Code::new("EXTENSION_ERROR");
