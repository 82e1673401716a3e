/** @jest-environment jsdom */
/**
 * Two devices whose plugin folder is synced, and of which the database takes nothing, as on a phone after a pause: the
 * drafts of each, and its running answers, are its own.
 */
import type { PluginManifest } from 'obsidian';
import { closeTestApps, createMemoryLocalStore, createTestApp, MemoryAdapter } from 'obsidian-workbench/jest';
import manifest from '../../../../manifest.json';
import DocentPlugin from '../../../../src/main';
import { finish, say, type ScriptedModel, scriptedModel } from '../../../support/scripted-model';
import { eventually } from '../../eventually';

jest.setTimeout(60_000);

// What the build packs; these tests count with a tokenizer of their own.
jest.mock('docent:count-worker', () => '', { virtual: true });
jest.mock('docent:packed-ranks', () => '', { virtual: true });

const mockAnswers: { model: ScriptedModel | null } = { model: null };

jest.mock('../../../../src/models/open', () => {
  const { answeringWith } = jest.requireActual<typeof import('../../../support/scripted-model')>(
    '../../../support/scripted-model',
  );
  return answeringWith(
    jest.requireActual<typeof import('../../../../src/models/open')>('../../../../src/models/open'),
    mockAnswers,
  );
});

const one = <Shown extends HTMLElement>(selector: string): Shown | null => document.querySelector<Shown>(selector);
const box = (): HTMLTextAreaElement | null => one('.docent-composer-input');
const answers = (): string => [...document.querySelectorAll('.docent-answer')].map((each) => each.textContent).join();

type Store = ReturnType<typeof createMemoryLocalStore>;

async function open(adapter: MemoryAdapter, localStore: Store): Promise<void> {
  const plugins = [{ manifest: manifest as PluginManifest, main: DocentPlugin }];
  const app = await createTestApp({ adapter, localStore, plugins });
  if (app.workspace.getLeavesOfType('docent-chat').length === 0) app.commands.executeCommandById('docent:open-chat');
  await eventually(() => box() !== null && one('.docent-loading') === null, 'the chat view');
}

function type(text: string): void {
  const input = box();
  if (input === null) throw new Error('There is no message box.');
  input.value = text;
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

const filesOf = (adapter: MemoryAdapter): string[] => adapter.paths().filter((path) => path.includes('/unsaved/'));
const isStored = (adapter: MemoryAdapter, text: string): boolean =>
  filesOf(adapter).some((path) => adapter.textAt(path)?.includes(text) === true);

afterEach(closeTestApps);

it('neither show nor replace what the other one has not sent, or is still being answered', async () => {
  mockAnswers.model = scriptedModel([[say('The beginning. '.repeat(400)), 'hang', finish()]]);
  const onPhone = new MemoryAdapter({ files: { '.obsidian/plugins/docent/data.json': '{"version":1}' } });
  const [phone, computer] = [createMemoryLocalStore(), createMemoryLocalStore()];
  // The computer has had the vault for a while.
  await open(new MemoryAdapter(), computer);
  await closeTestApps();
  await open(onPhone, phone);
  type('first');
  await eventually(() => one('.docent-send')?.hasAttribute('disabled') === false, 'a message that can be sent');
  box()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  await eventually(() => isStored(onPhone, 'The beginning.'), 'the answer in a file');
  type('half a thought');
  await eventually(() => isStored(onPhone, 'half a thought'), 'the draft in a file');
  const layout = '.obsidian/workspace.json';
  await eventually(() => onPhone.textAt(layout)?.includes('docent-chat') === true, 'the layout');
  // What the sync service finds while the answer goes on.
  const paths = onPhone.paths().filter((path) => onPhone.textAt(path) !== undefined);
  const files = Object.fromEntries(paths.map((path) => [path, onPhone.textAt(path) ?? '']));
  await closeTestApps();

  const adapter = new MemoryAdapter({ files });
  await open(adapter, computer);
  await eventually(() => one('.docent-user-text')?.textContent === 'first', 'the message');
  expect([box()?.value, answers()]).toEqual(['', '']);
  type('another thought');
  await eventually(() => isStored(adapter, 'another thought'), 'the other draft in a file');
  const changed = filesOf(adapter).filter((path) => files[path] !== undefined && files[path] !== adapter.textAt(path));
  expect(changed).toEqual([]);
  await closeTestApps();

  await open(adapter, phone);
  await eventually(() => answers().includes('The beginning.'), 'the answer');
  expect(box()?.value).toBe('half a thought');
});
