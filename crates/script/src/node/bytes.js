// Buffer, TextEncoder and TextDecoder, as much of them as text and hashes need.
(function define(globals, { encode, decode }) {
  const binary = (bytes) => {
    let text = '';
    for (let at = 0; at < bytes.length; at += 4096) {
      text += String.fromCharCode.apply(null, bytes.subarray(at, at + 4096));
    }
    return text;
  };
  class Buffer extends Uint8Array {
    static from(value, encoding) {
      if (typeof value === 'string') value = decode(value, encoding ?? 'utf8');
      else if (value instanceof ArrayBuffer) return new Buffer(value);
      const buffer = new Buffer(value.length);
      buffer.set(value);
      return buffer;
    }
    static alloc(size, fill = 0) {
      return new Buffer(size).fill(fill);
    }
    static isBuffer(value) {
      return value instanceof Buffer;
    }
    static byteLength(value, encoding) {
      return typeof value === 'string' ? decode(value, encoding ?? 'utf8').length : value.byteLength;
    }
    static concat(list) {
      const whole = new Buffer(list.reduce((size, part) => size + part.length, 0));
      let at = 0;
      for (const part of list) {
        whole.set(part, at);
        at += part.length;
      }
      return whole;
    }
    toString(encoding = 'utf8') {
      return encode(binary(this), encoding);
    }
    equals(other) {
      return binary(this) === binary(other);
    }
    toJSON() {
      return { type: 'Buffer', data: [...this] };
    }
  }
  const view = (bytes) =>
    ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
  const define = (name, value) =>
    Object.defineProperty(globals, name, { value, writable: true, configurable: true, enumerable: false });
  define('Buffer', Buffer);
  define('TextEncoder', class TextEncoder {
    get encoding() {
      return 'utf-8';
    }
    encode(text = '') {
      return decode(String(text), 'utf8');
    }
  });
  define('TextDecoder', class TextDecoder {
    constructor(label = 'utf-8') {
      if (!/^utf-?8$/i.test(label)) throw new RangeError(`only utf-8 is available, not ${label}`);
    }
    get encoding() {
      return 'utf-8';
    }
    decode(bytes) {
      return bytes === undefined ? '' : encode(binary(view(bytes)), 'utf8').replace(/^\ufeff/, '');
    }
  });
  define('btoa', (text) => encode(String(text), 'base64'));
  define('atob', (text) => encode(binary(decode(String(text), 'base64')), 'latin1'));
})
