/** Trials of leaves, views, windows, links and layouts. */
import { MarkdownView } from 'obsidian';
import type ProbePlugin from './main';
import type { Trials } from './main';
import { ProbeItemView, viewTypes } from './views';

export function createWorkspaceTrials(plugin: ProbePlugin): Trials {
  const describe = (): unknown => {
    const { workspace } = plugin.app;
    return {
      active: workspace.getActiveFile()?.path ?? null,
      editor: workspace.activeEditor?.file?.path ?? null,
      view: workspace.getActiveViewOfType(MarkdownView)?.getMode() ?? null,
      leaves: workspace.getLeavesOfType('markdown').length,
    };
  };

  return {
    async ensureItemView(word = 'hello') {
      const { workspace } = plugin.app;
      const leaf = await workspace.ensureSideLeaf(viewTypes.item, 'right', {
        active: true,
        reveal: true,
        state: { word: String(word) },
      });
      return {
        isItemView: leaf.view instanceof ProbeItemView,
        count: workspace.getLeavesOfType(viewTypes.item).length,
        inRight: leaf.getRoot() === workspace.rightSplit,
        state: leaf.getViewState().state?.['word'],
      };
    },

    async openNote(path: string) {
      await plugin.app.workspace.getLeaf(false).openFile(plugin.expectFile(path), { active: true });
      return describe();
    },

    async openLink(given: { link: string; source: string; leafType?: 'tab' | 'split' }) {
      await plugin.app.workspace.openLinkText(given.link, given.source, given.leafType ?? false, { active: true });
      return describe();
    },

    async openReading(path: string) {
      const leaf = plugin.app.workspace.getLeaf(false);
      await leaf.setViewState({ type: 'markdown', state: { file: path, mode: 'preview' }, active: true });
      return describe();
    },

    async split() {
      const { workspace } = plugin.app;
      const before = workspace.getLeavesOfType('markdown').length;
      const leaf = workspace.getLeaf('split', 'vertical');
      await leaf.openFile(plugin.expectFile('Links.md'));
      const during = workspace.getLeavesOfType('markdown').length;
      leaf.detach();
      return { added: during - before, left: workspace.getLeavesOfType('markdown').length - before };
    },

    async pin() {
      const { workspace } = plugin.app;
      const leaf = workspace.getMostRecentLeaf()!;
      leaf.setPinned(true);
      const other = workspace.getLeaf(false);
      leaf.setPinned(false);
      const isOther = other !== leaf;
      if (isOther) other.detach();
      return isOther;
    },

    async popOut() {
      const leaf = plugin.app.workspace.openPopoutLeaf({ size: { width: 500, height: 400 } });
      await leaf.openFile(plugin.expectFile('Links.md'));
      const view = leaf.view as MarkdownView;
      const win = view.containerEl.win;
      const seen = {
        otherWindow: win !== window,
        ownDocument: view.containerEl.doc === win.document,
        isElement: view.containerEl.instanceOf(HTMLElement),
        text: view.editor.getValue(),
        made: view.containerEl.createDiv('made-there').ownerDocument === win.document,
      };
      leaf.detach();
      return seen;
    },

    /** Without a page of its own, a leaf in the background keeps a placeholder until it is asked for. */
    async loadDeferred() {
      const { workspace } = plugin.app;
      const leaf = workspace.getLeavesOfType(viewTypes.item)[0];
      if (!leaf) return null;
      const before = { deferred: leaf.isDeferred, isItemView: leaf.view instanceof ProbeItemView };
      await workspace.revealLeaf(leaf);
      await leaf.loadIfDeferred();
      return { before, after: { deferred: leaf.isDeferred, isItemView: leaf.view instanceof ProbeItemView } };
    },

    countLeaves() {
      let all = 0;
      let main = 0;
      plugin.app.workspace.iterateAllLeaves(() => void all++);
      plugin.app.workspace.iterateRootLeaves(() => void main++);
      return { all, main };
    },

    saveLayout() {
      plugin.app.workspace.requestSaveLayout();
      return Object.keys(plugin.app.workspace.getLayout());
    },

    describe,
  };
}
