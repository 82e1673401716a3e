/** The user's templates where they are used: modes, custom instructions, additions, saved prompts, and rewriting. */
import { write } from '../../../../../src/core/markup/markup';
import { toolNames } from '../../../../../src/core/markup/variables';
import { rewritePrompts, rewriteRequest } from '../../../../../src/core/prompt/background-prompts';
import { modeTemplate } from '../../../../../src/core/prompt/sections/mode';
import { systemExtra } from '../../../../../src/core/prompt/sections/user-instructions';
import { fullRecord, templateFields } from '../../../../../src/core/prompt/template-record';
import { builtInTemplates } from '../../../../../src/core/prompt/tiered-prompt-store';
import { fillPrompt, findEmptyVariables, ownText } from '../../../../../src/core/prompt/user-text';
import type { TurnContext } from '../../../../../src/core/prompt/world';
import { type FakeVault, fakeVault } from '../../../../support/fake-vault';
import { device, never, worldOf } from '../../../../support/turn-world';

const turn: Partial<TurnContext> = { mode: 'user', tier: 3, headMode: 'user', toolNames: Object.values(toolNames) };
const shown = async (text: string, files: Record<string, string> = {}, changes: Partial<TurnContext> = {}) =>
  write([await ownText(text, worldOf(fakeVault(files), { ...turn, ...changes }), never)]).text;
const modeIn = async (vault: FakeVault): Promise<string> => {
  const text = await modeTemplate.gather(worldOf(vault, turn), never);
  return write([text]).text;
};
const path = 'Docent/modes/user/tier3.md';

it('R024 a template of the user has the record of the seed', async () => {
  const text =
    '<%= it.ToolNames.ReadFile %>, <%= it.ToolNames.Grep %>[<%= it.ToolNames.Shell %>], <%= it.SandboxStatus %>, ' +
    '<% if (it.IsGitRepository) { %>git<% } else { %>no git<% } %>, <%= it.ProjectContextFile %>: <%= it.ProjectContext %>, <%= it.UserMemory %>';
  const files = { 'AGENTS.md': 'House <b>rules</b>.', 'Docent/memory.md': 'Likes <%= it.mode %> ${AvailableTools}.' };
  expect(await shown(text, files)).toBe(
    'read_note, search_notes[], generic, no git, AGENTS.md: House <b>rules</b>., Likes <%= it.mode %> ${AvailableTools}.',
  );
});

it('R024 memory and context file are read only for a template that asks for them', async () => {
  const vault = fakeVault({ 'AGENTS.md': 'x', 'Docent/memory.md': 'y', [path]: '<%= it.mode %>' });
  expect(await modeIn(vault)).toBe('user');
  expect(vault.reads).toEqual([path]);
});

it('R101 R104 a mode’s template with a mistake gives way to Docent’s own, one that is refused stays text', async () => {
  const ours = write([builtInTemplates.serve('user', 3).text]).text;
  expect(await modeIn(fakeVault({ [path]: 'Mine. <% if (it.interactive) { %>' }))).toBe(ours);
  expect(await modeIn(fakeVault({ [path]: 'Mine. <% while (true) %>' }))).toBe('Mine. <% while (true) %>');
  expect(await modeIn(fakeVault({ [path]: '<% if (it.tier === 3) { %>\nMine.\n<% } %>\n' }))).toBe('Mine.');
});

it('R040 an addition is filled in between the user’s own tags, and closes none of ours', async () => {
  const vault = fakeVault({
    'Docent/system-extra.md': '<role kind="<%= it.mode %>">\n<%= it.UserMemory %>\n</role>',
    'Docent/memory.md': 'A </role> and </core_mandates>.',
  });
  const extra = await systemExtra.gather(worldOf(vault, turn), never);
  expect(write(extra === null ? [] : [extra]).text).toBe(
    '<role kind="${it.mode}">\nA </role> and &lt;/core_mandates>.\n</role>',
  );
});

it('R171 a saved prompt decides by the open note and the selection', async () => {
  const text =
    '<% if (it.selection) { %>Shorten: <%= it.selection %><% } else if (it.noteText) { %>Read ${title}: ${noteText}<% } else { %>Ask.<% } %>';
  const editorOf = (selectedText: string): TurnContext['editor'] =>
    ({
      activeNote: { path: 'Boats/Heron.md', selectedText },
      otherOpenNotes: [],
    }) as unknown as TurnContext['editor'];
  const vault = fakeVault({ 'Boats/Heron.md': 'Blue <%= it.mode %> ${date}.' });
  const fill = (editor: TurnContext['editor']) =>
    fillPrompt(text, worldOf(vault, { ...turn, editor, contextWindow: 8_000 }), '', never);
  expect(await fill(editorOf('<% if (it.x) { %> ${title}'))).toBe('Shorten: <% if (it.x) { %> ${title}');
  expect(await fill(editorOf(''))).toBe('Read Heron: Blue <%= it.mode %> ${date}.');
  expect(await fill(null)).toBe('Ask.');
});

it('R171 only the variables that are left are reported as empty', () => {
  const values = {
    ...{ selection: '', activeNote: '', title: '', noteText: '', dailyNote: '', arguments: '' },
    ...{ date: device.date, time: device.time },
  };
  const choice = '<% if (it.selection) { %>${selection}<% } else { %><%= it.noteText %><% } %>';
  expect(findEmptyVariables(choice, values)).toEqual(['noteText']);
  expect(findEmptyVariables(choice, { ...values, selection: 'x' })).toEqual([]);
  expect(findEmptyVariables('<%= it.title %> ${title} <%= it.mode %>', values)).toEqual(['title']);
  expect(findEmptyVariables('<%= it.title', values)).toEqual([]);
});

it('a prompt for rewriting may have conditions, and the passage goes where its tag is', () => {
  const more = {
    ...{ selection: '', activeNote: 'A.md', title: 'A', noteText: '', dailyNote: '', arguments: '' },
    ...{ date: device.date, time: device.time },
  };
  const text = '<% if (it.title) { %>From <%= it.title %>: <% } %><%= it.selection %> Shorten it.';
  const request = rewriteRequest(text, 'Blue <%= it.title %> boat.', more);
  expect(request).toMatch(/^From A: ~~~\nBlue <%= it\.title %> boat\.\n~~~ Shorten it\.\n\nAnswer/);
  const prompt = { id: 'x', name: 'x', content: text, source: 'config', registeredAt: 0 } as const;
  expect(rewritePrompts([prompt])).toEqual([prompt]);
});

it('R025 the names that the diagnostics know are those of the record', () => {
  const fields = templateFields();
  expect(fields).toEqual(
    expect.arrayContaining(['tier', 'offers.search', 'tools.readNote', 'ToolNames.LS', 'UserMemory']),
  );
  for (const name of Object.keys(fullRecord(1, 'assistant'))) {
    expect(fields.some((field) => field === name || field.startsWith(`${name}.`))).toBe(true);
  }
});
