// The script of the form.
import { message, t, useMessages } from '../l10n';
import { adviceFor, agentSources } from '../nodes';
import { ACTIONS, EVENTS, emptyFields, type Fields, idOf, OPERATIONS, RUNNERS, triggerKind, WORKSPACE_OPERATIONS } from './definition';
import type { ToExtension, ToForm } from './messages';
import { problemsByField } from './problemsByField';
import { insertVariable, openVariable, unavailable, variablesFor } from './variables';
import type { Agent, Problem } from '../api';

interface Host {
  postMessage(message: ToExtension): void;
  setState(state: unknown): void;
  getState(): unknown;
}
declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
let fields: Fields = emptyFields();
let agents: Agent[] = [];
let isNew = true;
let hasOwnId = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const TEMPLATES = ['prompt', 'arguments', 'message', 'title', 'body'] as const;

type Name = keyof Fields;

interface Field {
  name: Name;
  label: string;
  hint?: string;
  kind: 'text' | 'area' | 'switch' | 'choice' | 'number';
  choices?: readonly string[];
  /** Whether it applies now. */
  when?: (fields: Fields) => boolean;
  /** The keys in the program's problems, if they differ from its name. */
  keys?: string[];
}

const isAction = (...names: string[]) => (it: Fields): boolean => names.includes(it.action);
const isKind = (...names: string[]) => (it: Fields): boolean => names.includes(triggerKind(it));
const isPrompt = (it: Fields): boolean => it.action === 'prompt';

const GROUPS: { title: string; fields: Field[] }[] = [
  { title: message('Automation'), fields: [
    { name: 'name', label: message('Name'), kind: 'text' },
    { name: 'id', label: message('Id'), kind: 'text', hint: message('unique in this folder') },
    { name: 'enabled', label: message('Enabled'), kind: 'switch' },
    { name: 'action', label: message('Action'), kind: 'choice', choices: ACTIONS, hint: message('prompt: for an agent program or command · custom: for an agent of the registry'), keys: ['action.type'] },
  ] },
  { title: message('Trigger'), fields: [
    { name: 'event', label: message('Event'), kind: 'text', choices: EVENTS, when: isPrompt, keys: ['trigger'], hint: message('an event, an operation such as speckit.clarify, or a name of your own for steersman emit') },
    { name: 'agent', label: message('Agent'), kind: 'choice', choices: ['workspace', 'speckit', 'openspec'], when: (it) => !isPrompt(it), keys: ['trigger.agent'] },
    { name: 'operation', label: message('Operation'), kind: 'choice', when: (it) => !isPrompt(it), keys: ['trigger.operation'] },
    { name: 'timing', label: message('Timing'), kind: 'choice', choices: ['after', 'before'], when: (it) => !isPrompt(it) && it.agent !== 'workspace', keys: ['trigger.timing'] },
    { name: 'pattern', label: message('Files'), kind: 'area', when: isKind('file', 'rename', 'spec'), hint: message('globs, one per line; ! excludes') },
    { name: 'every', label: message('Every'), kind: 'text', when: isKind('schedule'), hint: message('such as 15m') },
    { name: 'cron', label: message('Cron'), kind: 'text', when: isKind('schedule'), hint: message('such as 0 9 * * 1-5') },
    { name: 'repoRoot', label: message('Repository'), kind: 'text', when: isKind('commit'), hint: message('relative to the folder') },
  ] },
  { title: message('Action'), fields: [
    { name: 'agentId', label: message('Agent'), kind: 'choice', when: isAction('custom'), keys: ['action.parameters.agentId', 'action.parameters', 'action.parameters.agentName'] },
    { name: 'agentType', label: message('Agent type'), kind: 'choice', choices: ['', 'local', 'background'], when: isAction('custom'), hint: message('empty: as the registry of agents says'), keys: ['action.parameters.agentType'] },
    { name: 'prompt', label: message('Prompt'), kind: 'area', when: isAction('prompt', 'custom', 'command'), hint: message('type { for variables'), keys: ['prompt', 'action.parameters.prompt', 'action.parameters.input'] },
    { name: 'arguments', label: message('Arguments'), kind: 'area', when: isAction('custom'), hint: message('appended to the prompt; type { for variables'), keys: ['action.parameters.arguments'] },
    { name: 'command', label: message('Command'), kind: 'area', when: isAction('agent', 'command'), hint: message('a slash command, or a program and its arguments, one per line'), keys: ['action.parameters.command'] },
    { name: 'gitOperation', label: message('Operation'), kind: 'choice', choices: ['commit', 'push'], when: isAction('git'), keys: ['action.parameters.operation'] },
    { name: 'message', label: message('Message'), kind: 'text', when: isAction('git'), keys: ['action.parameters.messageTemplate'] },
    { name: 'push', label: message('Push after the commit'), kind: 'switch', when: isAction('git'), keys: ['action.parameters.pushToRemote'] },
    { name: 'githubOperation', label: message('Operation'), kind: 'choice', choices: ['open-issue', 'close-issue', 'create-pr', 'add-comment'], when: isAction('github'), keys: ['action.parameters.operation'] },
    { name: 'repository', label: message('Repository'), kind: 'text', when: isAction('github'), hint: message('owner/name; empty: this one'), keys: ['action.parameters.repository'] },
    { name: 'title', label: message('Title'), kind: 'text', when: isAction('github'), keys: ['action.parameters.titleTemplate'] },
    { name: 'body', label: message('Body'), kind: 'area', when: isAction('github'), keys: ['action.parameters.bodyTemplate'] },
    { name: 'labels', label: message('Labels'), kind: 'area', when: isAction('github'), hint: message('one per line'), keys: ['action.parameters.labels'] },
    { name: 'issue', label: message('Issue'), kind: 'number', when: isAction('github'), keys: ['action.parameters.issueNumber'] },
    { name: 'server', label: message('MCP server'), kind: 'text', when: isAction('mcp'), keys: ['action.parameters.serverId'] },
    { name: 'tool', label: message('Tool'), kind: 'text', when: isAction('mcp'), keys: ['action.parameters.toolName'] },
    { name: 'toolArguments', label: message('Arguments (JSON)'), kind: 'area', when: isAction('mcp'), keys: ['action.parameters.arguments'] },
  ] },
  { title: message('Runner and limits'), fields: [
    { name: 'runner', label: message('Runner'), kind: 'choice', choices: RUNNERS, when: isAction('prompt', 'custom', 'agent'), hint: message('empty: the workspace’s default') },
    { name: 'runnerDetail', label: message('Runner settings'), kind: 'area', when: (it) => isAction('prompt', 'custom', 'agent')(it) && it.runner !== '', hint: message('command: program and arguments, one per line · http: the URL · else: the model'), keys: ['runner'] },
    { name: 'timeoutMs', label: message('Time limit (ms)'), kind: 'number' },
    { name: 'concurrency', label: message('Runs at once'), kind: 'number' },
    { name: 'onBusy', label: message('While busy'), kind: 'choice', choices: ['', 'queue', 'restart', 'skip'] },
    { name: 'retries', label: message('Retries'), kind: 'number', keys: ['retry.count'] },
    { name: 'rateRuns', label: message('At most runs'), kind: 'number', keys: ['rateLimit.runs'] },
    { name: 'ratePerMs', label: message('… in this time (ms)'), kind: 'number', keys: ['rateLimit.perMs'] },
  ] },
];

const ALL = GROUPS.flatMap((group) => group.fields);
const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const control = (name: Name): HTMLInputElement => element<HTMLInputElement>(`f-${name}`);

function make(tag: string, attributes: Record<string, string>, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function build(): void {
  const form = element<HTMLFormElement>('form');
  for (const group of GROUPS) {
    const box = make('fieldset', {}, make('legend', {}, t(group.title)));
    for (const field of group.fields) box.append(row(field));
    form.append(box);
  }
  form.append(
    make('div', { id: 'notes', role: 'status' }),
    make('div', { id: 'error', role: 'alert' }),
    make('div', { class: 'buttons' }, make('button', { type: 'submit', id: 'save' }, t('Save')), make('button', { type: 'button', id: 'cancel', class: 'secondary' }, t('Cancel'))),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    host.postMessage({ kind: 'save', fields });
  });
  element('cancel').addEventListener('click', () => host.postMessage({ kind: 'close' }));
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
}

function row(field: Field): HTMLElement {
  const id = `f-${field.name}`;
  const described = `${id}-hint ${id}-problem`;
  let input: HTMLElement;
  if (field.kind === 'area') input = make('textarea', { id, rows: field.name === 'prompt' ? '5' : '2', 'aria-describedby': described });
  else if (field.kind === 'choice') input = make('select', { id, 'aria-describedby': described });
  else if (field.kind === 'switch') input = make('input', { id, type: 'checkbox', 'aria-describedby': described });
  else input = make('input', { id, type: 'text', 'aria-describedby': described, ...(field.kind === 'number' ? { inputmode: 'numeric' } : {}), ...(field.choices ? { list: `${id}-list` } : {}) });
  const parts: (Node | string)[] = [make('label', { for: id }, t(field.label)), input];
  if (field.kind === 'text' && field.choices) {
    parts.push(make('datalist', { id: `${id}-list` }, ...field.choices.map((value) => make('option', { value }))));
  }
  if ((TEMPLATES as readonly string[]).includes(field.name)) parts.push(make('ul', { id: `${id}-variables`, class: 'variables', role: 'listbox', 'aria-label': t('Variables'), hidden: '' }));
  parts.push(make('div', { id: `${id}-hint`, class: 'hint' }, field.hint ? t(field.hint) : ''), make('div', { id: `${id}-problem`, class: 'problem', role: 'status' }));
  const made = make('div', { class: 'row', id: `row-${field.name}` }, ...parts);
  input.addEventListener('input', () => changed(field));
  input.addEventListener('change', () => changed(field));
  if ((TEMPLATES as readonly string[]).includes(field.name)) complete(field.name, input as HTMLTextAreaElement);
  return made;
}

/** Completes variables in a template. */
function complete(name: Name, input: HTMLTextAreaElement): void {
  let chosen = 0;
  const list = (): HTMLElement => element(`f-${name}-variables`);
  const insert = (variable: string): void => {
    const done = insertVariable(input.value, input.selectionStart, variable);
    input.value = done.text;
    input.setSelectionRange(done.cursor, done.cursor);
    hide();
    input.focus();
    input.dispatchEvent(new Event('input'));
  };
  const hide = (): void => {
    list().hidden = true;
    list().replaceChildren();
  };
  const show = (): void => {
    const begun = openVariable(input.value, input.selectionStart);
    if (begun === undefined) return hide();
    const found = variablesFor(triggerKind(fields)).filter((it) => it.name.toLowerCase().startsWith(begun.toLowerCase()));
    chosen = Math.min(chosen, Math.max(0, found.length - 1));
    list().hidden = found.length === 0;
    list().replaceChildren(...found.map((it, index) => {
      const option = make('li', { role: 'option', 'data-name': it.name, 'aria-selected': String(index === chosen) }, make('code', {}, `{${it.name}}`), ` ${t(it.description)}`);
      option.addEventListener('mousedown', (event) => {
        event.preventDefault();
        insert(it.name);
      });
      return option;
    }));
  };
  input.addEventListener('input', show);
  input.addEventListener('blur', hide);
  input.addEventListener('keydown', (event) => {
    if (list().hidden) return;
    const n = list().children.length;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') chosen = (chosen + (event.key === 'ArrowDown' ? 1 : n - 1)) % n;
    else if (event.key === 'Escape') return hide();
    else if (event.key === 'Enter' || event.key === 'Tab') insert(list().children[chosen]?.getAttribute('data-name') ?? '');
    else return;
    event.preventDefault();
    if (!list().hidden) show();
  });
}

function changed(field: Field): void {
  const input = control(field.name);
  (fields as unknown as Record<string, unknown>)[field.name] = field.kind === 'switch' ? input.checked : input.value;
  if (field.name === 'id') hasOwnId = true;
  if (field.name === 'name' && isNew && !hasOwnId) {
    fields.id = idOf(fields.name);
    control('id').value = fields.id;
  }
  if (field.name === 'agent') {
    const all: readonly string[] = operations();
    if (!all.includes(fields.operation)) fields.operation = all[0] ?? '';
  }
  if (['action', 'event', 'agent', 'operation', 'runner', 'agentId'].includes(field.name)) arrange();
  host.setState(fields);
  clearTimeout(timer);
  timer = setTimeout(() => host.postMessage({ kind: 'check', fields }), 300);
}

const operations = (): readonly string[] => (fields.agent === 'workspace' ? WORKSPACE_OPERATIONS : OPERATIONS);

/** Shows the fields that apply, and their choices. */
function arrange(): void {
  for (const field of ALL) {
    element(`row-${field.name}`).hidden = field.when !== undefined && !field.when(fields);
    if (field.kind !== 'choice') continue;
    const select = control(field.name) as unknown as HTMLSelectElement;
    if (field.name === 'agentId') chooseAgents(select);
    else {
      const choices = field.name === 'operation' ? operations() : (field.choices ?? []);
      select.replaceChildren(...choices.map((value) => make('option', { value }, value || t('(default)'))));
    }
    select.value = String(fields[field.name]);
  }
  control('id').disabled = !isNew;
}

/** Fills the choice of agents: grouped by source, with tooltips, unavailable ones marked. */
function chooseAgents(select: HTMLSelectElement): void {
  const option = (agent: Agent): HTMLElement => make('option', {
    value: agent.id,
    title: agent.available ? (agent.description ?? agent.id) : adviceFor(agent.unavailableReason),
    ...(agent.available ? {} : { class: 'unavailable' }),
  }, agent.available ? agent.displayName : `⚠ ${agent.displayName} (${agent.unavailableReason ?? agent.state})`);
  const group = (label: string, members: Agent[]): HTMLElement[] =>
    members.length === 0 ? [] : [make('optgroup', { label }, ...members.map(option))];
  const isKnown = fields.agentId === '' || agents.some((agent) => agent.id === fields.agentId);
  select.replaceChildren(
    make('option', { value: '' }, fields.agentName ? t('{0} (by its name)', fields.agentName) : t('(choose)')),
    ...agentSources().flatMap(({ source, label }) => group(label, agents.filter((agent) => agent.source === source))),
    ...(isKnown ? [] : [make('option', { value: fields.agentId, class: 'unavailable' }, t('⚠ {0} (not found)', fields.agentId))]),
  );
  select.value = fields.agentId;
  const chosen = agents.find((agent) => agent.id === fields.agentId);
  element('f-agentId-hint').textContent = chosen ? (chosen.available ? (chosen.description ?? '') : adviceFor(chosen.unavailableReason)) : '';
}

function fill(): void {
  arrange();
  for (const field of ALL) {
    const input = control(field.name);
    if (field.kind === 'switch') input.checked = fields[field.name] === true;
    else input.value = String(fields[field.name]);
  }
}

function report(problems: Problem[], error: string | undefined): void {
  const visible = ALL.filter((field) => field.when === undefined || field.when(fields));
  const { byField, errors, notes } = problemsByField(problems, visible.map(({ name, keys }) => ({ name, keys: keys ?? [name] })));
  for (const name of TEMPLATES) {
    if (!visible.some((field) => field.name === name) || byField.has(name)) continue;
    const missing = unavailable(String(fields[name]), triggerKind(fields));
    if (missing.length > 0) byField.set(name, missing);
  }
  for (const field of ALL) {
    const texts = byField.get(field.name) ?? [];
    element(`f-${field.name}-problem`).textContent = texts.join('\n');
    control(field.name).setAttribute('aria-invalid', String(texts.length > 0));
  }
  element('notes').textContent = notes.join('\n');
  element('error').textContent = [...(error ? [error] : []), ...errors].join('\n');
}

window.addEventListener('message', ({ data }: MessageEvent<ToForm>) => {
  switch (data.kind) {
    case 'show':
      useMessages(data.messages);
      build();
      ({ fields, agents, isNew } = data);
      hasOwnId = !isNew;
      fill();
      control('name').focus();
      break;
    case 'agents':
      if (!document.getElementById('save')) break;
      agents = data.agents;
      chooseAgents(control('agentId') as unknown as HTMLSelectElement);
      break;
    case 'problems':
      report(data.problems, data.error);
      break;
    case 'saved':
      element('error').textContent = '';
      break;
  }
});
host.postMessage({ kind: 'ready' });
