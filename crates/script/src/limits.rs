//! The resource limits of one module.

/// The size limits of a module; its time limit is the [`crate::Sandbox`]'s deadline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of engine memory, beyond what the event itself needs; 1 MiB is always granted.
    pub memory: usize,
    /// Bytes of the engine's native stack.
    pub stack: usize,
    /// Bytes of one source file.
    pub source: usize,
    /// Files one module may import, directly or not.
    pub imports: usize,
    /// Bytes of the returned action as JSON.
    pub action: usize,
    /// Lines one event may log.
    pub log_lines: usize,
    /// Bytes of all lines of one event together.
    pub log_bytes: usize,
    /// Bytes of one file read through `node:fs`.
    pub file: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory: 32 << 20,
            stack: 512 << 10,
            source: 1 << 20,
            imports: 64,
            action: 1 << 20,
            log_lines: 200,
            log_bytes: 64 << 10,
            file: 4 << 20,
        }
    }
}
