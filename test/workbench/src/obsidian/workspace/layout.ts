/** Reads and writes the workspace's layout: `workspace.json`, or its own file on a phone. */
import type { SplitDirection, ViewState } from 'obsidian';
import { Platform } from '../base/platform';
import type { Workspace } from './workspace';
import type { WorkspaceParent } from './item';
import { WorkspaceLeaf } from './leaf';
import { WorkspaceMobileDrawer, type WorkspaceSidedock } from './sidedock';
import { WorkspaceSplit } from './split';
import { WorkspaceTabs, type LeafGroup } from './tabs';

interface SavedItem {
  id?: string;
  type?: string;
  children?: SavedItem[];
  direction?: SplitDirection;
  dimension?: number;
  currentTab?: number;
  width?: number;
  collapsed?: boolean;
  pinned?: boolean;
  group?: string;
  state?: ViewState;
}

interface SavedLayout {
  main?: SavedItem;
  left?: SavedItem;
  right?: SavedItem;
  active?: string;
  lastOpenFiles?: string[];
}

type PendingState = [WorkspaceLeaf, ViewState];

function getLayoutPath(workspace: Workspace): string {
  return `${workspace.app.vault.configDir}/${Platform.isMobile ? 'workspace-mobile' : 'workspace'}.json`;
}

export async function readLayout(workspace: Workspace): Promise<unknown> {
  const { adapter } = workspace.app.vault;
  const path = getLayoutPath(workspace);
  try {
    return (await adapter.exists(path)) ? JSON.parse(await adapter.read(path)) : null;
  } catch (error) {
    console.error('The saved layout could not be read', error);
    return null;
  }
}

export async function writeLayout(workspace: Workspace): Promise<void> {
  if (!workspace.layoutReady || !workspace.app.savesLayout) return;
  const { adapter, configDir } = workspace.app.vault;
  if (!(await adapter.exists(configDir))) await adapter.mkdir(configDir);
  await adapter.write(getLayoutPath(workspace), JSON.stringify(workspace.getLayout(), null, 2));
}

const FIRST_LAYOUT: SavedLayout = {
  left: { type: 'split', children: [{ type: 'tabs', children: [{ type: 'leaf', state: { type: 'file-explorer' } }] }] },
  right: { type: 'split', children: [{ type: 'tabs', children: [{ type: 'leaf', state: { type: 'outline' } }] }] },
};

export async function applyLayout(workspace: Workspace, saved: Record<string, unknown> | null): Promise<void> {
  const layout = (saved ?? (workspace.app.bare ? {} : FIRST_LAYOUT)) as SavedLayout;
  const pending: PendingState[] = [];
  fillSplit(workspace, workspace.rootSplit, layout.main, pending);
  fillSide(workspace, workspace.leftSplit, layout.left, pending);
  fillSide(workspace, workspace.rightSplit, layout.right, pending);
  workspace.lastOpenFiles = layout.lastOpenFiles ?? workspace.lastOpenFiles;
  const active = layout.active ? workspace.getLeafById(layout.active) : null;
  for (const [leaf, state] of pending) await leaf.setViewState({ ...state, active: false });
  if (active) workspace.setActiveLeaf(active, { focus: false });
}

function fillSplit(
  workspace: Workspace,
  split: WorkspaceSplit,
  saved: SavedItem | undefined,
  pending: PendingState[],
): void {
  if (!saved?.children) return;
  if (saved.direction) split.setDirection(saved.direction);
  for (const item of saved.children) addItem(workspace, split, item, pending);
}

function addItem(workspace: Workspace, parent: WorkspaceParent, saved: SavedItem, pending: PendingState[]): void {
  if (saved.type === 'split') {
    const split = new WorkspaceSplit(workspace, saved.direction ?? 'vertical');
    parent.insertChild(-1, split);
    if (saved.dimension !== undefined) split.setDimension(saved.dimension);
    fillSplit(workspace, split, saved, pending);
  } else if (saved.type === 'leaf') {
    const tabs = new WorkspaceTabs(workspace);
    parent.insertChild(-1, tabs);
    fillGroup(workspace, tabs, [saved], 0, pending);
  } else {
    const leaves = collectSaved(saved);
    if (leaves.length === 0) return;
    const tabs = new WorkspaceTabs(workspace);
    parent.insertChild(-1, tabs);
    if (saved.dimension !== undefined) tabs.setDimension(saved.dimension);
    fillGroup(workspace, tabs, leaves, saved.currentTab ?? 0, pending);
  }
}

function fillSide(
  workspace: Workspace,
  side: WorkspaceSidedock | WorkspaceMobileDrawer,
  saved: SavedItem | undefined,
  pending: PendingState[],
): void {
  if (side instanceof WorkspaceMobileDrawer) {
    fillGroup(workspace, side, saved ? collectSaved(saved) : [], saved?.currentTab ?? 0, pending);
    return;
  }
  if (saved?.type === 'mobile-drawer') addItem(workspace, side, { ...saved, type: 'tabs' }, pending);
  else fillSplit(workspace, side, saved ? { ...saved, direction: 'horizontal' } : undefined, pending);
  if (saved?.width !== undefined) side.setWidth(saved.width);
  if (saved?.collapsed) side.collapse();
}

function collectSaved(saved: SavedItem): SavedItem[] {
  return saved.type === 'leaf' ? [saved] : (saved.children ?? []).flatMap(collectSaved);
}

function fillGroup(
  workspace: Workspace,
  group: LeafGroup,
  leaves: SavedItem[],
  current: number,
  pending: PendingState[],
): void {
  for (const saved of leaves) {
    const leaf = new WorkspaceLeaf(workspace.app, saved.state);
    if (saved.id) leaf.id = saved.id;
    leaf.group = saved.group ?? null;
    leaf.pinned = saved.pinned ?? false;
    group.insertChild(-1, leaf);
    if (saved.state) pending.push([leaf, saved.state]);
  }
  group.selectTabIndex(current);
}
