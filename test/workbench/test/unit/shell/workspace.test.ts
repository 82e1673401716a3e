/**
 * @jest-environment jsdom
 */
import { ItemView, MarkdownView, Plugin, TFile, type WorkspaceLeaf } from 'obsidian';
import { MemoryAdapter } from '../../../src/obsidian/vault/memory-adapter';
import { closeTestApps, createTestApp, type TestApp } from '../../../src/obsidian/jest';

const manifest = {
  id: 'sample',
  name: 'Sample',
  author: 'A',
  version: '1.0.0',
  minAppVersion: '1.13.0',
  description: 'A sample.',
};

class SampleView extends ItemView {
  static opened = 0;
  static closed = 0;
  value = '';
  getViewType(): string {
    return 'sample-view';
  }
  getDisplayText(): string {
    return 'Sample';
  }
  override async onOpen(): Promise<void> {
    SampleView.opened += 1;
    this.contentEl.createDiv({ cls: 'sample', text: 'hello' });
  }
  override async onClose(): Promise<void> {
    SampleView.closed += 1;
  }
  override getState(): Record<string, unknown> {
    return { value: this.value };
  }
  override async setState(state: unknown): Promise<void> {
    this.value = (state as { value?: string }).value ?? '';
  }
}

class SamplePlugin extends Plugin {
  override onload(): void {
    this.registerView('sample-view', (leaf) => new SampleView(leaf));
  }
}

const plugins = [{ manifest, main: SamplePlugin }];

function getFile(app: TestApp, path: string): TFile {
  const file = app.vault.getFileByPath(path);
  if (!file) throw new Error(`${path} is missing`);
  return file;
}

async function openNote(app: TestApp, path: string): Promise<WorkspaceLeaf> {
  const leaf = app.workspace.getLeaf(false);
  await leaf.openFile(getFile(app, path));
  return leaf;
}

beforeEach(() => {
  SampleView.opened = 0;
  SampleView.closed = 0;
});
afterEach(closeTestApps);

test('opens a file in the navigable leaf and announces it', async () => {
  const app = await createTestApp({ files: { 'a.md': 'A', 'b.md': 'B' } });
  const opened: (string | null)[] = [];
  app.workspace.on('file-open', (file) => opened.push(file ? file.path : null));
  const leaf = await openNote(app, 'a.md');
  expect(leaf.view).toBeInstanceOf(MarkdownView);
  expect(app.workspace.getActiveFile()?.path).toBe('a.md');
  const again = await openNote(app, 'b.md');
  expect(again).toBe(leaf);
  expect(opened).toEqual(['a.md', 'b.md']);
  expect(app.workspace.getLastOpenFiles()).toEqual(['b.md', 'a.md']);
});

test('opens tabs and splits, and a pinned leaf is not reused', async () => {
  const app = await createTestApp({ files: { 'a.md': 'A', 'b.md': 'B' } });
  const first = await openNote(app, 'a.md');
  first.setPinned(true);
  const second = app.workspace.getLeaf(false);
  expect(second).not.toBe(first);
  expect(second.parent).toBe(first.parent);
  const split = app.workspace.getLeaf('split');
  expect(split.parent).not.toBe(first.parent);
  expect(split.getRoot()).toBe(app.workspace.rootSplit);
});

test('a side pane takes the focus without taking the note away', async () => {
  const app = await createTestApp({ files: { 'a.md': 'A' }, plugins });
  const note = await openNote(app, 'a.md');
  const leaf = await app.workspace.ensureSideLeaf('sample-view', 'right', { active: true, reveal: true });
  expect(leaf.view).toBeInstanceOf(SampleView);
  expect(leaf.view.containerEl.children[1]?.querySelector('.sample')?.textContent).toBe('hello');
  expect(app.workspace.activeLeaf).toBe(leaf);
  expect(app.workspace.activeEditor).toBeNull();
  expect(app.workspace.getActiveFile()?.path).toBe('a.md');
  expect(app.workspace.getMostRecentLeaf()).toBe(note);
  expect(await app.workspace.ensureSideLeaf('sample-view', 'right')).toBe(leaf);
});

test('the layout survives a restart, with background leaves deferred', async () => {
  const adapter = new MemoryAdapter({ files: { 'a.md': 'A', 'b.md': 'B' } });
  const app = await createTestApp({ adapter, plugins });
  await openNote(app, 'a.md');
  const side = app.workspace.getRightLeaf(false);
  await side?.setViewState({ type: 'sample-view', state: { value: 'kept' } });
  await app.close();
  expect(await adapter.exists('.obsidian/workspace.json')).toBe(true);
  SampleView.opened = 0;

  const next = await createTestApp({ adapter, plugins });
  expect(next.workspace.getActiveFile()?.path).toBe('a.md');
  const [leaf] = next.workspace.getLeavesOfType('sample-view');
  expect(leaf?.isDeferred).toBe(true);
  expect(leaf?.view).not.toBeInstanceOf(SampleView);
  expect(SampleView.opened).toBe(0);
  await next.workspace.revealLeaf(leaf as WorkspaceLeaf);
  expect(leaf?.isDeferred).toBe(false);
  expect((leaf?.view as SampleView).value).toBe('kept');
});

test('a disabled plugin leaves its pane in place and finds it again', async () => {
  const app = await createTestApp({ plugins });
  const leaf = await app.workspace.ensureSideLeaf('sample-view', 'right', { active: true, state: { value: 'v' } });
  await app.plugins.disablePluginAndSave('sample');
  expect(leaf.view).not.toBeInstanceOf(SampleView);
  expect(SampleView.closed).toBe(1);
  expect(leaf.getDisplayText()).toBe('Plugin no longer active');
  await app.plugins.enablePluginAndSave('sample');
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(leaf.view).toBeInstanceOf(SampleView);
  expect((leaf.view as SampleView).value).toBe('v');
});

test('onLayoutReady waits for the storm of create events', async () => {
  const events: string[] = [];
  class Listening extends Plugin {
    override onload(): void {
      this.registerEvent(this.app.vault.on('create', (file) => events.push(file.path)));
      this.app.workspace.onLayoutReady(() => events.push('ready'));
    }
    override onUserEnable(): void {
      events.push('welcome');
    }
  }
  await createTestApp({ files: { 'a.md': 'A', 'b.md': 'B' }, plugins: [{ manifest, main: Listening }] });
  expect(events).toEqual(['a.md', 'b.md', 'ready', 'welcome']);
});

test('a link to a missing note makes it, and a popout is a window of its own', async () => {
  const app = await createTestApp({ files: { 'a.md': '' } });
  await openNote(app, 'a.md');
  await app.workspace.openLinkText('New one', 'a.md', 'tab');
  expect(app.workspace.getActiveFile()?.path).toBe('New one.md');
  let told = 0;
  app.workspace.on('window-open', () => (told += 1));
  const leaf = app.workspace.openPopoutLeaf();
  await leaf.openFile(getFile(app, 'a.md'));
  expect(told).toBe(1);
  expect(leaf.view.containerEl.ownerDocument).not.toBe(document);
  expect(leaf.getContainer()).not.toBe(app.workspace.rootSplit);
  const before = app.workspace.getLeavesOfType('markdown').length;
  leaf.detach();
  expect(app.workspace.getLeavesOfType('markdown').length).toBe(before - 1);
  expect(app.workspace.getActiveFile()?.path).toBe('New one.md');
});

test('on a phone the sides are drawers and there are no popouts', async () => {
  const app = await createTestApp({ files: { 'a.md': 'A' }, phone: true, plugins });
  expect(document.body.classList.contains('is-phone')).toBe(true);
  expect(app.workspace.rightSplit.collapsed).toBe(true);
  await app.workspace.ensureSideLeaf('sample-view', 'right', { active: true, reveal: true });
  expect(app.workspace.rightSplit.collapsed).toBe(false);
  expect(() => app.workspace.openPopoutLeaf()).toThrow();
  await app.emulateMobile(false);
  expect(document.body.classList.contains('is-phone')).toBe(false);
  expect(app.workspace.getLeavesOfType('sample-view')).toHaveLength(1);
});
