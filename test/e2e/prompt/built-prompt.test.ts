/** The system prompt that other plugins build with Docent's API, over the notes that Docent shows a model. */
import type { SystemPromptOptions } from '../../../src/core/prompt/system-prompt-builder';
import { openWorkbench, type OpenedWorkbench } from '../driver/workbench';

jest.setTimeout(60_000);

const vault = {
  'Boats/Heron.md': 'Heron is a clinker dinghy, 4 < 5 m & old.\n',
  'Private/Diary.md': 'A secret.\n',
  'Docent/workspaces/Boat.md': '---\nname: Boat\nfolder: Boats\n---\nSay what each plank is made of.\n',
};
const boat = { id: 'Docent/workspaces/Boat.md', name: 'Boat', rootFolder: 'Boats' };

let workbench: OpenedWorkbench;

beforeAll(async () => {
  workbench = await openWorkbench({ vault, settings: { keptFolders: ['Private'] } });
});
afterAll(async () => {
  expect(workbench.errors).toEqual([]);
  await workbench.close();
});

interface Api {
  buildSystemPrompt(options: unknown, readers?: unknown): Promise<string | null>;
}

let built = 0;

/** Calls the API as another plugin would, without a chat view, and returns what that plugin writes into a note. */
async function build(options: SystemPromptOptions | null, readers?: 'own'): Promise<string> {
  built += 1;
  const note = `Built ${built}.md`;
  await workbench.page.evaluate(
    async ([given, own, path]) => {
      const { api } = window.app.plugins.getPlugin('docent') as unknown as { api: Api };
      const reads = { readNoteContent: () => Promise.resolve('') };
      const text = await api.buildSystemPrompt(given, ...(own === 'own' ? [reads] : []));
      await window.app.vault.create(path, text ?? '(null)');
    },
    [options, readers, note] as const,
  );
  return workbench.readNote(note);
}

it('R021@disk R022@disk R023@disk joins what its options say, in its order, with one newline between sections', async () => {
  const text = await build({
    contextStatus: { usedTokens: 10, maxTokens: 100, percentUsed: 10, status: 'ok', statusMessage: '' },
    previousContext: { summary: 'Keel bolts.', filesReferenced: [], topics: [], messagesRemoved: 4, messagesKept: 2 },
    vaultStructure: { rootFolders: ['Boats'], rootFiles: [] },
    contextNotes: ['Boats/Heron.md', 'Private/Diary.md', 'Boats/Gone.md'],
    customPrompt: 'Be stern.',
  });
  expect(text).toMatch(/^<context_status>\n[\s\S]*\n<\/context_status>\n<previous_context>\n/);
  const places = ['<previous_context>', '<vault_structure>', '<files>', '<selected_prompt>'].map((tag) =>
    text.indexOf(tag),
  );
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(text).toContain('<note path="Boats/Heron.md">\nHeron is a clinker dinghy, 4 < 5 m & old.');
  expect(text.match(/\[File content unavailable\]/g)).toHaveLength(2);
  expect(text).not.toContain('secret');
});

it('R022@disk is null when there is nothing to say, and refuses what is no object', async () => {
  expect(await build({ skipToolsSection: true })).toBe('(null)');
  await expect(build(null)).rejects.toThrow('buildSystemPrompt takes an object of options');
});

it('R172@disk gives a mentioned workspace in full, and its basic fields to a caller that loads none', async () => {
  const named = { messageEnhancement: { tools: [], prompts: [], notes: [], workspaces: [boat] } };
  expect(await build(named)).toContain('Say what each plank is made of.');
  const basic = await build(named, 'own');
  expect(basic).toContain('"rootFolder": "Boats"');
  expect(basic).not.toContain('plank');
});

it('R178@disk gives a selected workspace that could not be loaded as JSON', async () => {
  expect(await build({ workspaceContext: { id: 'w', name: 'Boat yard' } })).toContain('"name": "Boat yard"');
});
