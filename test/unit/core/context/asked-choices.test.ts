/** What prompts and workspaces set for a chat, and what they cannot. */
import { readAskedChoices, readAskingNote } from '../../../../src/core/context/chat-choices';
import { findProblems } from '../../../../src/core/library/note-problems';
import type { ChatChoices } from '../../../../src/core/session/entry';
import { fakeVault } from '../../../support/fake-vault';

const now = { mode: 'assistant', model: 'ollama/qwen', permission: 'review', contextNotes: ['A.md'] } as const;
const models = { 'ollama/qwen': 'Ollama: qwen', 'openai/gpt': 'OpenAI: gpt', 'a/twin': 'A: twin', 'b/twin': 'B: twin' };
const path = 'Docent/prompts/Plan.md';

function asked(properties: string, changes: Partial<typeof now & ChatChoices> = {}) {
  const vault = fakeVault({ 'A.md': '', 'B.md': '', [path]: `---\n${properties}\n---\nPlan.` });
  const note = readAskingNote(vault, 'Docent', path);
  return (
    note && readAskedChoices(note, { ...now, ...changes } as Parameters<typeof readAskedChoices>[1], { vault, models })
  );
}

it('sets a mode, a model, a stricter permission and pinned notes, and says so', () => {
  expect(
    asked('mode: Planner\nmodel: "OpenAI: gpt"\npermission: Read only\npinned:\n  - "[[B]]"\n  - "[[A|first]]"'),
  ).toEqual({
    choices: { mode: 'planning', model: 'openai/gpt', permission: 'read-only', contextNotes: ['A.md', 'B.md'] },
    looser: null,
    changes: ['mode Planner', 'model OpenAI: gpt', 'permission mode Read only', '1 pinned note'],
    problems: [],
  });
});

it.each([
  ['openai/gpt', 'openai/gpt'],
  ['GPT', 'openai/gpt'],
  ['b/twin', 'b/twin'],
  ['twin', undefined],
  ['claude', undefined],
])('takes the model “%s” as %s', (written, model) => {
  const read = asked(`model: ${written}`);
  expect(read?.choices.model).toBe(model);
  expect(read?.problems).toEqual(
    model === undefined ? [`“Plan” uses the model “${written}”, which isn’t set up. This chat keeps its model.`] : [],
  );
});

it('changes nothing that is as asked, and leaves a looser permission to the user', () => {
  const same = asked('mode: assistant\nmodel: ollama/qwen\npermission: review\npinned: A.md');
  expect(same).toEqual({ choices: {}, looser: null, changes: [], problems: [] });
  expect(asked('permission: auto-edit')).toMatchObject({ choices: {}, looser: 'auto-edit', changes: [] });
  expect(asked('permission: review', { permission: 'plan' as never })).toMatchObject({ choices: {}, looser: 'review' });
  expect(asked('permission: plan')).toMatchObject({ choices: { permission: 'plan' }, looser: null });
});

it('says which pinned notes are missing, in the chat and in the diagnostics', () => {
  expect(asked('pinned: "[[Gone]]"')?.problems).toEqual([
    '“Plan” pins “Gone”, which wasn’t found. This chat continues without it.',
  ]);
  const vault = fakeVault({
    [path]: '---\npinned: ["[[Gone]]"]\n---\n',
    'Docent/workspaces/W.md': '---\nmode: wizard\n---\n',
  });
  expect(findProblems(vault, 'Docent', []).map(({ kind, reason }) => [kind, reason])).toEqual([
    ['missing-note', 'It pins notes that weren’t found: Gone. Correct its property “pinned”.'],
    ['invalid', 'Its “mode” is none of assistant, developer, planning, debugger, user.'],
  ]);
});

it('asks nothing of a note that is no prompt and no workspace, or that is invalid', () => {
  const vault = fakeVault({ 'A.md': '---\nmode: planning\n---\n', [path]: '---\npermission: all\n---\n' });
  expect(readAskingNote(vault, 'Docent', 'A.md')).toBeNull();
  expect(readAskingNote(vault, 'Docent', path)).toBeNull();
});
