// Runs workflows in a real workbench: `run.mjs [--short] [--only NAME,NAME] [--list] [--activation]`.
import * as fs from 'node:fs';
import { join } from 'node:path';

import { measureActivation } from './activation.mjs';
import { Workbench } from './workbench.mjs';
import { WORKFLOWS } from './workflows.mjs';

const args = process.argv.slice(2);
const only = args.includes('--only') ? args[args.indexOf('--only') + 1].split(',') : undefined;
const chosen = WORKFLOWS.filter((it) => (only ? only.some((part) => it.name.includes(part)) : args.includes('--short') ? it.isShort : true));
if (args.includes('--list')) {
  for (const { name, isShort } of WORKFLOWS) console.log(`${name}${isShort ? '  (short)' : ''}`);
  process.exit(0);
}
if (chosen.length === 0) throw new Error(`no workflow is called ${only}`);

const begun = Date.now();
const bench = await Workbench.start();
console.log(`workbench up after ${seconds(begun)}`);
if (args.includes('--activation')) {
  try {
    await measureActivation(bench);
  } finally {
    // It runs detached and would stay.
    await bench.stop();
  }
  process.exit(0);
}
let failed = 0;
for (const workflow of chosen) {
  const start = Date.now();
  try {
    await bench.close();
    bench.settings();
    bench.opening = 0;
    await Promise.race([workflow.run(bench), late(workflow.name)]);
    console.log(`✓ ${workflow.name} (${seconds(start)}, ${(bench.opening / 1000).toFixed(1)} s of them to open windows)`);
  } catch (error) {
    failed += 1;
    console.log(`✗ ${workflow.name} (${seconds(start)})\n${error.stack ?? error}\n${await bench.notifications()}\n${bench.logs()}`);
    const folder = process.env.FAILURES;
    if (folder && bench.page) {
      fs.mkdirSync(folder, { recursive: true });
      await bench.page.screenshot({ path: join(folder, `${workflow.name.replace(/\W+/g, '-')}.png`) }).catch(() => undefined);
    }
  }
}
await bench.stop();
console.log(`${chosen.length - failed} of ${chosen.length} workflows passed in ${seconds(begun)}`);
process.exit(failed === 0 ? 0 : 1);

/** Fails if a workflow hangs where nothing else has a time limit. */
function late(name) {
  return new Promise((_, reject) => setTimeout(() => reject(new Error(`${name} hangs`)), Number(process.env.LIMIT_MS ?? 300_000)).unref());
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
