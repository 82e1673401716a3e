/** @jest-environment jsdom */
/** Views that draw themselves: they keep the focus while they are open, and the inspector follows the chat in use. */
import { signal } from '@preact/signals';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { WorkspaceLeaf } from 'obsidian';
import { words } from '../../../src/text';
import { ChatView } from '../../../src/ui/chat/chat-view';
import { InspectorView, MountedView } from '../../../src/ui/side-views';
import type { ChatViewPorts } from '../../../src/ui/state/ports';
import { openComposer } from './chat/open-composer';

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

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
const neverReady = (): Promise<never> => new Promise(() => undefined);

it('follows, as the inspector, the chat in use, stays with it beside other views, and leaves it once it is closed', async () => {
  const { workspace } = await createTestApp();
  const newLeaf = (): WorkspaceLeaf => workspace.getLeaf('tab') as unknown as WorkspaceLeaf;
  const openChat = async (name: string): Promise<WorkspaceLeaf> => {
    const leaf = newLeaf();
    const view = new ChatView(leaf, neverReady);
    const described = () => ({ prices: undefined, isUnpriced: false });
    const plan = { modelId: name, blocks: [], messages: [], tools: [], system: '', conversationId: name };
    const totals = { instructions: 0, tools: 0, reference: 0, history: 0, turn: 0, all: 0 };
    const size = { window: 1_000, reserve: 0, exact: true };
    const preview = signal({ ...plan, totals: { ...totals, ...size } });
    const model = { chatId: name, preview, state: signal({}), plannedFor: () => null };
    const ports = {
      models: { described },
      settings: () => ({ compaction: 'manual' }),
      vault: { file: () => undefined },
    };
    Object.defineProperty(view, 'model', { value: { ...model, ports } });
    void leaf.open(view);
    await settle();
    return leaf;
  };
  const inspected = newLeaf();
  const inspector = new InspectorView(inspected, () => Promise.resolve({} as ChatViewPorts));
  await inspected.open(inspector);
  const shown = (): string => inspector.contentEl.querySelector('.docent-inspector-head span')?.textContent ?? '';
  const use = async (leaf: WorkspaceLeaf): Promise<void> => {
    workspace.setActiveLeaf(leaf as never);
    workspace.trigger('layout-change');
    await settle();
  };
  expect(inspector.contentEl.textContent).toContain(words.inspector.noChat);
  const one = await openChat('one');
  await use(one);
  const two = await openChat('two');
  await use(one);
  expect(shown()).toBe('one');
  expect(inspector.contentEl.textContent).not.toContain(words.inspector.noChat);
  await use(two);
  expect(shown()).toBe('two');
  await use(inspected);
  expect(shown()).toBe('two');
  two.detach();
  await use(inspected);
  expect(shown()).toBe('one');
  one.detach();
  await use(inspected);
  expect(inspector.contentEl.textContent).toContain(words.inspector.noChat);
});

it('shows, as the inspector, the chat of a view that was restored with it and is ready later', async () => {
  const { workspace } = await createTestApp();
  const { model: donor } = await openComposer({});
  // In a collapsed sidebar nothing takes the focus, which would make the chat the one in use.
  jest.spyOn(HTMLElement.prototype, 'focus').mockImplementation(() => {});
  let ready = (_ports: ChatViewPorts): void => {};
  const ports = new Promise<ChatViewPorts>((resolve) => (ready = resolve));
  const newLeaf = (): WorkspaceLeaf => workspace.getLeaf('tab') as unknown as WorkspaceLeaf;
  const [chatLeaf, inspected] = [newLeaf(), newLeaf()];
  const chat = new ChatView(chatLeaf, () => ports);
  void chatLeaf.open(chat);
  const inspector = new InspectorView(inspected, () => Promise.resolve(donor.ports));
  await inspected.open(inspector);
  await settle();
  expect(inspector.contentEl.textContent).toContain(words.inspector.noChat);
  ready(donor.ports);
  await chat.untilOpen();
  await settle();
  expect(inspector.contentEl.textContent).not.toContain(words.inspector.noChat);
  chatLeaf.detach();
  inspected.detach();
  jest.restoreAllMocks();
});
