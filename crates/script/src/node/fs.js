const { native } = import.meta;
const { Buffer } = globalThis;

const text = (path) => {
  const plain = String(path?.href ?? path);
  return plain.startsWith('file://') ? decodeURIComponent(plain.slice('file://'.length)) : plain;
};
const is = (kind) => ({
  isFile: () => kind === 'file',
  isDirectory: () => kind === 'directory',
  isSymbolicLink: () => kind === 'link',
});
const attempt = (call, otherwise) => {
  try {
    return call();
  } catch {
    return otherwise;
  }
};

export const readFileSync = (path, options) => {
  const encoding = typeof options === 'string' ? options : options?.encoding;
  if (encoding && /^utf-?8$/i.test(encoding)) return native.readText(text(path));
  const buffer = Buffer.from(native.readBytes(text(path)));
  return encoding ? buffer.toString(encoding) : buffer;
};
const stats = (path, follow, options) => {
  const read = () => native.stat(text(path), follow);
  try {
    const { kind, ...numbers } = read();
    return { ...numbers, mtime: new Date(numbers.mtimeMs), ...is(kind) };
  } catch (error) {
    if (options?.throwIfNoEntry === false && error.code === 'ENOENT') return undefined;
    throw error;
  }
};
export const statSync = (path, options) => stats(path, true, options);
export const lstatSync = (path, options) => stats(path, false, options);
export const existsSync = (path) => attempt(() => Boolean(native.real(text(path))), false);
export const accessSync = (path) => void native.real(text(path));
export const realpathSync = (path) => native.real(text(path));
export const readdirSync = (path, options) => {
  const flat = native.list(text(path));
  const entries = [];
  for (let at = 0; at < flat.length; at += 2) {
    const [name, kind] = [flat[at], flat[at + 1]];
    entries.push(options?.withFileTypes ? { name, parentPath: text(path), ...is(kind) } : name);
  }
  return entries;
};

const readOnly = (name) => () => {
  const error = new Error(`EROFS: hook modules are read-only, ${name} is not available; return what is to be written in the action`);
  error.code = 'EROFS';
  throw error;
};
export const [
  writeFileSync, appendFileSync, mkdirSync, mkdtempSync, rmSync, rmdirSync, unlinkSync, renameSync, copyFileSync,
  cpSync, symlinkSync, linkSync, chmodSync, chownSync, utimesSync, truncateSync, openSync, createWriteStream,
] = [
  'writeFileSync', 'appendFileSync', 'mkdirSync', 'mkdtempSync', 'rmSync', 'rmdirSync', 'unlinkSync', 'renameSync', 'copyFileSync',
  'cpSync', 'symlinkSync', 'linkSync', 'chmodSync', 'chownSync', 'utimesSync', 'truncateSync', 'openSync', 'createWriteStream',
].map(readOnly);

const later = (call) => async (...given) => call(...given);
export const promises = {
  readFile: later(readFileSync), stat: later(statSync), lstat: later(lstatSync), access: later(accessSync),
  readdir: later(readdirSync), realpath: later(realpathSync),
  writeFile: later(writeFileSync), appendFile: later(appendFileSync), mkdir: later(mkdirSync), mkdtemp: later(mkdtempSync),
  rm: later(rmSync), rmdir: later(rmdirSync), unlink: later(unlinkSync), rename: later(renameSync), copyFile: later(copyFileSync),
  cp: later(cpSync), symlink: later(symlinkSync), chmod: later(chmodSync), open: later(openSync),
};
export const constants = { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 };
export default {
  readFileSync, statSync, lstatSync, existsSync, accessSync, realpathSync, readdirSync, promises, constants,
  writeFileSync, appendFileSync, mkdirSync, mkdtempSync, rmSync, rmdirSync, unlinkSync, renameSync, copyFileSync,
  cpSync, symlinkSync, linkSync, chmodSync, chownSync, utimesSync, truncateSync, openSync, createWriteStream,
};
