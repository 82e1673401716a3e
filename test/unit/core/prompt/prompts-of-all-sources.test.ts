/** Which prompts are offered, which are hidden and why, and what a request gets of one. */
import { PromptRegistry, type RegisteredPrompt, stateOfPrompt } from '../../../../src/core/library/prompt-registry';
import { describePrompts, offeredPrompts } from '../../../../src/core/library/prompts';
import { availablePrompts } from '../../../../src/core/prompt/facts/library';
import { customPrompts, selectedPrompt } from '../../../../src/core/prompt/sections/prompts';
import type { TurnContext, World } from '../../../../src/core/prompt/world';
import { fakeVault } from '../../../support/fake-vault';
import { device, never, worldOf } from '../../../support/turn-world';

const vault = fakeVault({
  'Now.md': 'Tea.',
  'Docent/prompts/Plan.md': '---\nname: Plan\n---\nPlan ${arguments} from ${date}.',
  'Docent/prompts/Needy.md': '---\nrequiredTools: fetch_page, read_note\n---\nFetch.',
  'Docent/prompts/Off.md': '---\ndisabled: true\n---\nOff.',
  'Docent/prompts/Odd.md': '---\ndisabled: perhaps\n---\nOdd.',
});
const registered: readonly RegisteredPrompt[] = [
  { id: 'built-in/short', name: 'Short', content: 'Shorten ${selection}', source: 'static', registeredAt: 0 },
  { id: 'mail/sort', name: 'Sort', content: 'Sort.', source: 'mcp', serverName: 'mail', registeredAt: 0 },
  { id: 'mail/web', name: 'Web', content: 'W', source: 'mcp', requiredTools: ['fetch_page'], registeredAt: 0 },
  { id: 'Docent/prompts/Gone.md', name: 'Gone', content: 'G', source: 'config', registeredAt: 0 },
];
const toolNames = ['search_notes', 'read_note'];
const library = { vault, agentFolder: 'Docent', registered, toolNames };
const place = { vault, registered: (id: string) => registered.find((one) => one.id === id), toolNames };

function world(turn: Partial<TurnContext>): World {
  const plain = worldOf(vault, turn);
  const prompts = { ...plain.prompts, registered: place.registered, listed: () => registered };
  return { ...plain, prompts };
}

it('R128 R129 offers notes, then what servers and Docent bring, without those that lack tools', () => {
  expect(offeredPrompts(library).map(({ id, source }) => `${source} ${id}`)).toEqual([
    'config Docent/prompts/Plan.md',
    'static built-in/short',
    'mcp mail/sort',
  ]);
  expect(offeredPrompts(library)).toBe(offeredPrompts({ ...library }));
  const more = offeredPrompts({ ...library, toolNames: [...toolNames, 'fetch_page'] });
  expect(more.map(({ name }) => name)).toEqual(['Needy', 'Plan', 'Short', 'Sort', 'Web']);
});

it.each([
  ['Docent/prompts/Plan.md', 'offered', /^$/],
  ['Docent/prompts/Needy.md', 'missing-tools', /fetch_page\.$/],
  ['Docent/prompts/Off.md', 'off', /off/],
  ['Docent/prompts/Odd.md', 'invalid', /disabled/],
  ['Docent/prompts/Gone.md', 'gone', /deleted/],
  ['built-in/short', 'offered', /^$/],
  ['mail/web', 'missing-tools', /fetch_page/],
  ['nowhere', 'gone', /deleted/],
])('R128 %s is %s, with the reason', (id, kind, reason) => {
  const state = stateOfPrompt(id, place);
  expect(state.kind).toBe(kind);
  expect(state.reason).toMatch(reason);
});

it('R128 R131 lists all of them with source, state and version, hidden ones with the reason', () => {
  const listed = describePrompts(vault, 'Docent', registered, toolNames);
  expect(listed.map(({ name, source, state }) => `${name}: ${source}, ${state.kind}`)).toEqual([
    'Needy: config, missing-tools',
    'Odd: config, invalid',
    'Off: config, off',
    'Plan: config, offered',
    'Short: static, offered',
    'Sort: mcp, offered',
    'Web: mcp, missing-tools',
  ]);
  expect(listed[0]?.state.reason).toContain('fetch_page');
  expect(listed[0]?.requiredTools).toEqual(['fetch_page', 'read_note']);
});

it('R165 R133 tells the model of the prompts of the user and of servers, not of the built-in ones', async () => {
  expect(await availablePrompts.gather(world({ toolNames }), never)).toEqual([
    { id: 'Docent/prompts/Plan.md', name: 'Plan', description: '' },
    { id: 'mail/sort', name: 'Sort', description: '' },
  ]);
});

describe('variables', () => {
  const editor = {
    activeNote: { path: 'Now.md', cursor: { line: 1, character: 1 }, selectedText: 'a ${date} $& b' },
    otherOpenNotes: [],
  };
  const prompt = (id: string, written?: string) => ({
    kind: 'prompt' as const,
    id,
    label: id,
    ...(written === undefined ? {} : { arguments: written }),
  });

  it('R171 are filled once and literally in a prompt that a message names', async () => {
    const mentions = [prompt('Docent/prompts/Plan.md', 'the ${date} of $1'), prompt('built-in/short')];
    expect(await customPrompts.gather(world({ mentions, editor }), never)).toEqual([
      { name: 'Plan', prompt: 'Plan the ${date} of $1 from Friday, November 20, 2026.' },
      { name: 'Short', prompt: 'Shorten a ${date} $& b' },
    ]);
  });

  it('R176 are filled in the standing prompt, which may be a built-in one', async () => {
    const read = (selected: string) =>
      selectedPrompt.gather(world({ selectedPrompt: selected, editor, toolNames }), never);
    expect(await read('built-in/short')).toBe('Shorten a ${date} $& b');
    expect(await read('Docent/prompts/Plan.md')).toBe('Plan  from Friday, November 20, 2026.');
  });

  it('R176 have the time of the first message in the standing prompt, and the current one in a message', async () => {
    const start = { ...device, time: '08:00' };
    const plain = world({ selectedPrompt: 'x/when', mentions: [prompt('x/when')], start });
    const when = { id: 'x/when', name: 'When', content: 'At ${time}.', source: 'static', registeredAt: 0 } as const;
    const asked = { ...plain, prompts: { ...plain.prompts, registered: () => when } };
    expect(await selectedPrompt.gather(asked, never)).toBe('At 08:00.');
    expect(await customPrompts.gather(asked, never)).toEqual([{ name: 'When', prompt: 'At 09:30.' }]);
  });

  it('R171 hold nothing of a note that is kept from the agent', async () => {
    const hidden = { ...editor, activeNote: { ...editor.activeNote, path: 'Secret.md' } };
    const [filled] = await customPrompts.gather(world({ mentions: [prompt('built-in/short')], editor: hidden }), never);
    expect(filled?.prompt).toBe('Shorten ');
  });

  it('R176 a standing prompt that was switched off, lacks its tools or is gone says nothing', async () => {
    for (const id of ['Docent/prompts/Off.md', 'Docent/prompts/Needy.md', 'Docent/prompts/Gone.md', 'nowhere']) {
      expect([id, await selectedPrompt.gather(world({ selectedPrompt: id, toolNames }), never)]).toEqual([id, null]);
    }
  });

  it('R171 a note that went away says nothing, whatever the registry remembers', async () => {
    expect(await customPrompts.gather(world({ mentions: [prompt('Docent/prompts/Gone.md')] }), never)).toEqual([]);
  });
});

it('R010 a world of a real registry finds what a server brought', async () => {
  const registry = new PromptRegistry();
  registry.register({ id: 'sort', name: 'Sort', content: 'Sort.', source: 'mcp', serverName: 'mail', registeredAt: 0 });
  const plain = worldOf(vault, { mentions: [{ kind: 'prompt', id: 'mail/sort', label: 'Sort' }] });
  const prompts = { ...plain.prompts, registered: (id: string) => registry.get(id), listed: () => registry.list() };
  const gather = () => customPrompts.gather({ ...plain, prompts }, never);
  expect(await gather()).toEqual([{ name: 'Sort', prompt: 'Sort.' }]);
  registry.clearMcpPrompts('mail');
  expect(await gather()).toEqual([]);
});
