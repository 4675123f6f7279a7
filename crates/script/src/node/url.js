export const fileURLToPath = (url) => {
  const text = String(url.href ?? url);
  if (!text.startsWith('file://')) throw new TypeError('The URL must be of scheme file');
  return decodeURIComponent(text.slice('file://'.length));
};
export const pathToFileURL = (path) => {
  const href = 'file://' + encodeURI(path).replace(/[?#]/g, encodeURIComponent);
  return { href, protocol: 'file:', pathname: href.slice('file://'.length), toString: () => href };
};
export default { fileURLToPath, pathToFileURL };
