import assert from 'node:assert/strict';
import { test } from 'node:test';

import { merge, type Node } from '../../src/mergedRows';
import type { Row } from '../../src/nodes';

const row = (id: string, more: Partial<Row> = {}): Row => ({ id, label: id, icon: 'file', kind: 'x', ...more });
const of = (...rows: Row[]): { owner: string; row: Row }[] => rows.map((it) => ({ owner: 'folder', row: it }));
const ids = (redrawn: Node<string>[] | 'all'): string[] | 'all' => (redrawn === 'all' ? 'all' : redrawn.map((node) => node.row.id));

test('rows that look the same are not drawn again', () => {
  const first = merge([], of(row('a', { children: [row('b'), row('c')] })));
  assert.equal(first.redrawn, 'all');
  const second = merge(first.nodes, of(row('a', { children: [row('b'), row('c')] })));
  assert.deepEqual(ids(second.redrawn), []);
  assert.equal(second.nodes[0], first.nodes[0]);
});

test('only a changed row is drawn again, and its node stays', () => {
  const first = merge([], of(row('a', { children: [row('b'), row('c')] })));
  const [b, c] = first.nodes[0]?.children ?? [];
  const second = merge(first.nodes, of(row('a', { children: [row('b'), row('c', { description: 'off' })] })));
  assert.deepEqual(ids(second.redrawn), ['c']);
  assert.equal(c?.row.description, 'off');
  assert.deepEqual(second.nodes[0]?.children, [b, c]);
});

test('a row with another member is drawn with all of them', () => {
  const first = merge([], of(row('a', { children: [row('b')] }), row('z')));
  const second = merge(first.nodes, of(row('a', { children: [row('b', { label: 'B' }), row('c')] }), row('z')));
  assert.deepEqual(ids(second.redrawn), ['a']);
  assert.deepEqual(second.nodes[0]?.children.map((node) => node.row.label), ['B', 'c']);
});

test('rows of two folders with one id are two nodes', () => {
  const first = merge([], [{ owner: 'one', row: row('a') }, { owner: 'two', row: row('a') }]);
  const second = merge(first.nodes, [{ owner: 'one', row: row('a') }, { owner: 'two', row: row('a', { label: 'new' }) }]);
  assert.deepEqual(second.redrawn, [first.nodes[1]]);
});

test('a removed row at the top draws the view again', () => {
  const first = merge([], of(row('a'), row('b')));
  assert.equal(merge(first.nodes, of(row('b'))).redrawn, 'all');
});
