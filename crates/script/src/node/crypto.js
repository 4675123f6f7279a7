const { digest, random } = import.meta.native;
const { Buffer } = globalThis;

class Hash {
  #algorithm;
  #parts = [];
  constructor(algorithm) {
    digest(algorithm, [], 'hex');
    this.#algorithm = algorithm;
  }
  update(data, encoding) {
    const plain = typeof data === 'string' && /^utf-?8$/i.test(encoding ?? 'utf8');
    if (plain) this.#parts.push(data, '');
    else this.#parts.push('', (Buffer.isBuffer(data) ? data : Buffer.from(data, encoding)).toString('latin1'));
    return this;
  }
  digest(encoding) {
    if (encoding === undefined || encoding === 'buffer') return Buffer.from(this.digest('hex'), 'hex');
    return digest(this.#algorithm, this.#parts, encoding);
  }
}

export const createHash = (algorithm) => new Hash(algorithm);
export const hash = (algorithm, data, encoding = 'hex') => createHash(algorithm).update(data).digest(encoding);
export const getHashes = () => ['sha224', 'sha256', 'sha384', 'sha512'];
export const randomBytes = (size) => Buffer.from(random(size));
export const randomUUID = () => {
  const bytes = random(16);
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
export default { createHash, hash, getHashes, randomBytes, randomUUID };
