import { promises, constants } from 'node:fs';
export const {
  readFile, stat, lstat, access, readdir, realpath, writeFile, appendFile, mkdir, mkdtemp, rm, rmdir, unlink, rename,
  copyFile, cp, symlink, chmod, open,
} = promises;
export { constants };
export default { ...promises, constants };
