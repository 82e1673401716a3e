/** The log of a chat on a disk that tears, loses and cuts off: what was acknowledged is there at the next start. */
import type { SessionEntry } from '../../../src/core/session/entry';
import { SessionLog } from '../../../src/core/session/session-log';
import { fail } from '../../../src/core/ports/failure';
import { countingIdentifiers, logPorts, type MemoryStore, memoryStore, noSpace } from '../../support/memory-ports';
import { choose, type RowFigures, Tally, type Tries } from './row';

const conversation = 'c1';
const messages = 5;

/** What a disk leaves of the text that is being appended. */
const tears: Readonly<Record<string, (text: string) => string>> = {
  nothing: () => '',
  'the first character': (text) => text.slice(0, 1),
  half: (text) => text.slice(0, text.length / 2),
  'all but the line end': (text) => text.slice(0, -1),
  zeros: (text) => '\0'.repeat(text.length),
  all: (text) => text,
};

/** What somebody else does to the files of a chat that is open. */
const spoils: Readonly<Record<string, (store: MemoryStore) => void>> = {
  'the file vanished': ({ logs }) => logs.clear(),
  'the file was cut off': ({ logs }) => spoil(logs, (text) => text.slice(0, text.length / 3)),
  'the file was emptied': ({ logs }) => spoil(logs, () => ''),
  'the file is older': ({ logs }) => spoil(logs, (text) => text.slice(0, text.indexOf('\n') + 1)),
};

function spoil(logs: MemoryStore['logs'], cut: (text: string) => string): void {
  const shards = logs.get(conversation);
  for (const [name, text] of shards ?? []) shards?.set(name, cut(text));
}

const chatCases = [
  ...Object.entries(tears).flatMap(([left, tear]) =>
    ['it crashes', 'it goes on'].map((then) => ({
      id: `an append leaves ${left}, and ${then}`,
      play: (at: number) => playTear(at, tear, then === 'it goes on'),
    })),
  ),
  ...Object.entries(spoils).map(([id, harm]) => ({ id, play: (at: number) => playSpoil(at, harm) })),
];

/** The control is a file that is written as a whole with each message. */
export async function measureChats(tries: Tries): Promise<RowFigures> {
  const tally = new Tally();
  for (const { id, play } of choose(chatCases, tries.cases)) {
    for (let at = 1; at <= messages; at += 1) {
      const lost = await play(at);
      tally.add(`${id}, at message ${at}`, lost === 0 ? [] : [`${lost} messages are lost`]);
    }
  }
  const whole = JSON.stringify(Array.from({ length: messages }, (_, at) => `Message ${at}.`));
  for (const tear of Object.values(tears)) tally.addControl(tear(whole) !== whole);
  return tally.figures;
}

async function playTear(at: number, tear: (text: string) => string, goesOn: boolean): Promise<number> {
  const store = memoryStore();
  const { append } = store;
  let isDown = false;
  store.append = async (id, lines) => {
    if (isDown) return fail(noSpace);
    if (store.appends !== at - 1) return append(id, lines);
    store.appends += 1;
    isDown = !goesOn;
    const shards = store.logs.get(id) ?? new Map<string, string>();
    store.logs.set(id, shards.set(store.shard, (shards.get(store.shard) ?? '') + tear(lines)));
    return fail(noSpace);
  };
  const log = SessionLog.start(conversation, logPorts(store));
  return countLost(store, await writeAll(log));
}

async function playSpoil(at: number, harm: (store: MemoryStore) => void): Promise<number> {
  const store = memoryStore();
  const log = SessionLog.start(conversation, logPorts(store));
  return countLost(store, await writeAll(log, (number) => number === at && harm(store)));
}

/** Returns what was acknowledged. */
async function writeAll(log: SessionLog, before: (message: number) => unknown = () => undefined) {
  const acknowledged: SessionEntry[] = [];
  for (let number = 1; number <= messages; number += 1) {
    before(number);
    const stored = await log.append({ kind: 'user', text: `Message ${number}.`, mentions: [] });
    if (stored.ok) acknowledged.push(stored.value);
  }
  return acknowledged;
}

async function countLost(store: MemoryStore, acknowledged: readonly SessionEntry[]): Promise<number> {
  const later = { session: 's2', identifiers: countingIdentifiers('later') };
  const log = await SessionLog.open(conversation, logPorts(store, later));
  const { entries } = log.ok ? log.value : { entries: [] };
  return acknowledged.filter(({ id }) => !entries.some((entry) => entry.id === id)).length;
}
