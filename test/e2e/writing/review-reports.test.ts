/**
 * What the model is sent about changes under review, and which facts about the user it may store, tested in the
 * interface.
 */
import type { Locator } from 'playwright-core';
import { openChatView, until, type OpenedChatView } from '../driver/chat-view';
import { startChat } from '../driver/reach-walk';
import { lastSent, newText } from '../driver/sent-request';
import { closeQuiet, type OpenedWorkbench, openWorkbench } from '../driver/workbench';
import { restoreNotes, treeOf } from '../driver/writing-walk';
import { readRequest, type Script } from '../../support/model-server';

jest.setTimeout(120_000);

const vault = { 'Crew.md': '# Crew\n\nRui steers.\n', 'Log.md': '# Log\n\nMonday: fog.\n' };
const fact = 'The user is called Ines.';
const state = { name: 'Refit', state: 'Goal: a dry bilge.\nNext: order bolts.' };
const edits = [
  {
    name: 'edit_note',
    arguments: { path: 'Crew.md', oldText: 'Rui steers.', newText: 'Rui navigates.\nMhairi steers.' },
  },
  { name: 'append_to_note', arguments: { path: 'Log.md', text: 'Tuesday: seals.' } },
];
const script: Script = (request) => {
  const last = readRequest(request).messages.at(-1);
  const asked = (said: string): boolean => last?.results.length === 0 && last.text.includes(said);
  if (asked('Bring them up to date.')) {
    return { toolCalls: [{ name: 'read_notes', arguments: { paths: ['Crew.md', 'Log.md'] } }] };
  }
  if (last?.results.some(({ text }) => text.includes('Rui steers.')) === true) return { toolCalls: edits };
  if (asked('Save where we stand')) return { toolCalls: [{ name: 'save_state', arguments: state }] };
  if (asked('Take it up again')) return { toolCalls: [{ name: 'load_state', arguments: { name: state.name } }] };
  if (asked('call me Ines')) return { toolCalls: [{ name: 'remember', arguments: { fact } }] };
  return { text: 'So be it.' };
};

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;
const card = (): Locator => chatView.root.locator('.docent-review').last();
const sentText = (): string => newText(lastSent(workbench.model));

async function apply(): Promise<void> {
  const button = card().getByRole('button', { name: /^Apply/ });
  await until(() => button.isEnabled(), 'it can be applied');
  await button.click();
  await card()
    .getByText(/^Applied to/)
    .waitFor();
}

beforeAll(async () => {
  workbench = await openWorkbench({ vault, scripted: script, settings: { contextWindow: 200_000 } });
  chatView = await openChatView(workbench);
});

beforeEach(async () => {
  await restoreNotes(workbench, vault);
  await startChat({ workbench, chatView });
});

afterAll(() => closeQuiet(workbench));

it('R212@request R213@request each message says what waits for review, and none does before or after', async () => {
  await chatView.ask('Hello.');
  expect(sentText()).not.toContain('review_context');
  await chatView.ask('Bring them up to date.');
  await card().waitFor();
  for (const message of ['What do you think of it?', 'Are you sure?']) {
    await chatView.ask(message);
    const block = /<review_context>([\s\S]*?)<\/review_context>/.exec(sentText())?.[1] ?? '';
    expect(block).toContain('proposed changes to 2 notes: 3 lines added, 1 line removed');
    expect(block).toContain('The request that led to them: Bring them up to date.');
    expect(block).toMatch(/Edits, oldest first:\n- edited Crew\.md \(\+2 −1\)\n- edited Log\.md \(\+1 −0\)/);
    expect(block).toMatch(/<note path="Crew\.md">[\s\S]*^-Rui navigates\.$[\s\S]*^\+Rui steers\.$[\s\S]*<\/note>/m);
  }
  await apply();
  await chatView.ask('Thank you.');
  expect(sentText()).not.toContain('<review_context>');
});

it('R202@disk R202@request a fact about the user is kept once the user accepts it, and every other chat is told of it', async () => {
  const before = await treeOf(workbench);
  await chatView.ask('From now on, call me Ines.');
  await card().waitFor();
  await expect(workbench.readNote('Docent/memory.md')).rejects.toThrow();
  await apply();
  expect(await workbench.readNote('Docent/memory.md')).toBe(`- ${fact}\n`);
  expect(await treeOf(workbench)).toEqual(before);
  await startChat({ workbench, chatView });
  await chatView.ask('Who am I?');
  expect(sentText()).toContain(fact);
});

it('R251@disk R251@request where the work stands is kept as a note once the user accepts it, and read from another chat', async () => {
  await chatView.ask('Save where we stand.');
  await card().waitFor();
  await expect(workbench.readNote('Docent/states/Refit.md')).rejects.toThrow();
  await apply();
  expect(await workbench.readNote('Docent/states/Refit.md')).toBe(`${state.state}\n`);
  await workbench.command('new-chat');
  await chatView.ask('Take it up again.');
  expect(sentText()).toContain('Next: order bolts.');
});
