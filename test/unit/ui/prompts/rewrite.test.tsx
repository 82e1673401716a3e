/** @jest-environment jsdom */
/** Another wording of a passage: asked for, shown word by word, taken or left. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { ModelEvent } from '../../../../src/core/ports/model';
import { builtInPrompts } from '../../../../src/core/prompt/built-in';
import { words } from '../../../../src/text';
import { RewriteView } from '../../../../src/ui/prompts/rewrite';
import type { SelectedPassage } from '../../../../src/ui/prompts/selected-passage';
import { promptsPorts } from '../../../support/prompts-ports';

const say = words.prompts;
let root: HTMLElement;
let asked: string[];
/** What the window had spent before each request. */
let spent: number[];
let placed: string[];
let closed: number;

/** @param waiting what the end of an answer waits for */
async function open(answers: ModelEvent[][], takes = true, waiting = Promise.resolve()): Promise<void> {
  await createTestApp();
  asked = [];
  spent = [];
  placed = [];
  closed = 0;
  const passage: SelectedPassage = {
    path: 'Now.md',
    text: 'The boat is very blue.\n',
    replace: (wording) => {
      if (takes) placed.push(wording);
      return takes;
    },
  };
  const ports = promptsPorts({
    askOnce: async function* (text, account) {
      asked.push(text);
      spent.push(account.spent);
      account.add({ inputTokens: 1, outputTokens: 1, cost: 0.25 });
      await Promise.resolve();
      const answer = answers.shift() ?? [];
      yield* answer.slice(0, -1);
      await waiting;
      yield* answer.slice(-1);
    },
  });
  ports.registry.replaceSource('static', builtInPrompts);
  root = document.body.createDiv();
  act(() => render(<RewriteView ports={ports} passage={passage} onClose={() => (closed += 1)} />, root));
}

const said = (text: string): ModelEvent[] => [
  { type: 'text-delta', text: text.slice(0, 4) },
  { type: 'text-delta', text: text.slice(4) },
  { type: 'finish', reason: 'complete' },
];
const settle = (): Promise<void> => act(() => new Promise((resolve) => setTimeout(resolve, 10)));
const button = (name: string): HTMLButtonElement | undefined =>
  [...root.querySelectorAll('button')].find((one) => one.textContent === name);
const click = async (name: string): Promise<void> => {
  act(() => button(name)?.click());
  await settle();
};
const texts = (selector: string): string[] => [...root.querySelectorAll(selector)].map((one) => one.textContent);
const type = async (selector: string, text: string): Promise<void> => {
  const box = root.querySelector<HTMLInputElement>(selector);
  if (box === null) throw new Error('There is no box.');
  box.value = text;
  act(() => void box.dispatchEvent(new InputEvent('input', { bubbles: true })));
  await settle();
};

afterEach(async () => {
  act(() => render(null, root));
  root.remove();
  await closeTestApps();
});

it('R013 asks once with the wish, shows the words that go and come, and takes them', async () => {
  await open([said('The boat is blue.')]);
  await type('input', 'Shorter');
  await click(say.rewriteRun);
  expect(asked).toEqual([expect.stringMatching(/^Shorter\n\n~~~\nThe boat is very blue\.\n\n~~~/)]);
  expect(texts('del').join('').trim()).toBe('very');
  expect(texts('ins')).toEqual([]);
  expect(placed).toEqual([]);
  await click(say.rewriteAccept);
  expect([placed, closed]).toEqual([['The boat is blue.\n'], 1]);
});

it('R231 counts the requests of one window together, and shows a notice about them', async () => {
  await open([said('The boat is blue.'), [{ type: 'notice', words: 'It has cost a dollar.' }, ...said('Blue.')]]);
  await type('input', 'Shorter');
  await click(say.rewriteRun);
  expect(root.textContent).not.toContain('dollar');
  await click(say.rewriteAgain);
  expect(spent).toEqual([0, 0.25]);
  expect(root.textContent).toContain('It has cost a dollar.');
});

it('shows the wording as it comes, and only then', async () => {
  let goOn = (): void => undefined;
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  await open([said('The boat is blue.')], true, waiting);
  expect(root.textContent).not.toContain(say.rewriteRunning);
  await click('Shorten');
  expect(texts('[role=status]')).toEqual([say.rewriteRunning]);
  expect(root.textContent).toContain('The boat is');
  goOn();
  await settle();
  expect(root.textContent).not.toContain(say.rewriteRunning);
});

it('can be stopped, and then asked again', async () => {
  let goOn = (): void => undefined;
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  await open([said('The boat is blue.'), said('A blue boat.')], true, waiting);
  await click('Shorten');
  expect([button(say.rewriteRun), button('Shorten')?.disabled]).toEqual([undefined, true]);
  await click(say.rewriteStop);
  expect(texts('[role=status]')).toEqual([]);
  expect([button(say.rewriteStop), button('Shorten')?.disabled]).toEqual([undefined, false]);
  goOn();
  await settle();
  expect([button(say.rewriteAccept), texts('ins, del')]).toEqual([undefined, []]);
  await click('Shorten');
  expect(texts('ins').join('')).toContain('A');
  expect(document.activeElement).toBe(button(say.rewriteAccept));
});

it('says when the new wording is the old one, which is not taken', async () => {
  await open([said('The boat is very blue.')]);
  await click('Shorten');
  expect(texts('[role=status]')).toEqual([say.rewriteSame]);
  expect(button(say.rewriteAccept)?.disabled).toBe(true);
});

it('names the changes for those who hear them, without a tooltip over the buttons', async () => {
  await open([said('The boat is blue.')]);
  await click('Shorten');
  const region = root.querySelector('[role=region]');
  expect(region?.hasAttribute('aria-label')).toBe(false);
  const name = root.querySelector(`[id="${region?.getAttribute('aria-labelledby') ?? ''}"]`);
  expect(name?.textContent).toBe(say.rewriteShow);
  expect(region?.textContent).not.toContain(say.rewriteShow);
});

it('runs a prompt on the passage, again when asked, and leaves the note alone when rejected', async () => {
  await open([said('One.'), said('Two.')]);
  await click('Shorten');
  await click(say.rewriteAgain);
  expect(asked[1]).toBe(asked[0]);
  expect(texts('ins').join('')).toContain('Two');
  await click(say.rewriteReject);
  expect([placed, closed]).toEqual([[], 1]);
});

it('takes the wording as it was edited', async () => {
  await open([said('The boat is blue.')]);
  await click('Shorten');
  await click(say.rewriteEdit);
  await type('textarea', 'The ship is blue.\n');
  await click(say.rewriteEditDone);
  expect(texts('ins').join('')).toBe('ship');
  await click(say.rewriteAccept);
  expect(placed).toEqual(['The ship is blue.\n']);
});

it.each<[string, ModelEvent[], RegExp]>([
  [
    'a failure',
    [{ type: 'failure', failure: { kind: 'network', words: 'No network.', remedy: 'Wait.' } }],
    /No network\. Wait\./,
  ],
  ['nothing', [{ type: 'finish', reason: 'complete' }], /no new wording/],
  ['half an answer', [{ type: 'text-delta', text: 'The bo' }], /cut off/],
  [
    'an answer at its limit',
    [
      { type: 'text-delta', text: 'The bo' },
      { type: 'finish', reason: 'length' },
    ],
    /cut off/,
  ],
])('offers nothing after %s', async (_case, events, expected) => {
  await open([events]);
  await click('Shorten');
  expect(root.querySelector('[role=alert]')?.textContent).toMatch(expected);
  expect(button(say.rewriteAccept)).toBeUndefined();
});

it('says when the passage has changed meanwhile, and offers the wording to copy', async () => {
  await open([said('Blue.')], false);
  await click('Shorten');
  await click(say.rewriteAccept);
  expect(root.querySelector('[role=alert]')?.textContent).toBe(say.rewriteStale);
  expect(button(say.rewriteAccept)?.disabled).toBe(true);
  expect(button(say.rewriteCopy)).toBeDefined();
  expect(closed).toBe(0);
});

it('names what a new wording loads and runs', async () => {
  await open([said('The boat is ![](https://x.org/a.png) `$= app` blue.')]);
  await click('Shorten');
  expect(texts('[role=alert]')).toEqual(['Loads pictures from x.orgCan run: Dataview']);
});
