const after = globalThis.setTimeout;
export const setTimeout = (delay, value) => new Promise((resolve) => after(resolve, delay, value));
export const setImmediate = (value) => setTimeout(0, value);
export default { setTimeout, setImmediate };
