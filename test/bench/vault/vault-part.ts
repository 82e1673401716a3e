/**
 * Measures the model of a vault of 100,000 notes: the stack that the agent reads, and the lists after `[[`. The app is
 * a table of notes that answers at once; what its answers take is measured apart and not counted.
 */
import '../realm';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { mentionSources } from '../../../src/core/mentions';
import type { MentionContext } from '../../../src/core/mentions/mention-source';
import { listVault } from '../../../src/core/prompt/listing/vault-listing';
import { findSuggestions, prepareSuggestions } from '../../../src/ui/mentions/find-suggestions';
import { VaultChanges } from '../../../src/vault/changes';
import { FileTable } from '../../../src/vault/file-table';
import { openStack } from '../../../src/vault/stack';
import { listNaively, suggestNaively } from '../baselines/naive-vault';
import { medianOf } from '../median';
import type { EventApp } from './event-app';
import { fillVault } from './many-notes';

/** Processor time in milliseconds. */
export interface VaultFigures {
  readonly notes: number;
  readonly files_first_ms: number;
  /** The longest of the steps in which the chat view has that list made when it opens, before the first use. */
  readonly files_first_longest_step_ms: number;
  readonly files_after_one_change_ms: number;
  /** The same by filtering and sorting all files. */
  readonly baseline_files_ms: number;
  readonly listing_after_one_change_ms: number;
  readonly prepare_ms: number;
  readonly prepare_longest_slice_ms: number;
  readonly mention_p95_ms: number;
  readonly key_after_change_ms: number;
  readonly baseline_mention_p95_ms: number;
  /** The longest of the pieces of work that 1,000 changed files cause: their events, the lists, a key, each slice after it. */
  readonly storm_1000_ms: number;
  readonly heap_mb: number;
}

const notes = 100_000;
const rounds = 9;
const ownFolders = ['Docent/chats', 'Docent/exports', 'Docent/trust'];
const sources = mentionSources.filter(({ triggers }) => triggers.includes('[['));
const queries = [
  '[[meeting',
  '[[the ba',
  '[[Projects/',
  '[[qzxv',
  '[[kalo 20',
  '[[bace dif',
  '[[e',
  '[[1',
  '[[meetnig',
];

export async function measureVault(progress: (words: string) => void): Promise<VaultFigures> {
  progress(`making ${notes} notes`);
  const host = fillVault(notes);
  const { app } = host;
  progress('listing files');
  const firsts = Array.from({ length: 5 }, () => {
    const opened = openFollowed(host);
    const cost = processorTime(() => opened.vault.files()) - hostTime(host);
    opened.changes.stop();
    return Math.max(0, cost);
  });
  const steps = Array.from({ length: 5 }, () => maxStep(host));
  const before = heap();
  const { changes, vault } = openFollowed(host);
  vault.files();
  vault.folders();
  vault.file('Nowhere/Nothing.md');
  const context: MentionContext = {
    ...{ vault, agentFolder: 'Docent', tools: [], prompts: [], commands: [], skills: [], activeNote: null },
  };
  progress('preparing the lists after [[');
  const slices = await prepare(context);
  const keys = queries.flatMap((text) => keyTimes(text, (typed) => suggest(context, typed)));
  const heap_mb = heap() - before;
  progress('changing notes');
  const paths = [...host.files.keys()];
  let changed = 0;
  const changeOne = (): void => {
    const path = paths[(changed * 7_919) % paths.length] ?? '';
    changed += 1;
    host.modify(path, 1.8e12 + changed, 1_000 + changed);
    host.index(path, { ...host.records.get(path) });
  };
  const afterOne = (act: () => unknown): number =>
    medianOf(
      Array.from({ length: rounds }, () => {
        changeOne();
        return processorTime(() => {
          host.deliver();
          act();
        });
      }),
    );
  const files_after_one_change_ms = afterOne(() => vault.files());
  const listing_after_one_change_ms = afterOne(() => listVault(vault, { contextWindow: 200_000, attached: [] }));
  const key_after_change_ms = Math.max(
    ...queries.map((text) => afterOne(() => suggest(context, text.slice(0, 3)))),
    ...queries.map((text) => afterOne(() => suggest(context, text))),
  );
  const storms: number[] = [];
  for (let storm = 0; storm < 5; storm += 1) {
    for (let count = 0; count < 1_000; count += 1) changeOne();
    const key = () => suggest(context, '[[me');
    const pieces = [() => host.deliver(), () => vault.files(), key].map(processorTime);
    // As the composer does after each key: what the key did not wait for is made, and the list is drawn once more.
    pieces.push(...(await prepare(context)), processorTime(key));
    storms.push(Math.max(...pieces));
  }
  progress('the same without a model');
  const naiveKeys = ['m', 'me', 'mee', 'meet', 'kalo', 'qz', 'a'].map((typed) =>
    processorTime(() => suggestNaively(app, typed, 12)),
  );
  const baseline_files_ms = medianOf(
    Array.from({ length: 3 }, () => processorTime(() => listNaively(app, ownFolders)) - hostTime(host)),
  );
  changes.stop();
  const rounded = {
    files_first_ms: medianOf(firsts),
    files_first_longest_step_ms: medianOf(steps),
    files_after_one_change_ms,
    baseline_files_ms,
    listing_after_one_change_ms,
    prepare_ms: slices.reduce((sum, each) => sum + each, 0),
    prepare_longest_slice_ms: Math.max(...slices),
    mention_p95_ms: percentile95(keys),
    key_after_change_ms,
    baseline_mention_p95_ms: percentile95(naiveKeys),
    storm_1000_ms: medianOf(storms),
    heap_mb,
  };
  const entries = Object.entries(rounded).map(([key, value]) => [key, Math.round(value * 100) / 100]);
  return { notes, ...(Object.fromEntries(entries) as Omit<VaultFigures, 'notes'>) };
}

function openFollowed({ app }: EventApp) {
  const changes = new VaultChanges(app, (path) => ownFolders.some((folder) => path.startsWith(`${folder}/`)));
  changes.start(() => undefined);
  return { changes, ...openStack(app, changes, () => ownFolders) };
}

function maxStep(host: EventApp): number {
  const changes = new VaultChanges(host.app, () => false);
  changes.start(() => undefined);
  const steps = new FileTable(host.app, changes).prepare();
  let most = 0;
  for (let isDone = false; !isDone;)
    most = Math.max(
      most,
      processorTime(() => (isDone = steps.next().done === true)),
    );
  changes.stop();
  return most;
}

/** What the table of notes takes to answer what the first list asks of it. */
function hostTime({ app }: EventApp): number {
  return processorTime(() => {
    for (const { path } of app.vault.getFiles()) {
      const file = app.vault.getFileByPath(path);
      if (file !== null) app.metadataCache.getFileCache(file);
    }
  });
}

function suggest(context: MentionContext, text: string): unknown {
  return findSuggestions(sources, context, text, text.length, []);
}

function keyTimes(text: string, act: (typed: string) => unknown): number[] {
  return Array.from({ length: text.length - 2 }, (_, index) => processorTime(() => act(text.slice(0, index + 3))));
}

/** Prepares the lists as the composer does between keys, and returns the processor time of each slice. */
async function prepare(context: MentionContext): Promise<number[]> {
  const slices: number[] = [];
  let start = processorNow();
  const view = {
    performance,
    setTimeout: (next: () => void) => {
      slices.push(processorNow() - start);
      setImmediate(() => {
        start = processorNow();
        next();
      });
      return 0;
    },
  } as unknown as Window;
  await prepareSuggestions({ sources, context, typed: 'me', window: view }, new AbortController().signal);
  return [...slices, processorNow() - start];
}

function percentile95(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0;
}

function processorNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function processorTime(act: () => unknown): number {
  const start = processorNow();
  act();
  return processorNow() - start;
}

/** Megabytes in use after a collection. */
function heap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 1e6;
}
