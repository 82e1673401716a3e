/** @jest-environment jsdom */
/** The list of prompts as a person uses it, over notes in memory. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { fail, type Outcome, succeed } from '../../../../src/core/ports/failure';
import { builtInPrompts } from '../../../../src/core/prompt/built-in';
import { words } from '../../../../src/text';
import { PromptList } from '../../../../src/ui/prompts/prompt-list';
import type { PromptsPorts } from '../../../../src/ui/state/ports';
import { fakeVault } from '../../../support/fake-vault';
import { promptsPorts, type TestPromptsPorts } from '../../../support/prompts-ports';

const say = words.prompts;
const files = {
  'Docent/prompts/Plan.md': '---\nname: Plan\ndescription: Weekly\ntags: week\nversion: 3\n---\nPlan it.',
  'Docent/prompts/Needy.md': '---\nrequiredTools: no_such_tool\n---\nNeed.',
  'Docent/prompts/Off.md': '---\nname: Off\ndisabled: true\n---\nOff.',
  'Docent/prompts/Set.md':
    '---\nmode: Planner\nmodel: ollama/small\npermission: read-only\npinned: "[[Plan]]"\n---\nSet.',
  'Docent/prompts/Odd.md': '---\ndisabled: perhaps\n---\nOdd.',
};

let root: HTMLElement;
let ports: TestPromptsPorts;
let left = 0;

async function open(changes: Partial<PromptsPorts> = {}, isCreating = false): Promise<void> {
  await createTestApp({ bare: true });
  ports = promptsPorts({ vault: fakeVault(files), ...changes });
  ports.registry.replaceSource('static', builtInPrompts);
  ports.registry.register({
    id: 'sort',
    name: 'Sort',
    content: 'Sort.',
    source: 'mcp',
    serverName: 'mail',
    registeredAt: 0,
  });
  left = 0;
  root = document.body.createDiv();
  act(() => render(<PromptList ports={ports} isCreating={isCreating} onLeave={() => (left += 1)} />, root));
  await settle();
}

const settle = (): Promise<void> => act(() => new Promise((resolve) => setTimeout(resolve, 10)));
const rows = (): string[] => [...root.querySelectorAll('.docent-prompt')].map((row) => row.textContent);
const rowOf = (name: string): string => rows().find((row) => row.startsWith(name)) ?? '';
const labels = (): string[] =>
  [...root.querySelectorAll('.docent-prompt-actions button')].map((button) => button.getAttribute('aria-label') ?? '');

async function click(label: string): Promise<void> {
  const buttons = [...root.querySelectorAll('button')];
  const button = buttons.find((one) => one.getAttribute('aria-label') === label || one.textContent === label);
  if (button === undefined) throw new Error(`There is no button ${label}.`);
  act(() => button.click());
  await settle();
}

async function fill(selector: string, text: string): Promise<void> {
  const box = root.querySelector<HTMLInputElement>(selector);
  if (box === null) throw new Error(`There is no box ${selector}.`);
  box.value = text;
  act(() => void box.dispatchEvent(new InputEvent('input', { bubbles: true })));
  await settle();
}

afterEach(async () => {
  act(() => render(null, root));
  root.remove();
  await closeTestApps();
});

it('R128 R129 R131 shows source, state, reason, tokens, version and tags of each', async () => {
  await open();
  expect([...root.querySelectorAll('h4')].map((heading) => heading.textContent)).toEqual([
    say.sources.config,
    say.sources.mcp,
    say.sources.static,
  ]);
  expect(rowOf('Plan')).toMatch(/Weekly.*Docent\/prompts\/Plan\.md · ≈?\d+ tokens · Version 3 · #week/);
  expect(rowOf('Needy')).toMatch(/Tools missing.*no_such_tool/);
  expect(rowOf('Off')).toContain(say.states.off);
  expect(rowOf('Odd')).toMatch(/Has an error.*disabled/);
  expect(rowOf('Sort')).toMatch(/From mail · ≈?\d+ tokens/);
  expect(rowOf('Shorten')).toMatch(/tokens · #rewrite/);
});

it('names the prompts that wait for the user, and shows their texts, in place of none', async () => {
  const file = (path: string, kind = 'prompt', isDeclined = false) => ({ path, kind, isDeclined });
  const names = ['A', 'B', 'C', 'D'].map((name) => `Docent/prompts/${name}.md`);
  let waiting = [file('AGENTS.md', 'context'), ...names.map((path) => file(path)), file('Never.md', 'prompt', true)];
  let told = (): void => {};
  const files = { waiting: () => waiting, subscribe: (listener: () => void) => ((told = listener), () => undefined) };
  const reviewed: boolean[] = [];
  const instructions = { files, review: (isWhole: boolean) => void reviewed.push(isWhole) } as never;
  await open({ vault: fakeVault({}), instructions });
  const none = (): string[] => [...root.querySelectorAll('.docent-prompts-none')].map(({ textContent }) => textContent);
  const { review, waiting: waits } = words.instructions;
  expect(none()).toEqual([`${waits('A, B, C', 1)} ${review}`]);
  await click(review);
  expect(reviewed).toEqual([false]);
  waiting = [];
  act(() => told());
  expect(none()).toEqual([say.noneOfYours('Docent/prompts')]);
});

it('follows changes while it is open, and hears of none afterwards', async () => {
  const heard = new Set<() => void>();
  const onChange = (listener: () => void) => {
    heard.add(listener);
    return () => void heard.delete(listener);
  };
  await open({ onChange });
  ports.registry.register({
    ...{ id: 'late', name: 'Late', content: 'Late.', source: 'mcp', serverName: 'mail', registeredAt: 0 },
  });
  expect(rowOf('Late')).toBe('');
  act(() => heard.forEach((listener) => listener()));
  await settle();
  expect(rowOf('Late')).toContain('From mail');
  act(() => render(null, root));
  expect(heard.size).toBe(0);
});

it('R129 offers for each what can be done with it', async () => {
  await open();
  const of = (name: string): string[] => labels().filter((label) => label.endsWith(`: ${name}`));
  expect(of('Plan')).toEqual(
    [say.useInChat, say.edit, say.duplicate, say.turnOff, say.delete].map((act) => say.actionOn(act, 'Plan')),
  );
  expect(of('Off')).toContain(say.actionOn(say.turnOn, 'Off'));
  expect(of('Odd')).toEqual([say.edit, say.duplicate, say.delete].map((act) => say.actionOn(act, 'Odd')));
  // A prompt that is off or hidden cannot be used in a chat.
  expect(of('Off')).not.toContain(say.actionOn(say.useInChat, 'Off'));
  expect(of('Shorten')).toEqual([say.useInChat, say.duplicate].map((act) => say.actionOn(act, 'Shorten')));
});

it('R129 edits, switches, and deletes after a question', async () => {
  let answer = false;
  const asked: string[] = [];
  await open({
    confirm: ({ text }) => {
      asked.push(text);
      return Promise.resolve(answer);
    },
  });
  await click(say.actionOn(say.turnOff, 'Plan'));
  await click(say.actionOn(say.turnOn, 'Off'));
  await click(say.actionOn(say.delete, 'Plan'));
  answer = true;
  await click(say.actionOn(say.delete, 'Plan'));
  await click(say.actionOn(say.edit, 'Plan'));
  expect(ports.done).toEqual([
    'set disabled of Docent/prompts/Plan.md to true',
    'set disabled of Docent/prompts/Off.md to undefined',
    'trash Docent/prompts/Plan.md',
    'open Docent/prompts/Plan.md',
  ]);
  expect(asked).toEqual(Array(2).fill(say.deleteText('Plan', 'Docent/prompts/Plan.md')));
  expect(left).toBe(1);
});

it('R129 duplicates a built-in prompt as a note of the user', async () => {
  await open();
  await click(say.actionOn(say.duplicate, 'Shorten'));
  const [made = ''] = ports.done;
  expect(made).toMatch(/^create Docent\/prompts\/Shorten \(copy\)\.md\n---\nname: "Shorten \(copy\)"\n/);
  expect(made).toContain('tags: ["rewrite"]');
  expect(made).toContain('${selection}');
});

it('R129 duplicates what a prompt sets for its chat', async () => {
  await open();
  await click(say.actionOn(say.duplicate, 'Set'));
  expect(ports.done).toEqual([
    'create Docent/prompts/Set (copy).md\n---\nname: "Set (copy)"\nmode: "planning"\nmodel: "ollama/small"\n' +
      'permission: "read-only"\npinned: ["[[Plan]]"]\n---\n\nSet.\n',
  ]);
});

it('R129 says that a note cannot be read when its prompt is duplicated', async () => {
  await open({ readNote: () => Promise.resolve(fail({ kind: 'unreadable', words: 'Torn.', remedy: '' })) });
  await click(say.actionOn(say.duplicate, 'Plan'));
  const { noteUnreadable, noteUnreadableRemedy } = words.failures;
  expect(root.textContent).toContain(`${noteUnreadable('Docent/prompts/Plan.md')} ${noteUnreadableRemedy}`);
  expect(ports.done).toEqual([]);
});

it('R129 duplicates a prompt once for two presses', async () => {
  await open();
  const name = say.actionOn(say.duplicate, 'Shorten');
  const button = root.querySelector<HTMLElement>(`[aria-label="${name}"]`);
  act(() => {
    button?.click();
    button?.click();
  });
  await settle();
  expect(ports.done).toHaveLength(1);
  await click(name);
  expect(ports.done).toHaveLength(2);
});

it('R129 writes a new prompt, and says what is missing', async () => {
  await open();
  await click(say.create);
  await click(say.save);
  expect(root.querySelector('[role=alert]')?.textContent).toBe(say.nameMissing);
  await fill('.docent-prompt-form input', 'Plan');
  await click(say.save);
  expect(root.querySelector('[role=alert]')?.textContent).toBe(say.textMissing);
  await fill('.docent-prompt-form textarea', 'Plan ${arguments}.');
  await click(say.save);
  expect(ports.done).toEqual(['create Docent/prompts/Plan 2.md\n---\nname: "Plan"\n---\n\nPlan ${arguments}.\n']);
  expect(root.querySelector('.docent-prompt-form')).toBeNull();
});

it('R129 R176 a prompt is used in the chat from its row, or as soon as it is written', async () => {
  await open({}, true);
  expect(document.activeElement).toBe(root.querySelector('.docent-prompt-form input'));
  await fill('.docent-prompt-form input', 'Strict');
  await fill('.docent-prompt-form textarea', 'Be strict.');
  await click(say.saveAndUseInChat);
  expect(ports.done).toEqual([
    'create Docent/prompts/Strict.md\n---\nname: "Strict"\n---\n\nBe strict.\n',
    'stand Docent/prompts/Strict.md',
  ]);
  expect(left).toBe(1);
  await click(say.actionOn(say.useInChat, 'Shorten'));
  expect([ports.done.at(-1), left]).toEqual(['stand built-in/shorten', 2]);
});

it('R129 writes a new prompt once, however often it is saved, and again after it failed', async () => {
  const ends: ((isWritten: boolean) => void)[] = [];
  const problem = { kind: 'refused', words: 'No room.', remedy: 'Make some.' } as const;
  const create = (): Promise<Outcome<void>> =>
    new Promise((resolve) => ends.push((isWritten) => resolve(isWritten ? succeed(undefined) : fail(problem))));
  await open({ notes: { ...promptsPorts().notes, create } }, true);
  await fill('.docent-prompt-form input', 'Strict');
  await fill('.docent-prompt-form textarea', 'Be strict.');
  await click(say.save);
  await click(say.saveAndUseInChat);
  expect(ends).toHaveLength(1);
  ends[0]?.(false);
  await settle();
  await click(say.save);
  expect(ends).toHaveLength(2);
  ends[1]?.(true);
  await settle();
  expect(root.querySelector('.docent-prompt-form, [role=alert]')).toBeNull();
});

it('R129 a prompt that could not be written does not stand', async () => {
  const problem = { kind: 'refused', words: 'No room.', remedy: 'Make some.' } as const;
  const notes = { ...promptsPorts().notes, create: () => Promise.resolve(fail(problem)) };
  await open({ notes }, true);
  await fill('.docent-prompt-form input', 'Strict');
  await fill('.docent-prompt-form textarea', 'Be strict.');
  await click(say.saveAndUseInChat);
  expect([ports.done, left]).toEqual([[], 0]);
  expect(root.querySelector('[role=alert]')?.textContent).toContain('No room.');
});

it('R129 finds by name, purpose and tag', async () => {
  await open();
  await fill('[type=search]', 'week');
  expect(rows()).toHaveLength(1);
  // As the lists above the composer do, whichever way an accent is written.
  await fill('[type=search]', 'WE\u0301E\u0301K');
  expect(rows()).toHaveLength(1);
  await fill('[type=search]', 'zzz');
  expect(root.textContent).toContain(say.nothingFound);
});

it('R129 finds what has every word, in any order, and none across two parts', async () => {
  await open();
  await fill('[type=search]', 'weekly pl');
  expect(rows()).toHaveLength(1);
  await fill('[type=search]', 'weekly zzz');
  expect([rows(), root.textContent?.includes(say.nothingFound)]).toEqual([[], true]);
  await fill('[type=search]', 'planweek');
  expect(rows()).toEqual([]);
  await fill('[type=search]', '');
  expect([rows().length > 4, root.textContent?.includes(say.nothingFound)]).toEqual([true, false]);
});

it('R129 says that the user has no prompts, above those of others', async () => {
  await open({ vault: fakeVault({}) });
  const [first] = [...root.querySelectorAll('h4')].map(({ textContent }) => textContent);
  expect([first, root.textContent?.includes(say.noneOfYours('Docent/prompts'))]).toEqual([say.sources.config, true]);
});

it('R129 shows no group of which nothing is found', async () => {
  await open();
  await fill('[type=search]', 'sort');
  expect([...root.querySelectorAll('h4')].map(({ textContent }) => textContent)).toEqual([say.sources.mcp]);
  expect(root.textContent).not.toContain(say.noneOfYours('Docent/prompts'));
});
