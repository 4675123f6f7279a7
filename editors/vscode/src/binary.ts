// Finds the program: the setting, the PATH, the one in the extension.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { homedir } from 'node:os';

const NAME = process.platform === 'win32' ? 'steersman.exe' : 'steersman';

/** Returns the path of the program. Returns nothing if no such file exists. */
export function findProgram(setting: string, path: string, extensionFolder: string): string | undefined {
  const named = setting.trim().replace(/^~(?=\/)/, homedir());
  // A setting that is wrong must not be replaced by another program in silence.
  if (named) return isAbsolute(named) && isProgram(named) ? named : undefined;
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  return [...folders.map((folder) => join(folder, NAME)), join(extensionFolder, 'bin', NAME)].find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
