// The messages between the form and the extension.
import type { Agent, Problem } from '../api';
import type { Fields } from './definition';

export type ToForm =
  | { kind: 'show'; fields: Fields; agents: Agent[]; isNew: boolean; messages: Record<string, string> }
  | { kind: 'agents'; agents: Agent[] }
  | { kind: 'problems'; problems: Problem[]; error?: string }
  | { kind: 'saved' };

export type ToExtension =
  | { kind: 'ready' }
  | { kind: 'check'; fields: Fields }
  | { kind: 'save'; fields: Fields }
  | { kind: 'close' };
