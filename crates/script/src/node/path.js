const { native } = import.meta;
const format = ({ dir, root = '', base, name = '', ext = '' }) => {
  const folder = dir || root;
  const file = base || name + (ext && !ext.startsWith('.') ? '.' + ext : ext);
  if (!folder) return file;
  return folder === root ? folder + file : `${folder}/${file}`;
};
const path = { ...native, format, sep: '/', delimiter: ':' };
path.posix = path;
export const {
  basename, delimiter, dirname, extname, isAbsolute, join, normalize, parse, posix, relative, resolve, sep,
} = path;
export { format };
export default path;
