/** @jest-environment jsdom */
/** The window of the checks, the steps that it offers, and what a crash left to be decided. */
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp, type TestApp } from 'obsidian-workbench/jest';
import type { CheckAction, CheckReport, CheckResult } from '../../../../src/core/diagnostics/check';
import { fail, succeed } from '../../../../src/core/ports/failure';
import type { RecoveryChoice } from '../../../../src/core/session/entry';
import { words } from '../../../../src/text';
import {
  DiagnosticsModal,
  hideInterruptedWrites,
  showInterruptedWrites,
} from '../../../../src/ui/diagnostics/diagnostics';
import type { InterruptedWrites, DiagnosticsPorts } from '../../../../src/ui/state/ports';

const say = words.diagnostics;
let app: TestApp;
let done: string[];
let looks: { readonly choices: unknown; readonly scope: string; readonly signal: AbortSignal }[];
let listeners: Set<() => void>;
let reports: readonly CheckReport[];
let open: Set<string>;

const noSpace = fail({ kind: 'storage', words: 'No space.', remedy: 'Free some.' });
const resultWith = (changes: Partial<CheckResult>): CheckResult => ({ level: 'ok', words: 'Fine.', ...changes });
const reportOf = (...results: CheckResult[]): CheckReport => ({ id: 'model', label: 'Model', results });

/** Writes that were cut off, of these files. */
const cutOff: InterruptedWrites = {
  interrupted: () =>
    [...open].map((path) => ({ path, choices: ['before', 'as-is'] })) as unknown as ReturnType<
      InterruptedWrites['interrupted']
    >,
  settleAt: (path: string, choice: RecoveryChoice) => {
    done.push(`settle ${path} as ${choice}`);
    if (path === 'Full.md') return Promise.resolve(noSpace);
    open.delete(path);
    return Promise.resolve(succeed(undefined));
  },
};

const ports: DiagnosticsPorts = {
  check: (choices, scope, signal) => {
    looks.push({ choices, scope, signal });
    return Promise.resolve(reports);
  },
  onChange: (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  openNote: (path, newTab) => void done.push(`open ${path} ${newTab}`),
  openSettings: () => void done.push('settings'),
  ownPrompt: { carryOut: (step) => Promise.resolve(void done.push(step)) },
  createFolder: (path) => {
    done.push(`make ${path}`);
    return Promise.resolve(path === 'Full' ? noSpace : succeed(undefined));
  },
  cutOff,
  copyDiagnostics: () => void done.push('copy'),
};

const texts = (selector: string): string[] =>
  [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
const status = (): string | undefined => texts('.docent-diagnostics [role=status]')[0];
const pass = (milliseconds: number): Promise<void> =>
  act(async () => {
    await jest.advanceTimersByTimeAsync(milliseconds);
  });
async function click(name: string): Promise<void> {
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name);
  if (button === undefined) throw new Error(`There is no button ${name}.`);
  act(() => button.click());
  await pass(0);
}
/** The window, once it has looked. */
async function show(...shown: CheckReport[]): Promise<DiagnosticsModal> {
  reports = shown;
  const modal = new DiagnosticsModal(app, ports, () => null);
  act(() => modal.open());
  await pass(150);
  return modal;
}

beforeEach(async () => {
  app = await createTestApp();
  done = [];
  looks = [];
  listeners = new Set();
  open = new Set(['Boat.md', 'Full.md']);
  jest.useFakeTimers();
});
afterEach(async () => {
  jest.useRealTimers();
  await closeTestApps();
});

it('R259 says what each check found, where, and whether the next request uses it', async () => {
  await show(
    reportOf(
      resultWith({ level: 'warning', words: 'Too long.', path: 'A.md', inUse: true }),
      resultWith({ level: 'note', words: 'Old.', inUse: true }),
      resultWith({ level: 'error', words: 'Gone.', inUse: false }),
    ),
    { id: 'events', label: 'Events', results: [resultWith({ level: 'note', words: 'turn', time: 0 })] },
  );
  expect([texts('.modal-title'), status()]).toEqual([[say.title], say.problems(2)]);
  expect([...document.querySelectorAll('.docent-check')].map((each) => each.className)).toEqual([
    'docent-check is-error',
    'docent-check is-note',
  ]);
  expect(texts('.docent-check h4')).toEqual(['Model', 'Events']);
  expect(texts('.docent-check-facts')).toEqual([
    `${say.levels.warning}A.md${say.inUse}`,
    say.levels.note,
    say.levels.error,
    new Date(0).toLocaleTimeString(),
  ]);
  expect(texts('.docent-check-words')).toEqual(['Too long.', 'Old.', 'Gone.', 'turn']);
  const icons = [...document.querySelectorAll('.docent-check-result svg')].map(({ classList }) => classList[1]);
  expect(icons).toEqual(['lucide-triangle-alert', 'lucide-info', 'lucide-circle-x', 'lucide-info']);
  expect(document.querySelector('.docent-check-actions')).toBeNull();
});

it('looks at everything once it is open, and again a little after the last of several changes', async () => {
  reports = [reportOf(resultWith({}))];
  const modal = new DiagnosticsModal(app, ports, () => null);
  act(() => modal.open());
  expect([status(), looks]).toEqual([say.checking, []]);
  await pass(149);
  expect(looks).toEqual([]);
  await pass(1);
  expect([status(), looks.length, looks[0]?.choices, looks[0]?.scope]).toEqual([say.allWell, 1, null, 'all']);
  for (const wait of [100, 100, 149]) {
    for (const listener of listeners) listener();
    await pass(wait);
  }
  expect(looks).toHaveLength(1);
  reports = [reportOf(resultWith({ level: 'error' }))];
  await pass(1);
  expect([status(), looks.length]).toEqual([say.problems(1), 2]);
  expect(looks.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  for (const listener of listeners) listener();
  act(() => modal.close());
  await pass(1_000);
  expect([looks.length, looks[1]?.signal.aborted, listeners.size]).toEqual([2, true, 0]);
  expect(modal.contentEl.childElementCount).toBe(0);
});

it('keeps the focus when the finding that has it is settled', async () => {
  const action = { id: 'keep-write', label: 'Leave', path: 'Boat.md' } as const;
  await show(reportOf(resultWith({ level: 'error', actions: [action] })));
  const leave = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Leave');
  leave?.focus();
  expect(document.activeElement).toBe(leave);
  reports = [reportOf(resultWith({}))];
  await click('Leave');
  await pass(500);
  expect(document.activeElement?.textContent).toBe(say.copy);
});

it('copies the diagnostics', async () => {
  await show(reportOf(resultWith({})));
  await click(say.copy);
  expect(done).toEqual(['copy']);
});

describe('its steps', () => {
  const step = (id: CheckAction['id'], path?: string): CheckReport =>
    reportOf(
      resultWith({ level: 'error', actions: [{ id, label: 'Mend it', ...(path === undefined ? {} : { path }) }] }),
    );
  const isOpen = (): boolean => document.querySelector('.docent-diagnostics') !== null;
  const { settled } = say.writes;

  it.each<[CheckAction['id'], string | undefined, string, string[]]>([
    ['create-folder', 'Docent', 'make Docent', []],
    ['create-folder', 'Full', 'make Full', ['No space. Free some.']],
    ['create-system-prompt', undefined, 'create', []],
    ['turn-off-system-prompt', undefined, 'turn-off', []],
    ['allow-outside-file', undefined, 'allow', []],
    ['take-back-write', 'Boat.md', 'settle Boat.md as before', [settled('Boat.md').before]],
    ['finish-write', 'Boat.md', 'settle Boat.md as after', [settled('Boat.md').after]],
    ['keep-write', 'Boat.md', 'settle Boat.md as as-is', [settled('Boat.md')['as-is']]],
    ['keep-write', 'Full.md', 'settle Full.md as as-is', ['No space. Free some.']],
  ])('%s of %s is carried out, and what was found is looked up again', async (id, path, expected, notices) => {
    await show(step(id, path));
    await click('Mend it');
    expect([done, texts('.notice-message'), isOpen()]).toEqual([[expected], notices, true]);
    reports = [reportOf(resultWith({}))];
    await pass(150);
    expect(status()).toBe(say.allWell);
  });

  it.each<[CheckAction['id'], string]>([
    ['open-note', 'open A.md false'],
    ['open-settings', 'settings'],
  ])('%s makes way for what it opens', async (id, expected) => {
    await show(step(id, 'A.md'));
    await click('Mend it');
    expect([done, isOpen()]).toEqual([[expected], false]);
  });

  it('leave alone what has been settled elsewhere', async () => {
    open.clear();
    await show(step('take-back-write', 'Boat.md'));
    await click('Mend it');
    expect([done, texts('.notice-message'), isOpen()]).toEqual([[], [], true]);
  });
});

it('tells of each file that a crash left, once, until it was decided', async () => {
  showInterruptedWrites({ ...cutOff, interrupted: () => [...cutOff.interrupted(), ...cutOff.interrupted()] });
  const { cutOff: cutOffText, choices, settled } = say.writes;
  const buttons = `${choices.before}${choices['as-is']}`;
  expect(texts('.notice-message')).toEqual([
    `${cutOffText('Boat.md')}${buttons}`,
    `${cutOffText('Full.md')}${buttons}`,
  ]);
  // A path may be written from right to left.
  expect(document.querySelectorAll('.notice-message [dir="auto"]')).toHaveLength(2);
  await pass(60_000);
  expect(texts('.notice-message')).toHaveLength(2);
  await click(choices['as-is']);
  expect([done, texts('.notice-message').at(-1)]).toEqual([['settle Boat.md as as-is'], settled('Boat.md')['as-is']]);
});

it('says nothing more of what a crash left once the plugin is unloaded, and says it again when it is loaded', () => {
  showInterruptedWrites(cutOff);
  const count = texts('.notice-message').length;
  expect(count).toBeGreaterThan(0);
  hideInterruptedWrites();
  expect(texts('.notice-message')).toEqual([]);
  showInterruptedWrites(cutOff);
  expect(texts('.notice-message')).toHaveLength(count);
});

it('carries out the first of two quick choices', async () => {
  const settleAt: InterruptedWrites['settleAt'] = async (path, choice) => {
    await Promise.resolve();
    return cutOff.settleAt(path, choice);
  };
  showInterruptedWrites({ ...cutOff, settleAt });
  act(() =>
    document
      .querySelectorAll<HTMLElement>('.docent-notice-buttons')[0]
      ?.childNodes.forEach((each) => (each as HTMLElement).click()),
  );
  await pass(0);
  expect(done).toEqual(['settle Boat.md as before']);
  expect(texts('.notice-message')).toContain(say.writes.settled('Boat.md').before);
  open.add('Boat.md');
  await click(say.writes.choices['as-is']);
  expect(done).toHaveLength(2);
});
