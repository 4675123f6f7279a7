// The views: rows of each folder, below the folder's name if there are several.
import * as vscode from 'vscode';

import type { Snapshot } from './api';
import type { Folder } from './folder';
import { merge, type Node as MergedNode } from './mergedRows';
import type { Row } from './nodes';

/** A row with its folder: the argument of the commands of menus. */
export type Node = MergedNode<Folder>;

type RowsOf = (snapshot: Snapshot) => Row[];

export class View implements vscode.TreeDataProvider<Node> {
  readonly #changed = new vscode.EventEmitter<Node[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly tree: vscode.TreeView<Node>;
  #roots: Node[] = [];

  constructor(id: string, private readonly folders: () => Folder[], private readonly rows: RowsOf) {
    this.tree = vscode.window.createTreeView(id, { treeDataProvider: this, showCollapseAll: true });
  }

  /** Draws the rows that changed: a row that is drawn again loses the click or menu that is open on it. */
  refresh(): void {
    const { nodes, redrawn } = merge(this.#roots, this.#wanted());
    this.#roots = nodes;
    if (redrawn === 'all') this.#changed.fire(undefined);
    else if (redrawn.length > 0) this.#changed.fire(redrawn);
  }

  #wanted(): { owner: Folder; row: Row }[] {
    const all = this.folders().map((owner) => ({ owner, rows: owner.snapshot ? this.rows(owner.snapshot) : [] }));
    if (all.length < 2) return all.flatMap(({ owner, rows }) => rows.map((row) => ({ owner, row })));
    return all.filter(({ rows }) => rows.length > 0).map(({ owner, rows }) => ({
      owner,
      row: { id: 'folder', label: owner.name, icon: 'root-folder', kind: 'folder', isExpanded: true, children: rows },
    }));
  }

  getChildren(node?: Node): Node[] {
    return node ? node.children : this.#roots;
  }

  getTreeItem({ folder, row }: Node): vscode.TreeItem {
    const state = !row.children?.length ? vscode.TreeItemCollapsibleState.None
      : row.isExpanded ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
    const item = new vscode.TreeItem(row.label, state);
    item.id = `${folder.uri.toString()}#${row.id}`;
    if (row.description) item.description = row.description;
    item.iconPath = new vscode.ThemeIcon(row.icon, row.colour ? new vscode.ThemeColor(row.colour) : undefined);
    if (row.tooltip) item.tooltip = new vscode.MarkdownString(row.tooltip);
    item.contextValue = row.kind;
    item.accessibilityInformation = { label: [row.label, row.description].filter(Boolean).join(', ') };
    if (row.command) item.command = { command: row.command, title: row.label, arguments: [{ folder, row }] };
    return item;
  }
}
