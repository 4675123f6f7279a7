// The views: rows of each folder, below the folder's name if there are several.
import * as vscode from 'vscode';

import type { Snapshot } from './api';
import type { Folder } from './folder';
import type { Row } from './nodes';

/** A row with its folder: the argument of the commands of menus. */
export interface Node {
  folder: Folder;
  row: Row;
}

type RowsOf = (snapshot: Snapshot, now: number) => Row[];

export class View implements vscode.TreeDataProvider<Node> {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly tree: vscode.TreeView<Node>;

  constructor(id: string, private readonly folders: () => Folder[], private readonly rows: RowsOf) {
    this.tree = vscode.window.createTreeView(id, { treeDataProvider: this, showCollapseAll: true });
  }

  refresh(): void {
    this.#changed.fire();
  }

  getChildren(node?: Node): Node[] {
    if (node) return (node.row.children ?? []).map((row) => ({ folder: node.folder, row }));
    const all = this.folders().map((folder) => ({ folder, rows: folder.snapshot ? this.rows(folder.snapshot, Date.now()) : [] }));
    if (all.length < 2) return all.flatMap(({ folder, rows }) => rows.map((row) => ({ folder, row })));
    return all.filter(({ rows }) => rows.length > 0).map(({ folder, rows }) => ({
      folder,
      row: { id: 'folder', label: folder.name, icon: 'root-folder', kind: 'folder', isExpanded: true, children: rows },
    }));
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
    if (row.command) item.command = { command: row.command, title: row.label, arguments: [{ folder, row } satisfies Node] };
    return item;
  }
}
