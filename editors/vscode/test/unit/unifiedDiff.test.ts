import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { applyDiff, parseDiff } from '../../src/unifiedDiff';

/** Makes the diff of two texts as the program prints it, by the program `diff`. */
function diffOf(before: string, after: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'diff-'));
  try {
    writeFileSync(join(folder, 'a'), before);
    writeFileSync(join(folder, 'b'), after);
    execFileSync('diff', ['-u', '--label', 'a/x.json', '--label', 'b/x.json', 'a', 'b'], { cwd: folder });
    return '';
  } catch (error) {
    return (error as { stdout: Buffer }).stdout.toString();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const lines = (n: number): string => Array.from({ length: n }, (_, i) => `line ${i}\n`).join('');

test('a diff gives the text that it was made for', () => {
  const cases: [string, string][] = [
    ['', 'new\nfile\n'], ['a\n', ''], ['a\nb\nc\n', 'a\nB\nc\n'], ['no end', 'no end\nbut more'], ['a\n', 'a'], ['a', 'a\n'],
    [lines(60), lines(60).replace('line 5\n', 'five\n').replace('line 50\n', '')], ['--- a\n+++ b\n', '+++ b\n'], ['\n\n\n', '\n\n'],
  ];
  for (const [before, after] of cases) {
    const [change] = parseDiff(diffOf(before, after));
    assert.ok(change, `${before} → ${after}`);
    assert.equal(applyDiff(before, change), after);
    assert.equal(change.file, 'x.json');
  }
});

test('a diff of several files, new and removed', () => {
  const text = 'note\n--- /dev/null\n+++ b/.ai/new.json\n@@ -0,0 +1 @@\n+{}\n--- a/old.json\n+++ /dev/null\n@@ -1 +0,0 @@\n-{}\n';
  const files = parseDiff(text);
  assert.deepEqual(files.map(({ file, isNew, isRemoved }) => ({ file, isNew, isRemoved })), [
    { file: '.ai/new.json', isNew: true, isRemoved: false }, { file: 'old.json', isNew: false, isRemoved: true },
  ]);
});

test('another text is refused, not damaged', () => {
  const [change] = parseDiff(diffOf('a\nb\nc\n', 'a\nB\nc\n'));
  assert.ok(change);
  assert.throws(() => applyDiff('a\nx\nc\n', change), /changed meanwhile/);
});
