// The folders that workflows open, and what is in them.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';

export const INTENTS = `# The plan of this week.
intents:
  - id: INT-001
    name: Faster cart
    description: Make the total of the cart linear
    status: IN_PROGRESS
    owned_scope:
      - "src/**"
  - id: INT-002
    name: Guide
    status: PENDING
    owned_scope:
      - "docs/**"
`;
export const command = (script) => ({ type: 'command', command: ['sh', '-c', script] });
export const hooks = (...all) => ({ schemaVersion: 1, hooks: all });
export const read = (root, path) => fs.readFileSync(join(root, path), 'utf8');
export const AGENT = '---\nid: reviewer\nname: Reviewer\ndescription: Reads changes\ntools: [read, search]\n---\nRead the change.\n';

/** A folder that the person has trusted with `steersman trust`. */
export function trusted(bench, name, files) {
  const root = bench.workspace(name, { '.ai/hooks/config.json': { version: 1 }, ...files });
  execFileSync('git', ['init', '-q', root]);
  bench.run(root, ['trust']);
  return root;
}

export async function opened(bench, root) {
  await bench.open(root);
  await bench.views();
}

/** Waits until the server takes orders and an agent program is recorded, so that only the editor counts as a person. */
export function agentWorks(bench, root) {
  bench.event(root, 'SessionStart', { source: 'startup' });
  bench.event(root, 'UserPromptSubmit', { prompt: 'work' });
}
