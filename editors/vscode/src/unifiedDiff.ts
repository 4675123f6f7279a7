// Reads the unified diffs that `init --dry-run` and `automation edit --dry-run` print.

export interface FileDiff {
  file: string;
  isNew: boolean;
  isRemoved: boolean;
  hunks: { start: number; lines: string[] }[];
}

/** Splits a diff into its files. Lines that belong to no hunk are ignored. */
export function parseDiff(text: string): FileDiff[] {
  const files: FileDiff[] = [];
  let before = '';
  // Lines of a hunk that are still to come, by its header: a removed line may look like a header.
  let [old, fresh] = [0, 0];
  for (const line of text.split('\n')) {
    const file = files.at(-1);
    if (line.startsWith('\\')) {
      file?.hunks.at(-1)?.lines.push(line);
    } else if (old > 0 || fresh > 0) {
      if (line[0] !== '+') old -= 1;
      if (line[0] !== '-') fresh -= 1;
      file?.hunks.at(-1)?.lines.push(line);
    } else if (line.startsWith('--- ')) {
      before = line.slice(4);
    } else if (line.startsWith('+++ ')) {
      const after = line.slice(4);
      const isRemoved = after === '/dev/null';
      const name = isRemoved ? before : after;
      files.push({ file: name.replace(/^[^/]*\//, ''), isNew: before === '/dev/null', isRemoved, hunks: [] });
    } else {
      const header = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
      if (header && file) {
        [old, fresh] = [Number(header[2] ?? 1), Number(header[3] ?? 1)];
        file.hunks.push({ start: Number(header[1]), lines: [] });
      }
    }
  }
  return files;
}

/** Returns the text after a diff. Fails if the text is not the one that the diff was made from. */
export function applyDiff(before: string, diff: FileDiff): string {
  const old = before === '' ? [] : before.split('\n');
  // A text that ends with a line break has an empty last part, which is not a line.
  const endsWithBreak = before === '' || before.endsWith('\n');
  if (before !== '' && endsWithBreak) old.pop();
  const fresh: string[] = [];
  let at = 0;
  let freshEndsWithBreak = endsWithBreak;
  for (const hunk of diff.hunks) {
    const start = Math.max(hunk.start - 1, 0);
    fresh.push(...old.slice(at, start));
    at = start;
    let last = '';
    for (const line of hunk.lines) {
      const text = line.slice(1);
      if (line.startsWith('\\')) {
        if (last !== '-') freshEndsWithBreak = false;
      } else if (line.startsWith('+')) {
        fresh.push(text);
        freshEndsWithBreak = true;
      } else {
        if (old[at] !== text) throw new Error(`${diff.file} changed meanwhile`);
        if (!line.startsWith('-')) fresh.push(text);
        at += 1;
      }
      last = line[0] ?? '';
    }
  }
  fresh.push(...old.slice(at));
  return fresh.join('\n') + (freshEndsWithBreak && fresh.length > 0 ? '\n' : '');
}
