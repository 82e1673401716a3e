/** @jest-environment jsdom */
/** Views that draw themselves: they keep the focus while they are open. */
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { WorkspaceLeaf } from 'obsidian';
import { MountedView } from '../../../src/ui/side-views';
import type { ChatViewPorts } from '../../../src/ui/state/ports';

afterEach(closeTestApps);

class ListView extends MountedView {
  getViewType(): string {
    return 'list';
  }

  getDisplayText(): string {
    return 'List';
  }

  protected override prepare(): Promise<() => () => void> {
    return Promise.resolve(() => {
      const list = this.contentEl.createDiv();
      for (const text of ['one', 'two']) list.createDiv().createEl('button', { text });
      return () => list.remove();
    });
  }
}

it('goes to the next row when the row that has the focus is removed', async () => {
  const app = await createTestApp();
  const leaf = app.workspace.getLeaf(false) as unknown as WorkspaceLeaf;
  const view = new ListView(leaf, () => Promise.resolve({} as ChatViewPorts));
  await leaf.open(view);
  const [one, two] = Array.from(view.contentEl.querySelectorAll('button'));
  one?.focus();
  expect(view.contentEl.doc.activeElement).toBe(one);
  one?.parentElement?.remove();
  await Promise.resolve();
  expect(view.contentEl.doc.activeElement).toBe(two);
  await view.onClose();
  expect(view.contentEl.querySelector('button')).toBeNull();
});
