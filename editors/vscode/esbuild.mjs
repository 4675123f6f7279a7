// Builds the extension into dist/, or the unit tests into dist-test/ with --tests.
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

const SCHEMAS = [
  'active-intents', 'agent', 'agent-config', 'automations', 'config', 'custom-hooks', 'dispatch-manifest',
  'followup-rules', 'plan-graph', 'rlm-policy', 'workspace',
];
const MAX_BYTES = 150_000;

if (process.argv.includes('--tests')) {
  await rm('dist-test', { recursive: true, force: true });
  const files = (await readdir('test/unit')).filter((name) => name.endsWith('.test.ts'));
  await build({
    entryPoints: files.map((name) => `test/unit/${name}`),
    outdir: 'dist-test', bundle: true, platform: 'node', format: 'esm', outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
  });
} else {
  await rm('dist', { recursive: true, force: true });
  const common = { bundle: true, minify: true, logLevel: 'warning', legalComments: 'none' };
  await build({
    ...common, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js',
    platform: 'node', target: 'node20', format: 'cjs', external: ['vscode'],
  });
  await build({
    ...common, entryPoints: ['src/form/page.ts'], outfile: 'dist/form.js',
    platform: 'browser', target: 'es2022', format: 'iife',
  });
  await mkdir('dist/schemas');
  const schemas = process.env.STEERSMAN_SCHEMAS ?? '../../schemas';
  for (const name of SCHEMAS) {
    const schema = JSON.parse(await readFile(`${schemas}/${name}.schema.json`, 'utf8'));
    // The editor warns about newer drafts; the schemas use nothing that draft 7 lacks but the name of `$defs`.
    schema.$schema = 'http://json-schema.org/draft-07/schema#';
    await writeFile(`dist/schemas/${name}.schema.json`, JSON.stringify(schema));
  }
  const bytes = (await stat('dist/extension.js')).size + (await stat('dist/form.js')).size;
  if (bytes > MAX_BYTES) throw new Error(`the bundle has ${bytes} bytes, more than ${MAX_BYTES}`);
  console.log(`bundle: ${bytes} bytes`);
}
