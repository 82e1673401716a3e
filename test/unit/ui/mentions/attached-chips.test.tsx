/** @jest-environment jsdom */
/** The chips above the box: pinned notes, and the note in front, which goes with a message unless it is taken out. */
import { getIcon } from 'obsidian';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { words } from '../../../../src/text';
import { AttachedChips, OpenNoteChip } from '../../../../src/ui/mentions/chips';
import { mentionIcons } from '../../../../src/ui/mentions/suggestions';
import { OpenChatState } from '../../../../src/ui/state/chat-state';
import { openComposer } from '../chat/open-composer';

const say = words.chatView;
let root: HTMLElement;
let model: OpenChatState;

beforeEach(async () => {
  await createTestApp({ bare: true });
  root = document.body.createDiv();
});
afterEach(async () => {
  model.close();
  act(() => render(null, root));
  await closeTestApps();
});

const settle = (): Promise<void> => act(() => new Promise((resolve) => setTimeout(resolve, 20)));
const labels = (): string[] => [...root.querySelectorAll('button')].map((each) => each.ariaLabel ?? each.textContent);
const press = async (label: string): Promise<void> => {
  const found = [...root.querySelectorAll('button')].find((each) => (each.ariaLabel ?? each.textContent) === label);
  if (found === undefined) throw new Error(`There is no button “${label}” among: ${labels().join(', ')}`);
  act(() => found.click());
  await settle();
};

/** A chat over these notes, with these ports in place of those of the composer. */
async function openModel(files: Readonly<Record<string, string>>, more: object = {}): Promise<string[]> {
  const { model: donor, done } = await openComposer(files);
  model = new OpenChatState({ ...donor.ports, ...more }, window);
  await model.open('one');
  return done;
}

it('pins an attached note to the chat, and lets it go', async () => {
  await openModel({ 'Keel.md': 'Oak.', 'Mast.md': 'Pine.' });
  const noteOf = (name: string) => ({ kind: 'note', id: `${name}.md`, label: name }) as const;
  model.mentions.value = [noteOf('Keel'), noteOf('Mast'), { kind: 'tag', id: 'boat', label: '#boat' }, noteOf('Lost')];
  act(() => render(<AttachedChips model={model} />, root));
  await settle();
  // Nothing can be pinned that is no note, or that is not there.
  const names = model.mentions.value.map(({ label }) => label);
  const known = names.flatMap((name) => [say.pinAttachment(name), say.unpinAttachment(name)]);
  const pins = (): string[] => labels().filter((label) => known.includes(label));
  expect(pins()).toEqual([say.pinAttachment('Keel'), say.pinAttachment('Mast')]);
  await press(say.pinAttachment('Keel'));
  await press(say.pinAttachment('Mast'));
  expect(model.choices?.contextNotes).toEqual(['Keel.md', 'Mast.md']);
  expect(pins()).toEqual([say.unpinAttachment('Keel'), say.unpinAttachment('Mast')]);
  expect([...root.querySelectorAll('.lucide-pin-off')]).toHaveLength(2);
  await press(say.unpinAttachment('Keel'));
  expect(model.choices?.contextNotes).toEqual(['Mast.md']);
  await press(say.removeAttachment('Mast'));
  expect(model.mentions.value.map(({ label }) => label)).not.toContain('Mast');
});

it('shows the note in front while it is sent, and takes it out or in again', async () => {
  let note: { path: string; selectedText?: string } | null = { path: 'In/Keel.md' };
  const listeners = new Set<() => void>();
  const noteInFront = {
    current: () => note,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const done = await openModel({ 'In/Keel.md': 'Oak.' }, { noteInFront });
  const box = root.createDiv();
  act(() => render(<OpenNoteChip model={model} />, box));
  const state = (): string => root.querySelector('.docent-in-front-state')?.textContent ?? '';
  expect([labels(), state()]).toEqual([['Keel', say.removeAttachment('Keel')], say.openNote]);
  await press('Keel');
  expect(done.at(-1)).toBe('open In/Keel.md');
  // What is selected is known once the focus comes from the editor.
  note = { path: 'In/Keel.md', selectedText: 'Oak' };
  act(() => void box.dispatchEvent(new FocusEvent('focusin', { bubbles: true })));
  expect(state()).toBe(say.openWithSelection);
  await press(say.removeAttachment('Keel'));
  expect([labels(), model.choices?.sectionsOff]).toEqual([[say.addOpenNote('Keel')], ['editor-context']]);
  await press(say.addOpenNote('Keel'));
  expect([labels().length, model.choices?.sectionsOff]).toEqual([2, []]);
  for (const other of [{ path: 'Hidden.md' }, null]) {
    note = other;
    act(() => listeners.forEach((listener) => listener()));
    expect(labels()).toEqual([]);
  }
  act(() => render(null, box));
  expect(listeners.size).toBe(0);
});

it('shows no note in front whose section is off', async () => {
  const noteInFront = { current: () => ({ path: 'Keel.md' }), subscribe: () => () => undefined };
  const { model: donor } = await openComposer({ 'Keel.md': 'Oak.' });
  const ownPrompt = { ...donor.ports.ownPrompt, switchOf: () => ({ isOn: false, variable: null }) };
  model = new OpenChatState({ ...donor.ports, noteInFront, ownPrompt }, window);
  await model.open('one');
  act(() => render(<OpenNoteChip model={model} />, root));
  expect(labels()).toEqual([]);
});

it('tells the kinds of mentions apart by icons that there are', () => {
  const icons = Object.values(mentionIcons);
  expect(icons.filter((icon) => getIcon(icon) === null)).toEqual([]);
  expect(new Set(icons).size).toBe(icons.length);
});
