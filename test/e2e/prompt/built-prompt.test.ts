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

it('R169@disk gives other plugins a label for a path', async () => {
  await workbench.page.evaluate(async () => {
    const { api } = window.app.plugins.getPlugin('docent') as unknown as {
      api: { normalizePathToXmlTag(path: string): string };
    };
    const labels = ['Boats/Heron.md', '__a  b//c.md', 'C++ & <x>.md'].map((path) => api.normalizePathToXmlTag(path));
    await window.app.vault.create('Labels.md', labels.join(' '));
  });
  expect(await workbench.readNote('Labels.md')).toBe('Boats_Heron a_b_c C_x');
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

describe('the summary of older messages', () => {
  const summed = { summary: 'Bolts are bronze.', filesReferenced: [], topics: [], messagesRemoved: 4, messagesKept: 2 };
  const previousOf = async (changes: Partial<NonNullable<SystemPromptOptions['previousContext']>>): Promise<string> => {
    const text = await build({ previousContext: { ...summed, ...changes }, customPrompt: 'Be stern.' });
    return /<previous_context>\n([\s\S]*)\n<\/previous_context>/.exec(text)?.[1] ?? '';
  };

  it('R150@disk is in the prompt with its note, and only where there is one', async () => {
    expect(await previousOf({})).toMatch(/^Earlier messages were summarized [^\n]*\n\nSummary: Bolts are bronze\./);
    expect(await previousOf({ summary: '' })).toBe('');
  });

  it('R151@disk names the first five of the notes and counts the rest', async () => {
    const filesReferenced = [1, 2, 3, 4, 5, 6, 7].map((at) => `Notes/Note ${at}.md`);
    const line = /^Files discussed: (.*) \(\+(\d+) more\)$/m.exec(await previousOf({ filesReferenced }));
    expect(line?.[1]?.split(', ')).toEqual(filesReferenced.slice(0, 5));
    expect(line?.[2]).toBe('2');
  });

  it('R152@disk joins the open tasks by semicolons', async () => {
    const previous = await previousOf({ topics: ['Ring the yard', 'Order bolts'] });
    expect(previous).toMatch(/^Key tasks: Ring the yard; Order bolts$/m);
  });

  it('R153@disk counts what was summarised and what was left', async () => {
    expect(await previousOf({})).toMatch(/\n\n\(4 messages compacted, 2 retained\)$/);
  });
});

it('R144@disk has the status, the summary, the vault, the lists, what a message names, and what is chosen, in this order', async () => {
  const status = { usedTokens: 10, maxTokens: 100, percentUsed: 10, status: 'ok', statusMessage: '' } as const;
  const text = await build({
    contextStatus: status,
    previousContext: { summary: 'Keel.', filesReferenced: [], topics: [], messagesRemoved: 1, messagesKept: 1 },
    vaultStructure: { rootFolders: ['Boats'], rootFiles: [] },
    availableWorkspaces: [boat],
    availablePrompts: [{ id: 'p', name: 'Tidy up', description: '' }],
    contextNotes: ['Boats/Heron.md'],
    messageEnhancement: {
      tools: [{ name: 'search_notes', description: 'Searches.' }],
      prompts: [{ name: 'Tidy up', prompt: 'Cut.' }],
      notes: [],
      workspaces: [boat],
    },
    customPrompt: 'Be stern.',
    workspaceContext: { id: 'w', name: 'Boat yard' },
  });
  const tags = [
    ...['context_status', 'previous_context', 'vault_structure', 'available_workspaces', 'available_prompts'],
    ...['files', 'tool_hints', 'custom_prompts', 'workspaces', 'selected_prompt', 'selected_workspace'],
  ];
  const places = tags.map((tag) => new RegExp(`<${tag}[ >]`).exec(text)?.index ?? -1);
  expect(tags.filter((_, at) => places[at] === -1)).toEqual([]);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(text.startsWith('<context_status>')).toBe(true);
});
