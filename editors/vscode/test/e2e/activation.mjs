// Reads how long the extension takes to activate: the figure of the editor's own list of running extensions, which is the
// time to load the bundle and to call `activate`.
import { AGENT, hooks, INTENTS, opened, trusted } from './folders.mjs';

const WINDOWS = 15;

/** Opens windows and prints the figure of each, and their median. */
export async function measureActivation(bench) {
  const root = trusted(bench, 'activation', { '.orchestration/active_intents.yaml': INTENTS, '.akira/hooks.json': hooks(), '.github/agents/reviewer.agent.md': AGENT });
  const figures = [];
  for (let n = 0; n < WINDOWS; n += 1) {
    await opened(bench, root);
    await bench.row('INT-001').waitFor();
    await bench.command('Developer: Show Running Extensions');
    const row = bench.page.locator('.runtime-extensions-editor .extension', { hasText: 'steersman' }).first();
    const text = await row.locator('.activation-time').textContent();
    figures.push(Number(/(\d+)ms/.exec(text)?.[1]));
    if (n === 0) await bench.screenshot('running-extensions');
  }
  figures.sort((one, other) => one - other);
  console.log(`activation: median ${figures[WINDOWS >> 1]} ms of ${WINDOWS} windows (${figures.join(', ')})`);
}
