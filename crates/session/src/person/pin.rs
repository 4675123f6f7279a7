//! An optional PIN, with which a person may work in a terminal that an agent shares.
//!
//! The user's state folder has only a salted hash that takes long to compute, so that a script which reads it cannot
//! try all PINs. Wrong attempts make every further one wait.

use std::fs;
use std::io::{self, Read};

use encoding::hex;
use event::AbsPath;
use serde::{Deserialize, Serialize};
use store::plain_file;

/// The stored hash of a PIN.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "pin"))]
#[serde(rename_all = "camelCase")]
pub struct PinRecord {
    /// The format of the file.
    version: u32,
    /// Random bytes, in hexadecimal digits.
    salt: String,
    /// The number of rounds of the hash.
    rounds: u32,
    /// The hash, in hexadecimal digits.
    hash: String,
    /// The number of wrong attempts since the last right one.
    #[serde(default)]
    n_wrong: u32,
    /// When the last wrong attempt was, in milliseconds since 1970.
    #[serde(default)]
    wrong_at: u64,
}

/// Why a PIN is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PinError {
    /// It is too short to be safe from guesses.
    #[error("a PIN has at least {MIN_LENGTH} characters")]
    TooShort,
    /// It is not the right one.
    #[error("the PIN is wrong")]
    Wrong,
    /// After wrong attempts, the next must wait.
    #[error("the PIN was wrong too often; try again in {seconds} s")]
    TooSoon {
        /// How long.
        seconds: u64,
    },
}

/// The shortest PIN.
const MIN_LENGTH: usize = 6;

/// The number of wrong attempts without a wait.
const N_FREE: u32 = 3;

/// The wait after the next wrong attempt; it doubles with each further one.
const FIRST_WAIT_MS: u64 = 60_000;

/// The longest wait.
const LONGEST_WAIT_MS: u64 = 24 * 60 * 60 * 1000;

/// About a third of a second.
const ROUNDS: u32 = 300_000;

const FORMAT: u32 = 1;

impl PinRecord {
    /// Reads the stored hash. Returns `None` if no PIN is set.
    pub fn read(user_state: &AbsPath) -> Option<Self> {
        let bytes = plain_file::read(file(user_state).as_path()).ok()?;
        serde_json::from_slice(&bytes).ok().filter(|record: &Self| record.version == FORMAT)
    }

    /// Sets a PIN.
    pub fn set(user_state: &AbsPath, pin: &str) -> io::Result<()> {
        let mut salt = [0; 16];
        fs::File::open("/dev/urandom")?.read_exact(&mut salt)?;
        let hash = hex::encode(&hash_of(pin, &salt, ROUNDS));
        let salt = hex::encode(&salt);
        Self { version: FORMAT, salt, rounds: ROUNDS, hash, n_wrong: 0, wrong_at: 0 }.write(user_state)
    }

    /// Removes the PIN. Returns whether there was one.
    pub fn remove(user_state: &AbsPath) -> io::Result<bool> {
        store::remove_file(file(user_state).as_path())
    }

    /// Checks a PIN, and counts a wrong one.
    pub fn check(self, user_state: &AbsPath, pin: &str) -> Result<(), PinError> {
        let now = store::now().as_millis();
        let left = self.waits_until().saturating_sub(now);
        if left > 0 {
            return Err(PinError::TooSoon { seconds: left.div_ceil(1000) });
        }
        let salt = hex::decode(self.salt.bytes());
        let is_right = hex::encode(&hash_of(pin, &salt, self.rounds)) == self.hash;
        let n_wrong = if is_right { 0 } else { self.n_wrong.saturating_add(1) };
        let record = Self { n_wrong, wrong_at: now, ..self };
        // Without the count a script could try as often as it likes.
        if record.write(user_state).is_err() || !is_right {
            return Err(PinError::Wrong);
        }
        Ok(())
    }

    fn waits_until(&self) -> u64 {
        match self.n_wrong.checked_sub(N_FREE) {
            None => 0,
            Some(more) => {
                let wait = FIRST_WAIT_MS.saturating_mul(1 << more.min(16)).min(LONGEST_WAIT_MS);
                self.wrong_at.saturating_add(wait)
            }
        }
    }

    fn write(&self, user_state: &AbsPath) -> io::Result<()> {
        store::create_folder(user_state.as_path())?;
        let text = serde_json::to_vec(self).unwrap_or_default();
        store::write_shared(file(user_state).as_path(), &text).map_err(io::Error::other)
    }
}

/// Checks whether a PIN may be set.
pub fn check_length(pin: &str) -> Result<(), PinError> {
    if pin.chars().count() < MIN_LENGTH { Err(PinError::TooShort) } else { Ok(()) }
}

fn file(user_state: &AbsPath) -> AbsPath {
    store::pin_file(user_state)
}

/// PBKDF2 with HMAC-SHA-256 and one block (RFC 8018).
fn hash_of(pin: &str, salt: &[u8], rounds: u32) -> [u8; 32] {
    let mac = |bytes: &[u8]| hmac_sha256::HMAC::mac(bytes, pin.as_bytes());
    let mut last = mac(&[salt, &1_u32.to_be_bytes()].concat());
    let mut hash = last;
    for _ in 1..rounds {
        last = mac(&last);
        hash.iter_mut().zip(last).for_each(|(one, other)| *one ^= other);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_the_standard() {
        // RFC 7914, section 11, the first 32 bytes.
        let expected = "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc";
        assert_eq!(hex::encode(&hash_of("passwd", b"salt", 1)), expected);
        let expected = "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56";
        assert_eq!(hex::encode(&hash_of("Password", b"NaCl", 80_000)), expected);
    }

    #[test]
    fn a_wrong_pin_is_refused_and_makes_the_next_wait() {
        let dir = tempfile::tempdir().unwrap();
        let state = AbsPath::new(dir.path().join("state")).unwrap();
        assert_eq!(PinRecord::read(&state), None);
        PinRecord::set(&state, "correct horse").unwrap();
        let attempt = |pin: &str| PinRecord::read(&state).unwrap().check(&state, pin);
        assert_eq!(attempt("correct horse"), Ok(()));
        for _ in 0..N_FREE {
            assert_eq!(attempt("wrong horse"), Err(PinError::Wrong));
        }
        assert!(matches!(attempt("correct horse"), Err(PinError::TooSoon { seconds: 1..=60 })));
        let text = fs::read_to_string(file(&state).as_path()).unwrap();
        assert!(!text.contains("horse"), "{text}");
        assert_eq!((PinRecord::remove(&state).unwrap(), PinRecord::read(&state)), (true, None));
        assert_eq!((check_length("12345"), check_length("123456")), (Err(PinError::TooShort), Ok(())));
    }
}
