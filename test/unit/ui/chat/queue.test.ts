/** @jest-environment jsdom */
/** What waits above the box, changed by keys; and earlier messages brought back into it. */
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { words } from '../../../../src/text';
import { finish, say as said, scriptedModel } from '../../../support/scripted-model';
import { eventually } from '../../eventually';
import { type OpenedComposer, openComposer } from './open-composer';

const say = words.chatView;
let composer: OpenedComposer;

beforeEach(async () => {
  await createTestApp({ bare: true });
});
afterEach(closeTestApps);

const rows = (): string[] =>
  [...composer.root.querySelectorAll('.docent-queued-text')].map(({ textContent }) => textContent);
const button = (label: string, at: number): Element | null =>
  [...composer.root.querySelectorAll(`[aria-label="${label}"]`)].at(at) ?? null;
const queued = (): string[] => composer.model.state.value?.queued.map(({ text }) => text) ?? [];

async function ask(text: string): Promise<void> {
  await composer.type(text);
  await composer.press('Enter');
}

/** Three messages wait while the answer to the first one hangs. */
async function openWithQueue(): Promise<void> {
  composer = await openComposer(
    {},
    scriptedModel([
      [said('Half.'), 'hang'],
      [said('b!'), 'hang'],
    ]),
  );
  composer.input.focus();
  for (const text of ['a', 'b', 'c', 'd']) await ask(text);
}

it('shows what waits, and moves and removes it by keys, with the focus on a row', async () => {
  await openWithQueue();
  expect(rows()).toEqual(['b', 'c', 'd']);
  composer.root.querySelectorAll<HTMLElement>('.docent-queued-text')[2]?.focus();
  await composer.press('ArrowUp', { altKey: true });
  expect([rows(), queued()]).toEqual([
    ['b', 'd', 'c'],
    ['b', 'd', 'c'],
  ]);
  expect(document.activeElement?.textContent).toBe('d');
  await composer.press('ArrowDown', { altKey: true });
  await composer.press('ArrowDown', { altKey: true });
  expect(rows()).toEqual(['b', 'c', 'd']);
  expect(document.activeElement?.textContent).toBe('d');
  await composer.press('Delete');
  expect([rows(), document.activeElement?.textContent]).toEqual([['b', 'c'], 'c']);
  await composer.click(button(say.queuedUp, -1));
  expect(rows()).toEqual(['c', 'b']);
  await composer.press('Delete');
  await composer.press('Delete');
  expect([rows(), document.activeElement]).toEqual([[], composer.input]);
});

it('edits what waits in the box, and sends another at once', async () => {
  await openWithQueue();
  await composer.click(button(say.queuedEdit('c'), 0));
  expect([composer.input.value, rows(), document.activeElement]).toEqual(['c', ['b', 'd'], composer.input]);
  await ask('c, edited');
  expect(rows()).toEqual(['b', 'd', 'c, edited']);
  await composer.press('ArrowUp');
  expect([composer.input.value, rows()]).toEqual(['c, edited', ['b', 'd']]);
  await composer.click(button(say.queuedNow, -1));
  expect(rows()).toEqual(['b']);
  const items = composer.model.state.value?.items ?? [];
  expect(items.flatMap((item) => (item.type === 'user' ? [item.text] : []))).toEqual(['a', 'd']);
  expect(composer.input.value).toBe('c, edited');
});

it('brings back sent messages into an empty box, and none into one that has text', async () => {
  composer = await openComposer(
    {},
    scriptedModel([
      [said('1'), finish()],
      [said('2'), finish()],
      [said('3'), finish()],
    ]),
  );
  composer.input.focus();
  expect(await composer.press('ArrowUp')).toBe(false);
  for (const text of ['first', 'second']) await ask(text);
  expect(await composer.press('ArrowUp')).toBe(true);
  expect(composer.input.value).toBe('second');
  await composer.press('ArrowUp');
  await composer.press('ArrowUp');
  expect(composer.input.value).toBe('first');
  await composer.press('ArrowDown');
  expect(composer.input.value).toBe('second');
  composer.input.setSelectionRange(1, 1);
  expect(await composer.press('ArrowUp')).toBe(false);
  composer.input.setSelectionRange(6, 6);
  await composer.press('ArrowDown');
  expect(composer.input.value).toBe('');
  await composer.type('own');
  expect(await composer.press('ArrowUp')).toBe(false);
  expect(composer.input.value).toBe('own');
});

it('brings back a sent message with the name that a note in it has now', async () => {
  composer = await openComposer({ 'Keel.md': 'Oak.' }, scriptedModel([[said('Oak.'), finish()]]));
  const mentions = [{ kind: 'note', id: 'Old.md', label: 'Old' }] as const;
  composer.model.setText('Is [[Old]] of oak?', mentions);
  await composer.model.send();
  await eventually(() => composer.model.state.value?.running === false, 'the end of the answer');
  Object.assign(composer.model.ports, { movesSince: () => [{ from: 'Old.md', to: 'Keel.md' }] });
  composer.input.focus();
  await composer.press('ArrowUp');
  expect([composer.input.value, composer.model.mentions.value.map(({ id }) => id)]).toEqual([
    ...['Is [[Keel]] of oak?', ['Keel.md']],
  ]);
});

it('shows the beginning of a long message that waits, cut between characters', async () => {
  composer = await openComposer({}, scriptedModel([[said('Half.'), 'hang']]));
  await ask('a');
  await ask(`${'b'.repeat(199)}🚢c`);
  expect(rows()).toEqual(['b'.repeat(199)]);
});

it('takes the second press of a double-click for none on the button that is there by then', async () => {
  await openWithQueue();
  const press = async (label: string, detail: number): Promise<unknown> => {
    button(label, 0)?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail }));
    await composer.vaultChanged();
    return [composer.model.state.value?.running, queued()];
  };
  expect(await press(say.queuedNow, 2)).toEqual([true, ['b', 'c', 'd']]);
  expect(await press(say.stop, 2)).toEqual([true, ['b', 'c', 'd']]);
  expect(await press(say.stop, 1)).toEqual([false, []]);
});

it('runs a command that is written while an answer runs, and does not keep it for the model', async () => {
  await openWithQueue();
  await ask('/compact on boats');
  expect([queued(), composer.input.value]).toEqual([['b', 'c', 'd'], '']);
  expect(composer.model.failure.value?.words).toBe(words.status.busy);
});
