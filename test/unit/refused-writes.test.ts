/** @jest-environment jsdom */
/**
 * A session of the whole plugin on a device that refuses writes: each write of its files in turn, all from some write
 * on, or every value of the device's storage. Nothing that was shown as stored is lost, and what is not stored is said.
 */
import type { PluginManifest } from 'obsidian';
import { closeTestApps, createTestApp, MemoryAdapter, type TestApp } from 'obsidian-workbench/jest';
import manifest from '../../manifest.json';
import DocentPlugin from '../../src/main';
import { words } from '../../src/text';
import type { SettingsFile } from '../../src/vault/settings-file';
import { call, finish, say, type Step } from '../support/scripted-model';
import { drawnOf } from '../property/drawn-cases';
import { eventually } from './eventually';
import { expectNoFaults } from './expect-no-faults';

type LocalStore = NonNullable<NonNullable<Parameters<typeof createTestApp>[0]>['localStore']>;

jest.setTimeout(600_000);

// What the build packs; these tests count with a tokenizer of their own.
jest.mock('docent:count-worker', () => '', { virtual: true });
jest.mock('docent:packed-ranks', () => '', { virtual: true });

const mockAnswers: { model: unknown } = { model: null };

jest.mock('../../src/models/open', () => {
  const { answeringWith } = jest.requireActual<typeof import('../support/scripted-model')>('../support/scripted-model');
  return answeringWith(
    jest.requireActual<typeof import('../../src/models/open')>('../../src/models/open'),
    mockAnswers,
  );
});

const dataPath = '.obsidian/plugins/docent/data.json';
const files = {
  'Now.md': 'The first line.\n',
  'Private/Diary.md': 'Mine.\n',
  [dataPath]: JSON.stringify({ version: 1 }),
};
const writes = ['write', 'append', 'mkdir', 'remove', 'rename', 'copy', 'trash'];
const codes = ['ENOSPC: no space left on device', 'EIO: i/o error', 'EACCES: permission denied'];

const answers: readonly (readonly Step[])[] = [
  [say('Answer one.'), finish()],
  [call('w', 'append_to_note', { path: 'Now.md', text: 'The second line.' }), finish('tool-calls')],
  [say('Answer two.'), finish()],
  [say('Answer three.'), finish()],
];

const notStored = words.failures.unsavedNotStored;
const notSaved = words.failures.logNotWritten;

let app: TestApp;
let thrown: string[] = [];
/** Messages that could not be stored, and so came back into the box. */
let returned: string[] = [];
const said = new Set<string>();

const all = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)];
const one = (selector: string): HTMLElement | null => document.querySelector<HTMLElement>(selector);
const textsOf = (selector: string): string[] => all(selector).map(({ textContent }) => textContent ?? '');
const box = (): HTMLTextAreaElement => one('.docent-composer-input') as HTMLTextAreaElement;
const run = (id: string): boolean => app.commands.executeCommandById(`docent:${id}`);
const realSetTimeout = window.setTimeout;
/** Waits for what follows of itself: promises and drawings. */
const rest = (milliseconds = 15): Promise<void> => new Promise((resolve) => realSetTimeout(resolve, milliseconds));

/** Lets the pauses of the plugin pass in an eighth of their time: those before a draft is stored or a review approved. */
window.setTimeout = ((act: () => void, milliseconds = 0) => realSetTimeout(act, milliseconds / 8)) as typeof setTimeout;

/** Waits until the numbers stay as they are: what is still being written may yet fail, and be said. */
async function rested(numbers: () => readonly number[]): Promise<void> {
  let before = '';
  for (let same = 0; same < 5;) {
    const now = numbers().join(' ');
    same = now === before ? same + 1 : 0;
    before = now;
    await rest();
  }
}

const saying = '.notice-message, .docent-failure, .docent-review-failure, .docent-notice';

/** Looks only at what came and around what changed: the whole page changes a thousand times in a session. */
function noteSaid(changes: readonly MutationRecord[]): void {
  const places = new Set<Element>();
  for (const { target, addedNodes } of changes) {
    const around = (target instanceof Element ? target : target.parentElement)?.closest(saying);
    if (around) places.add(around);
    for (const node of addedNodes) {
      if (!(node instanceof Element)) continue;
      for (const each of [node, ...node.querySelectorAll(saying)]) if (each.matches(saying)) places.add(each);
    }
  }
  for (const place of places) said.add(place.textContent ?? '');
}

async function open(adapter: MemoryAdapter, localStore?: LocalStore): Promise<void> {
  app = await createTestApp({
    adapter,
    ...(localStore && { localStore }),
    plugins: [{ manifest: manifest as PluginManifest, main: DocentPlugin }],
  });
  // A view that comes back with the layout needs no command, which could outlive a short look.
  if (app.workspace.getLeavesOfType('docent-chat').length === 0) run('open-chat');
  await eventually(() => box() !== null && one('.docent-loading') === null, 'the chat view');
}

function type(text: string): void {
  box().value = text;
  box().dispatchEvent(new InputEvent('input', { bubbles: true }));
}

/** Sends a message, and waits until it is in the chat or back in the box, and nothing runs. */
async function ask(text: string): Promise<void> {
  type(text);
  await eventually(() => one('.docent-send')?.hasAttribute('disabled') === false, 'a message that can be sent');
  box().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  const isTaken = (): boolean => textsOf('.docent-user-text').includes(text);
  const isReturned = (): boolean => one('.docent-failure') !== null && box().value === text;
  await rest();
  await eventually(() => isTaken() || isReturned(), `“${text}”, or why not`);
  if (!isTaken()) returned.push(text);
  await eventually(() => one('.docent-send.is-stop') === null, 'the end of the answer');
}

/** What a person does, as far as each step is possible. */
async function session(adapter: MemoryAdapter): Promise<void> {
  await ask('one');
  await ask('two');
  await eventually(() => one('.docent-review, .docent-failure') !== null, 'the proposed change, or why there is none');
  if (one('.docent-review.is-waiting') !== null) {
    await eventually(() => run('apply-changes'), 'a review that can be applied');
    await eventually(
      () =>
        one('.docent-review.is-waiting, .docent-review.is-applying') === null || one('.docent-review-failure') !== null,
      'the end of the review',
    );
  }
  const [docent] = Object.values(app.plugins.plugins) as unknown as [{ settingsFile: SettingsFile }];
  await docent.settingsFile.change({ keptFolders: ['Private'] });
  await rest();
  if (one('.docent-review.is-applied') !== null) {
    await eventually(() => run('undo-changes'), 'a change that can be undone');
    await eventually(
      () => one('.docent-review.is-undone') !== null || one('.docent-review-failure') !== null,
      'the end of the undo',
    );
  }
  await ask('three');
  type('half a thought');
  // The draft is stored a moment after the last key.
  const isStored = (): boolean =>
    adapter
      .paths()
      .some((path) => path.includes('/unsaved/') && adapter.textAt(path)?.includes('half a thought') === true);
  await eventually(
    () => isStored() || [...said].some((text) => text.includes(notStored)),
    'the draft, or why it is not stored',
  );
}

interface Seen {
  readonly questions: readonly string[];
  readonly answers: readonly string[];
  readonly draft: string;
  readonly note: string | undefined;
  readonly hidden: unknown;
  readonly reviews: readonly string[];
  readonly returned: readonly string[];
  readonly said: readonly string[];
}

function look(adapter: MemoryAdapter): Seen {
  const settings = JSON.parse(adapter.textAt(dataPath) ?? '{}') as Record<string, unknown>;
  return {
    questions: textsOf('.docent-user-text'),
    answers: textsOf('.docent-answer').map((text) => /Answer \w+\./.exec(text)?.[0] ?? text),
    draft: box().value,
    note: adapter.textAt('Now.md'),
    hidden: settings['keptFolders'],
    reviews: all('.docent-review').map(({ className }) => /is-\w+/.exec(className)?.[0] ?? ''),
    returned: [...returned],
    said: [...said],
  };
}

interface Played {
  readonly during: Seen;
  readonly after: Seen;
  /** Writes that were asked for. */
  readonly count: number;
  readonly hit: string | null;
}

/**
 * Plays the session while some writes are refused, then opens the vault again on a device that takes all, and waits
 * until all is shown as before, or nothing seems to be lost.
 * @param isLost whether something seems to be lost, which a busy machine may only show late
 */
async function play(
  refuses: (count: number) => boolean,
  code = codes[0],
  { localStore, isLost }: { localStore?: LocalStore; isLost?: (played: Played) => boolean } = {},
): Promise<Played> {
  mockAnswers.model = model();
  thrown = [];
  returned = [];
  said.clear();
  const observer = new MutationObserver(noteSaid);
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  const adapter = new MemoryAdapter({ files });
  await open(adapter, localStore);
  let count = 0;
  let hit: string | null = null;
  adapter.fault = (operation, path) => {
    // The layout is the app's own.
    if (!writes.includes(operation) || path.endsWith('/workspace.json')) return 'pass';
    count += 1;
    if (!refuses(count)) return 'pass';
    hit ??= `${operation} ${path}`;
    return new Error(`${code}, ${operation} '${path}'`);
  };
  await session(adapter);
  await rested(() => [count, said.size]);
  const during = look(adapter);
  said.clear();
  adapter.fault = null;
  await closeTestApps();
  await open(adapter, localStore);
  // All is shown again a moment after the view; what stays away is judged.
  const isBack = (): boolean => {
    const { said: _said, returned: _returned, ...now } = look(adapter);
    const { said: _text, returned: _messages, ...before } = during;
    return JSON.stringify(now) === JSON.stringify(before);
  };
  const seen = (): Played => ({ during, after: look(adapter), count, hit });
  const waitsOn = (): boolean => (isLost ? isLost(seen()) : !isBack());
  for (let waits = 0; waits < 400 && (waits < 6 || waitsOn()); waits += 1) await rest();
  const played = seen();
  observer.disconnect();
  await closeTestApps();
  return played;
}

/** Answers by what was asked last, so that a turn that failed does not shift the others. */
function model(): unknown {
  let edited = false;
  return {
    description: {
      ...{ id: 'test/scripted', label: 'Scripted', contextWindow: 16_384, outputLimit: 2_048 },
      ...{ nativeTools: true, cachesPrompts: false },
    },
    async *stream(plan: { readonly messages: readonly unknown[] }) {
      await Promise.resolve();
      const last = JSON.stringify(plan.messages.at(-1));
      const asked = /\b(one|two|three)\b/.exec(last)?.[1];
      const index = asked === 'one' ? 0 : asked === 'three' ? 3 : asked === 'two' && !edited ? 1 : 2;
      if (index === 1) edited = true;
      for (const step of answers[index] ?? []) yield step;
    },
  };
}

beforeAll(() => {
  window.addEventListener('error', ({ message }) => thrown.push(message));
  process.on('unhandledRejection', (reason) => thrown.push(String(reason)));
});

/** What a session that was disturbed lost, or did not say. */
function faultsOf({ during, after, hit }: Played, clean: Seen): string[] {
  const text = during.said.join('\n');
  const isSaid = (part: string): boolean => text.includes(part);
  const lost = (before: readonly string[], now: readonly string[]): string[] =>
    before.filter((each) => !now.includes(each));
  const isSame = (one: Seen, other: Seen): boolean =>
    JSON.stringify({ ...one, said: [], returned: [] }) === JSON.stringify({ ...other, said: [], returned: [] });
  // What is said of a chat that was not saved is about the review only if the log was refused.
  const hitsLog = /\.jsonl$/.test(hit ?? '');
  const rules: readonly (readonly [boolean, string])[] = [
    [thrown.length === 0, `threw ${thrown.join('; ')}`],
    [lost(['one', 'two', 'three'], [...during.questions, ...during.returned]).length === 0, 'a message vanished'],
    [lost(during.questions, after.questions).length === 0, 'a stored message was lost'],
    [lost(during.answers, after.answers).length === 0 || isSaid(notSaved), 'an answer was lost unsaid'],
    [during.draft === 'half a thought', 'the draft was lost while writing'],
    [after.draft === during.draft || isSaid(notStored), 'the draft was lost unsaid'],
    [
      JSON.stringify(after.hidden) === '["Private"]' || isSaid('Couldn’t save the settings.'),
      'a setting was lost unsaid',
    ],
    [['The first line.\n', 'The first line.\nThe second line.\n'].includes(after.note ?? ''), 'a note was torn'],
    [after.note === during.note, 'a note changed by itself'],
    [
      !during.reviews.includes('is-applied') || (during.note ?? '').includes('second'),
      'a review says what is not on disk',
    ],
    [!during.answers.includes('Answer two.') || during.reviews.length > 0, 'a proposed change vanished'],
    [
      during.reviews.length === 0 ||
        after.reviews.length > 0 ||
        (isSaid(notSaved) && (hitsLog || lost(during.answers, after.answers).length > 0)),
      'a review was lost unsaid',
    ],
    [isSame(during, clean) || /ENOSPC|EIO|EACCES/.test(text), 'nothing was said'],
  ];
  return rules.filter(([holds]) => !holds).map(([, fault]) => `${hit}: ${fault}`);
}

/** The session without a refusal, played once. */
let undisturbed: Promise<Played> | null = null;
const playUndisturbed = (): Promise<Played> => (undisturbed ??= play(() => false));

it('loses nothing unsaid when writes of a session are refused, one of them or all from one on', async () => {
  const { during: clean, after, count } = await playUndisturbed();
  expect(after).toEqual(clean);
  expect({ ...clean, said: [] }).toEqual({
    questions: ['one', 'two', 'three'],
    answers: ['Answer one.', 'Answer two.', 'Answer three.'],
    draft: 'half a thought',
    note: 'The first line.\n',
    hidden: ['Private'],
    reviews: ['is-undone'],
    returned: [],
    said: [],
  });
  const isLost = (played: Played): boolean => faultsOf(played, clean).length > 0;
  const faults: string[] = [];
  const all = Array.from({ length: count }, (_, index) => index + 1);
  const codeOf = (at: number): string | undefined => codes[at % codes.length];
  for (const at of drawnOf(all, 8))
    faults.push(...faultsOf(await play((each) => each === at, codeOf(at), { isLost }), clean));
  for (const at of drawnOf(all, 16))
    faults.push(...faultsOf(await play((each) => each >= at, codeOf(at), { isLost }), clean));
  expectNoFaults(faults);
});

it('stops no setting, draft, or turn when the storage of the device takes nothing, and says so once', async () => {
  const full: LocalStore = {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    },
    removeItem: () => undefined,
  };
  const { during: clean } = await playUndisturbed();
  const { during, after } = await play(() => false, undefined, { localStore: full });
  expect({ ...during, said: [] }).toEqual({ ...clean, said: [] });
  expect({ ...after, said: [] }).toEqual({ ...clean, said: [] });
  expect(during.said).toEqual([words.settings.deviceFull('The quota has been exceeded.')]);
  expect(thrown).toEqual([]);
});
