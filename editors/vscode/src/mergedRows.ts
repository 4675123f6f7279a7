// Merges new rows into the nodes that a view shows, so that it draws again only what changed.
import type { Row } from './nodes';

/** A row that a view shows, with its owner. The view knows a node by identity: it stays the same while its row changes. */
export interface Node<Owner> {
  folder: Owner;
  row: Row;
  children: Node<Owner>[];
}

interface Wanted<Owner> {
  owner: Owner;
  row: Row;
}

/** The nodes after a merge, and those to draw again, with what is below them. */
interface Merged<Owner> {
  nodes: Node<Owner>[];
  redrawn: Node<Owner>[] | 'all';
}

export function merge<Owner>(shown: Node<Owner>[], wanted: Wanted<Owner>[]): Merged<Owner> {
  const redrawn: Node<Owner>[] = [];
  const nodes = mergeChildren(shown, wanted, redrawn);
  return { nodes, redrawn: hasSameMembers(shown, nodes) ? redrawn : 'all' };
}

function mergeChildren<Owner>(shown: Node<Owner>[], wanted: Wanted<Owner>[], redrawn: Node<Owner>[]): Node<Owner>[] {
  return wanted.map(({ owner, row }) => {
    const below = (row.children ?? []).map((child) => ({ owner, row: child }));
    const known = shown.find((node) => node.folder === owner && node.row.id === row.id);
    if (!known) return { folder: owner, row, children: mergeChildren([], below, []) };
    const changedBelow: Node<Owner>[] = [];
    const children = mergeChildren(known.children, below, changedBelow);
    // The editor draws a node together with what is below it.
    if (!isSame(known.row, row) || !hasSameMembers(known.children, children)) redrawn.push(known);
    else redrawn.push(...changedBelow);
    Object.assign(known, { row, children });
    return known;
  });
}

function hasSameMembers<Owner>(one: Node<Owner>[], other: Node<Owner>[]): boolean {
  return one.length === other.length && one.every((node, index) => node === other[index]);
}

/** Whether two rows look the same, without what is below them. */
function isSame(one: Row, other: Row): boolean {
  return JSON.stringify({ ...one, children: undefined }) === JSON.stringify({ ...other, children: undefined });
}
