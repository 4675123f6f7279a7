// A deep copy of plain data, dates, sets, maps, errors and byte arrays; cycles are kept.
(function structuredClone(value) {
  const seen = new Map();
  const copy = (from) => {
    if (typeof from === 'function' || typeof from === 'symbol') {
      throw new TypeError(`${typeof from} could not be cloned`);
    }
    if (typeof from !== 'object' || from === null) return from;
    if (seen.has(from)) return seen.get(from);
    const keep = (to) => (seen.set(from, to), to);
    if (from instanceof Date) return keep(new Date(from.getTime()));
    if (from instanceof RegExp) return keep(new RegExp(from.source, from.flags));
    if (ArrayBuffer.isView(from) || from instanceof ArrayBuffer) return keep(from.slice());
    if (from instanceof Set) {
      const to = keep(new Set());
      for (const item of from) to.add(copy(item));
      return to;
    }
    if (from instanceof Map) {
      const to = keep(new Map());
      for (const [key, item] of from) to.set(copy(key), copy(item));
      return to;
    }
    const to = keep(Array.isArray(from) ? [] : {});
    if (from instanceof Error) Object.setPrototypeOf(to, Object.getPrototypeOf(from));
    const keys = from instanceof Error ? ['name', 'message', 'stack'] : Object.keys(from);
    for (const key of keys) {
      Object.defineProperty(to, key, { value: copy(from[key]), writable: true, enumerable: true, configurable: true });
    }
    return to;
  };
  return copy(value);
})
