//! `node:crypto`: hashes and random bytes.

use std::fs::File;
use std::io::Read as _;
use std::rc::Rc;

use rquickjs::{Ctx, Exception, Function, Object, Result, TypedArray};
use sha2::{Digest as _, Sha224, Sha256, Sha384, Sha512};

use super::bytes;
use crate::realm::Realm;

/// The most random bytes per call.
const MAX_RANDOM: usize = 64 << 10;

pub(super) fn natives<'js>(ctx: &Ctx<'js>, _: &Rc<Realm>) -> Result<Object<'js>> {
    let natives = Object::new(ctx.clone())?;
    let digest = |ctx: Ctx<'js>, algorithm: String, parts: Vec<String>, encoding: String| {
        digest(&ctx, &algorithm, parts, &encoding)
    };
    natives.set("digest", Function::new(ctx.clone(), digest)?)?;
    natives.set("random", Function::new(ctx.clone(), random)?)?;
    Ok(natives)
}

/// Hashes alternating text (as UTF-8) and bytes (one character each): `[text, bytes, text, …]`.
fn digest(ctx: &Ctx<'_>, algorithm: &str, parts: Vec<String>, encoding: &str) -> Result<String> {
    let encoding = bytes::known(ctx, encoding)?;
    let input: Vec<u8> = parts
        .into_iter()
        .enumerate()
        .flat_map(|(index, part)| if index % 2 == 0 { part.into_bytes() } else { bytes::from_binary(&part) })
        .collect();
    let hash = match algorithm.to_ascii_lowercase().replace('-', "").as_str() {
        "sha224" => Sha224::digest(&input).to_vec(),
        "sha256" => Sha256::digest(&input).to_vec(),
        "sha384" => Sha384::digest(&input).to_vec(),
        "sha512" => Sha512::digest(&input).to_vec(),
        _ => {
            let message = format!("unsupported hash `{algorithm}`: use sha256, sha224, sha384 or sha512");
            return Err(Exception::throw_message(ctx, &message));
        }
    };
    Ok(encoding.encode(&hash))
}

fn random(ctx: Ctx<'_>, size: f64) -> Result<TypedArray<'_, u8>> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a cast of this kind saturates"
    )]
    let size = size as usize;
    if size > MAX_RANDOM {
        return Err(Exception::throw_range(&ctx, "too many random bytes at once"));
    }
    let mut bytes = vec![0; size];
    File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut bytes))
        .map_err(|_| Exception::throw_message(&ctx, "no source of random bytes on this system"))?;
    TypedArray::new_copy(ctx, bytes)
}
