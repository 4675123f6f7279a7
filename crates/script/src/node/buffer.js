export const Buffer = globalThis.Buffer;
export default { Buffer };
