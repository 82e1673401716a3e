/** What a chat has chosen and cannot have any more. */
import { modelFor } from '../../../../src/core/chat/chat-view-state';
import {
  findMissingChoices,
  foldChoices,
  withoutMissing,
  withoutOtherNotes,
} from '../../../../src/core/context/chat-choices';
import { fail, succeed } from '../../../../src/core/ports/failure';
import type { Model } from '../../../../src/core/ports/model';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { fakeVault } from '../../../support/fake-vault';

const missing = fail({ kind: 'configuration', words: 'No such model.', remedy: 'Choose one.' });
const place = {
  agentFolder: () => 'Docent',
  waits: (path: string) => path.includes('Waits'),
  vault: fakeVault({ 'A.md': '', 'Docent/prompts/Off.md': '---\ndisabled: true\n---\n', 'Docent/prompts/On.md': '' }),
  registered: () => undefined,
  toolNames: [],
  model: (id: string) => (id.startsWith('gone/') ? missing : succeed(id)),
  usualModel: 'here/usual',
};
const usual = foldChoices([], { ...defaultSettings, model: 'here/usual' });

it('R176 names each thing that is gone, and the reason where there is more to say', () => {
  const choices = {
    ...usual,
    model: 'gone/big',
    selectedPrompt: 'Docent/prompts/Off.md',
    selectedWorkspace: 'Docent/workspaces/Boat.md',
    contextNotes: ['A.md', 'B.md'],
  };
  const missing = findMissingChoices(choices, place);
  expect(missing.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'model gone/big',
    'prompt Off',
    'workspace Boat',
    'note B',
  ]);
  expect(missing[1]?.reason).toMatch(/off/);
  const remaining = missing.reduce<typeof usual>(
    (rest, each) => ({ ...rest, ...withoutMissing(rest, each, 'here/usual') }),
    choices,
  );
  expect(findMissingChoices(remaining, place)).toEqual([]);
  expect(remaining.contextNotes).toEqual(['A.md']);
});

it('R176 says nothing of what is there', () => {
  expect(
    findMissingChoices({ ...usual, selectedPrompt: 'Docent/prompts/On.md', contextNotes: ['A.md'] }, place),
  ).toEqual([]);
});

it('names a note that waits, and one that is neither a prompt nor a workspace', () => {
  const reasons = (choices: Partial<typeof usual>): string[] =>
    findMissingChoices({ ...usual, ...choices }, place).map(({ kind, reason }) => `${kind}: ${reason}`);
  const waits = 'To use it, allow it on this device: select Review above the message box.';
  expect(
    reasons({ selectedPrompt: 'Docent/prompts/Waits.md', selectedWorkspace: 'Docent/workspaces/Waits.md' }),
  ).toEqual([`prompt: ${waits}`, `workspace: ${waits}`]);
  expect(reasons({ selectedPrompt: 'A.md', selectedWorkspace: 'Docent/prompts/On.md' })).toEqual([
    'prompt: Only notes in the folder “Docent/prompts” can be used here.',
    'workspace: Only notes in the folder “Docent/workspaces” can be used here.',
  ]);
});

it('a log that chooses another note, as one from another device can, has no effect', () => {
  const chosen = { ...usual, selectedPrompt: 'A.md', selectedWorkspace: 'Docent/prompts/On.md' };
  expect(withoutOtherNotes(chosen, place)).toEqual(usual);
  const offered = { ...usual, selectedPrompt: 'Docent/prompts/On.md', selectedWorkspace: 'Docent/workspaces/Boat.md' };
  expect(withoutOtherNotes(offered, place)).toEqual(offered);
  expect(withoutOtherNotes({ ...usual, selectedPrompt: 'server/day' }, place).selectedPrompt).toBe('server/day');
});

describe('R105 the model', () => {
  const model = (id: string) => (id.startsWith('gone/') ? missing : succeed({ description: { id } } as Model));
  const settings = (id: string) => () => ({ ...defaultSettings, model: id });

  it('that is gone gives way to that of the settings', () => {
    const answers = modelFor('gone/big', { model, settings: settings('here/usual') });
    expect(answers).toMatchObject({ ok: true, value: { description: { id: 'here/usual' } } });
  });

  it('of the settings gives way to none, and what is wrong with the first is said', () => {
    expect(modelFor('gone/big', { model, settings: settings('gone/usual') })).toBe(missing);
    expect(modelFor('gone/usual', { model, settings: settings('gone/usual') })).toBe(missing);
    expect(findMissingChoices({ ...usual, model: 'gone/usual' }, { ...place, usualModel: 'gone/usual' })).toEqual([]);
  });
});
