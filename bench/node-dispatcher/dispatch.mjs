// A hook dispatcher as one would write it in Node, for comparison only: it reads what
// steersman reads and writes what steersman writes, for one event and one module.

import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import session from './session.mjs';

const eventName = process.argv[2];
const input = JSON.parse(readFileSync(0, 'utf8'));
const root = workspaceOf(input.cwd);
const hooks = join(root, '.ai/hooks');

const manifest = readJson(join(hooks, 'dispatch.manifest.json')) ?? {};
const config = readJson(join(hooks, 'config.json')) ?? {};

const sessionId = createHash('sha256').update(`claude-code\0${input.session_id}`).digest('hex').slice(0, 8);
const folder = join(root, '.ai/tmp', sessionId);
const stateFile = join(folder, 'state.json');
const state = readJson(stateFile) ?? {};

const ctx = { event: input, state, config: config[session.name] ?? {}, ids: { sessionId } };
const modules = [session]
  .filter((module) => manifest.modules?.[module.name]?.enabled ?? true)
  .filter((module) => module.supports.has(eventName))
  .sort((a, b) => a.priority - b.priority);

let verdict = {};
const events = [];
for (const module of modules) {
  const action = await module.handle(eventName, ctx);
  verdict = { ...verdict, ...action.verdict };
  events.push(...action.emitEvents);
  Object.assign(state, action.statePatch);
}

if (!existsSync(folder)) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, '.ai/tmp/.gitignore'), '*\n');
}
appendFileSync(join(folder, 'events.jsonl'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
const fresh = `${stateFile}.${process.pid}.tmp`;
writeFileSync(fresh, JSON.stringify(state));
renameSync(fresh, stateFile);

process.stdout.write(`${JSON.stringify(verdict)}\n`);

function workspaceOf(start) {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.ai/hooks')) || existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return start;
  }
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
