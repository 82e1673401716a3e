/** @jest-environment jsdom */
/** The custom system prompt in the app: when the prompt that is sent is written to its file, and what notices say. */
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { TextFiles } from '../../../../src/core/own-prompt/text-files';
import { type Failure, fail, succeed } from '../../../../src/core/ports/failure';
import { assistant } from '../../../../src/core/prompt/modes';
import { openCustomSystemPrompt, type OwnPrompt } from '../../../../src/ui/prompts/custom-system-prompt';
import { digest, memoryDevice, roughTokenizer } from '../../../support/memory-ports';

const noRoom: Failure = { kind: 'refused', words: 'No room.', remedy: '' };
const notices = (): string[] => [...document.querySelectorAll('.notice-message')].map(({ textContent }) => textContent);
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

let prompt: OwnPrompt;
let written: Map<string, string>;
let writes: number;
let isFull: boolean;
let settings: { promptExport: 'off' | 'default' | 'path'; promptExportPath: string };
let noted: string[];
let visible: ReadonlySet<string>;
/** What is visible once the instruction files are compared again; null for the same. */
let refreshed: ReadonlySet<string> | null;

beforeEach(async () => {
  const app = await createTestApp();
  [written, writes, isFull, noted, visible, refreshed] = [new Map(), 0, false, [], new Set(), null];
  settings = { promptExport: 'default', promptExportPath: '' };
  const files: TextFiles = {
    read: (path) => Promise.resolve(succeed(written.get(path) ?? null)),
    write: (path, text) => {
      writes += 1;
      if (isFull) return Promise.resolve(fail(noRoom));
      written.set(path, text);
      return Promise.resolve(succeed(undefined));
    },
  };
  const findFile = (path: string): object | undefined => (visible.has(path) ? {} : undefined);
  const refresh = (): Promise<void> => Promise.resolve(void (visible = refreshed ?? visible));
  const tokenizer = roughTokenizer;
  const options = {
    chat: { settings: () => settings, agentFolder: () => 'Docent', vault: { file: findFile }, refresh, tokenizer },
    ...{
      sections: [],
      files,
      digest,
      templateBudget: () => 200,
      computer: null,
      device: memoryDevice(),
      openChat: () => null,
      start: assistant,
    },
    note: (said: string) => void noted.push(said),
  };
  prompt = openCustomSystemPrompt(app, options as unknown as Parameters<typeof openCustomSystemPrompt>[1]);
});
afterEach(() => closeTestApps());

async function send(system: string): Promise<void> {
  prompt.promptSent(system);
  await settle();
}

it('writes the prompt that is sent only where that is asked for, and only when it changes', async () => {
  settings.promptExport = 'off';
  await send('One.');
  expect(writes).toBe(0);
  settings.promptExport = 'default';
  await send('One.');
  await send('One.');
  expect([[...written], writes]).toEqual([[['Docent/exports/system.md', 'One.']], 1]);
  await send('Two.');
  expect([[...written], writes]).toEqual([[['Docent/exports/system.md', 'Two.']], 2]);
  expect(notices()).toEqual([]);
});

it('writes the same prompt to another file once that is named', async () => {
  await send('One.');
  Object.assign(settings, { promptExport: 'path', promptExportPath: 'Prompts/sent.md' });
  await send('One.');
  expect([...written.keys()]).toEqual(['Docent/exports/system.md', 'Prompts/sent.md']);
});

it('says that a prompt could not be written, and writes it with the next message', async () => {
  isFull = true;
  await send('One.');
  expect([notices().join(), noted]).toEqual(['No room.', ['No room.']]);
  isFull = false;
  await send('One.');
  expect(written.get('Docent/exports/system.md')).toBe('One.');
  await send('One.');
  expect(writes).toBe(2);
});

it('knows of a note whether it is used, has no text of its own, or waits for the user', async () => {
  written.set('Docent/system-extra.md', '---\na: b\n---\n%%\nThis comment is for you.\n%%\n');
  written.set('Docent/commit.md', 'Briefly.');
  visible = new Set(['Docent/system-extra.md']);
  const uses = () => Promise.all(['system-extra.md', 'commit.md'].map((name) => prompt.noteUse(name)));
  expect(await uses()).toEqual(['empty', 'waits']);
  refreshed = new Set(['Docent/commit.md', 'Docent/system.md']);
  expect(await uses()).toEqual(['empty', 'used']);
  // Without a text, the user's own system prompt is used all the same.
  written.set('Docent/system.md', '%%\nThis comment is for you.\n%%\n');
  expect(await prompt.noteUse('system.md')).toBe('used');
});

it('knows of a template whether it waits for the user, also of one that was typed a moment ago', async () => {
  written.set('Docent/modes/user/tier1.md', 'Answer briefly.');
  written.set('Docent/modes/user/tier2.md', 'Answer at length.');
  visible = new Set(['Docent/modes/user/tier1.md', 'Docent/modes/user/tier2.md']);
  refreshed = new Set(['Docent/modes/user/tier2.md']);
  const [first, second] = await prompt.templates();
  expect(first?.message).toContain('until you allow it on this device');
  expect(second?.message).toContain('tokens');
});

it('makes the templates of the user’s own mode when that is chosen first, and not again', async () => {
  await prompt.startOwnMode();
  const made = [...written.keys()];
  expect(made.every((path) => path.startsWith('Docent/modes/user/'))).toBe(true);
  expect([made.length > 1, notices().length]).toEqual([true, 1]);
  // One that is left is enough to begin with.
  for (const path of made.slice(1)) written.delete(path);
  await prompt.startOwnMode();
  expect([[...written.keys()], notices().length]).toEqual([made.slice(0, 1), 1]);
});

it('says why a note cannot be made, and opens none', async () => {
  isFull = true;
  await prompt.openOrCreate('memory.md');
  expect([notices().join(), noted, [...written.keys()]]).toEqual(['No room.', ['No room.'], []]);
  isFull = false;
  await prompt.openOrCreate('memory.md');
  expect([...written.keys()]).toEqual(['Docent/memory.md']);
  expect(notices()).toHaveLength(1);
});
