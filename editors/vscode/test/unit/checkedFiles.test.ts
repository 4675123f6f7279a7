import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checkOf } from '../../src/checkedFiles';

test('every file that the program reads has the command that checks it', () => {
  const command = (file: string): string | undefined => checkOf(file)?.command[0];
  assert.deepEqual(['.akira/hooks.json', '.vscode/gatomia/hooks.json'].map(command), ['automation', 'automation']);
  assert.deepEqual(
    ['.github/agents/a.agent.md', '.github/agents/deep/a.agent.md', '.claude/agents/a.md', '.rawko/agents/a.yaml', '.rawko/config.yaml'].map(command),
    Array(5).fill('agent'));
  assert.deepEqual(['.ai/hooks/config.json', '.orchestration/active_intents.yaml'].map(command), ['doctor', 'doctor']);
  assert.deepEqual(['README.md', 'x/.akira/hooks.json', '.claude/settings.json'].map(command), [undefined, undefined, undefined]);
});
