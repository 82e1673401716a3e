/** Opens the pane in the right sidebar, and finds it where it is open. */
import type { App } from 'obsidian';
import { ChatView, chatViewType } from './chat/chat-view';

/** The pane's view, opened and shown. A pane that was restored as a placeholder is loaded first. */
export async function openPane(app: App): Promise<ChatView> {
  const leaf = await app.workspace.ensureSideLeaf(chatViewType, 'right', { active: true, reveal: true });
  await app.workspace.revealLeaf(leaf);
  await leaf.loadIfDeferred();
  if (!(leaf.view instanceof ChatView)) throw new Error('The pane opened as another view.');
  await leaf.view.untilMounted();
  return leaf.view;
}

/** The view of a pane that is open and loaded; of several, the one that is in use. */
export function findView(app: App): ChatView | null {
  const active = app.workspace.getActiveViewOfType(ChatView);
  if (active !== null) return active;
  const views = app.workspace.getLeavesOfType(chatViewType).map((leaf) => leaf.view);
  return views.find((view): view is ChatView => view instanceof ChatView) ?? null;
}
