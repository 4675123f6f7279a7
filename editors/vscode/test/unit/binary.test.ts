import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';

import { findProgram } from '../../src/binary';

test('the setting wins, then the PATH, then the packed program', () => {
  const root = mkdtempSync(join(tmpdir(), 'binary-'));
  const program = (folder: string): string => {
    mkdirSync(join(root, folder), { recursive: true });
    const file = join(root, folder, 'steersman');
    writeFileSync(file, '');
    chmodSync(file, 0o755);
    return file;
  };
  try {
    const [set, path, packed] = [program('set'), program('path'), program('extension/bin')];
    const extension = join(root, 'extension');
    const folders = ['relative', join(root, 'missing'), join(root, 'path')].join(delimiter);
    assert.equal(findProgram(set, folders, extension), set);
    assert.equal(findProgram('', folders, extension), path);
    assert.equal(findProgram('', '', extension), packed);
    assert.equal(findProgram('', '', root), undefined);
    assert.equal(findProgram(join(root, 'wrong'), folders, extension), undefined, 'a wrong setting is not replaced');
    chmodSync(path, 0o644);
    assert.equal(findProgram('', folders, extension), packed);
  } finally {
    rmSync(root, { recursive: true });
  }
});
