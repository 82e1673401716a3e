/** What each picker of a chat shows, offers and chooses. */
import { foldChoices } from '../../../../src/core/context/chat-choices';
import { builtInPrompts } from '../../../../src/core/prompt/built-in';
import type { ChatChoices } from '../../../../src/core/session/entry';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { tools } from '../../../../src/core/tools';
import { words } from '../../../../src/text';
import { type Picker, type PickerState, pickers } from '../../../../src/ui/chat/pickers';
import type { ChatViewPorts } from '../../../../src/ui/state/ports';
import { fakeVault } from '../../../support/fake-vault';
import { promptsPorts } from '../../../support/prompts-ports';

const say = words.prompts;
const vault = fakeVault({
  'Now.md': '',
  'Later.md': '',
  'Docent/prompts/Plan.md': '---\nname: Plan\ndescription: Weekly\n---\n',
  'Docent/prompts/Off.md': '---\ndisabled: true\n---\n',
  'Docent/workspaces/Boat.md': '---\nname: The boat\n---\n',
});

function placeWith(changes: ChatChoices = {}): PickerState & { chosen: ChatChoices[] } {
  const prompts = promptsPorts({ vault, chooseNote: () => Promise.resolve('Later.md') });
  prompts.registry.replaceSource('static', builtInPrompts);
  const chosen: ChatChoices[] = [];
  const openSettings = (): void => prompts.openSettings();
  const ports = { vault, tools, prompts, openSettings, settings: () => defaultSettings, activeNote: () => 'Now.md' };
  return {
    ports: ports as Partial<ChatViewPorts> as ChatViewPorts,
    choices: { ...foldChoices([], defaultSettings), ...changes },
    choose: (choices) => void chosen.push(choices),
    chosen,
  };
}

const pickerOf = (id: Picker['id']): Picker => pickers.find((picker) => picker.id === id)!;
const titles = (id: Picker['id'], place: PickerState): string[] =>
  pickerOf(id)
    .lines(place)
    .map(({ title, checked }) => (checked === true ? `[${title}]` : title));

async function run(id: Picker['id'], title: string, place: PickerState): Promise<void> {
  const line = pickerOf(id)
    .lines(place)
    .find((each) => each.title === title);
  if (line?.run === undefined) throw new Error(`There is no line ${title}.`);
  line.run();
  await Promise.resolve();
  await Promise.resolve();
}

it('R110 the mode’s guidance stands with its entry', () => {
  const lines = pickerOf('mode').lines(placeWith());
  expect(lines.map(({ title }) => title)).toEqual(Object.values(words.settings.modes));
  for (const { detail } of lines) expect(detail).toMatch(/^[A-Z].{15,}\.$/);
});

it.each<[Picker['id'], string, ChatChoices, string]>([
  ['mode', words.settings.modes.planning, { mode: 'planning' }, words.settings.modes.planning],
  ['model', 'Big', { model: 'test/big' }, 'Big'],
  ['tier', words.settings.tiers[2], { tier: 2 }, words.settings.tiers[2]],
  ['tier', words.settings.tiers.auto, { tier: 'auto' }, ''],
  ['prompt', 'Plan', { selectedPrompt: 'Docent/prompts/Plan.md' }, 'Plan'],
  ['prompt', 'Question me', { selectedPrompt: 'built-in/question-me' }, 'Question me'],
  ['prompt', say.none, { selectedPrompt: null }, ''],
  ['workspace', 'The boat', { selectedWorkspace: 'Docent/workspaces/Boat.md' }, 'The boat'],
  ['workspace', say.none, { selectedWorkspace: null }, ''],
  ['notes', say.addActiveNote('Now'), { contextNotes: ['Now.md'] }, say.noteCount(1)],
  ['notes', say.addNote, { contextNotes: ['Later.md'] }, say.noteCount(1)],
])('R176 the picker of %s chooses %s, and shows it then', async (id, title, choice, value) => {
  const place = placeWith();
  await run(id, title, place);
  expect(place.chosen).toEqual([choice]);
  const after = placeWith(choice);
  expect(pickerOf(id).value(after)).toBe(value);
  if (id !== 'notes') expect(titles(id, after).filter((each) => each.startsWith('['))).toEqual([`[${title}]`]);
});

it('R128 offers no prompt that is switched off, and leads to all of them', async () => {
  const place = placeWith();
  expect(titles('prompt', place)).toContain('Plan');
  expect(titles('prompt', place)).not.toContain('Off');
  await run('prompt', say.allPrompts, place);
  expect((place.ports.prompts as unknown as { done: string[] }).done).toEqual(['show']);
});

it('R129 R105 leads to a new prompt, and to where a model is set up', async () => {
  const place = placeWith();
  await run('prompt', say.newPrompt, place);
  await run('model', say.setUpModel, place);
  expect((place.ports.prompts as unknown as { done: string[] }).done).toEqual(['show new', 'settings']);
  expect(place.chosen).toEqual([]);
});

it('R176 leads to a search where a menu of models would be too long', async () => {
  const place = placeWith({ model: 'test/m7' });
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`test/m${n}`, `Test: m${n}`]));
  Object.assign(place.ports.prompts, { modelChoices: () => many });
  expect(titles('model', place)).toEqual(['[Test: m7]', say.moreModels, say.setUpModel]);
  await run('model', say.moreModels, place);
  expect(place.chosen).toEqual([{ model: 'test/big' }]);
});

it('parts in each menu what is chosen from what leads elsewhere', () => {
  const place = placeWith({ model: 'test/big', contextNotes: ['Later.md'] });
  const models = { 'test/big': 'Big', 'test/small': 'Small', 'other/one': 'One' };
  Object.assign(place.ports.prompts, { modelChoices: () => models });
  const groups = (id: Picker['id']): string[][] => {
    const found: { section: string; titles: string[] }[] = [];
    for (const { title, section = '' } of pickerOf(id).lines(place)) {
      if (found.at(-1)?.section === section) found.at(-1)?.titles.push(title);
      else found.push({ section, titles: [title] });
    }
    return found.map(({ titles: each }) => each);
  };
  expect(groups('model')).toEqual([['Big', 'Small'], ['One'], [say.setUpModel]]);
  expect(groups('prompt').slice(1)).toEqual([[say.newPrompt, say.allPrompts]]);
  expect(groups('workspace')).toEqual([[say.none, 'The boat'], [words.commandNames['new-workspace']]]);
  expect(groups('notes')).toEqual([[say.removeNote('Later')], [say.addActiveNote('Now'), say.addNote]]);
  for (const id of ['mode', 'permission', 'tier'] as const) expect(groups(id)).toHaveLength(1);
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`test/m${n}`, `m${n}`]));
  Object.assign(place.ports.prompts, { modelChoices: () => many });
  expect(groups('model').map(({ length }) => length)).toEqual([12, 1]);
  Object.assign(place.ports.prompts, { modelChoices: () => ({ ...many, 'test/big': 'Big' }) });
  expect(groups('model')).toEqual([['Big'], [say.moreModels], [say.setUpModel]]);
});

it('R168 takes a standing note away again, and offers none twice', async () => {
  const place = placeWith({ contextNotes: ['Now.md', 'Later.md'] });
  expect(titles('notes', place)).toEqual([say.removeNote('Now'), say.removeNote('Later'), say.addNote]);
  await run('notes', say.removeNote('Now'), place);
  await run('notes', say.addNote, place);
  expect(place.chosen).toEqual([{ contextNotes: ['Later.md'] }, { contextNotes: ['Now.md', 'Later.md'] }]);
});

it('R168 adds to the notes that are pinned when the user decides, and takes from them', async () => {
  const place = placeWith({ contextNotes: ['Now.md'] });
  const [remove, add] = pickerOf('notes').lines(place);
  Object.assign(place.choices, { contextNotes: ['Now.md', 'Meanwhile.md'] });
  remove?.run?.();
  add?.run?.();
  await Promise.resolve();
  expect(place.chosen).toEqual([
    { contextNotes: ['Meanwhile.md'] },
    { contextNotes: ['Now.md', 'Meanwhile.md', 'Later.md'] },
  ]);
});

it('names what is chosen and gone by its file', () => {
  expect(pickerOf('prompt').value(placeWith({ selectedPrompt: 'Docent/prompts/Lost.md' }))).toBe('Lost');
  expect(pickerOf('workspace').value(placeWith({ selectedWorkspace: 'W/Lost.md' }))).toBe('Lost');
  expect(pickerOf('model').value(placeWith({ model: 'gone/one' }))).toBe('gone/one');
});

it('R110 leads to a new workspace, and says where they are if there is none', async () => {
  const place = placeWith();
  const started: string[] = [];
  const withStart = (given: PickerState): PickerState => ({
    ...given,
    ports: { ...given.ports, startNote: (kind: string) => void started.push(kind) } as unknown as ChatViewPorts,
  });
  const [, none, ...others] = pickerOf('workspace').lines(
    withStart({ ...place, ports: { ...place.ports, vault: fakeVault({}) } as unknown as ChatViewPorts }),
  );
  expect(none).toEqual({ title: say.noWorkspaces('Docent/workspaces'), section: 'more' });
  expect(others.map(({ title, section }) => [title, section])).toEqual([[words.commandNames['new-workspace'], 'more']]);
  expect(titles('workspace', place)).not.toContain(say.noWorkspaces('Docent/workspaces'));
  await run('workspace', words.commandNames['new-workspace'], withStart(place));
  expect(started).toEqual(['workspace']);
});
