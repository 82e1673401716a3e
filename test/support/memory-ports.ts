/**
 * Core's small ports in memory: clock, identifiers, digest, device storage, and a session store that fails on demand; and
 * random numbers that a seed repeats.
 */
import { createHash } from 'node:crypto';
import { type Allowance, type Destination, Gate } from '../../src/core/gate/gate';
import type {
  AppendedShard,
  Clock,
  DeviceStorage,
  Digest,
  Identifiers,
  SessionStore,
} from '../../src/core/ports/device';
import { type Failure, fail, type Outcome, succeed } from '../../src/core/ports/failure';
import type { Tokenizer } from '../../src/core/ports/model';
import type { SessionLogPorts } from '../../src/core/session/session-log';

export const digest: Digest = (text) => createHash('sha256').update(text, 'utf8').digest('hex');

/** Four characters a token. */
export const roughTokenizer: Tokenizer = { count: (text) => Math.ceil(text.length / 4), exact: false };

export interface MovableClock extends Clock {
  advance(milliseconds: number): void;
}

export function fakeClock(start = 1_700_000_000_000): MovableClock {
  let now = start;
  return { now: () => now, advance: (milliseconds) => void (now += milliseconds) };
}

export function countingIdentifiers(prefix = 'id'): Identifiers {
  let count = 0;
  return { next: () => `${prefix}${++count}` };
}

/** Numbers from 0 to 1 that follow from the seed. */
export function randomBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface MemoryDevice extends DeviceStorage {
  readonly values: Map<string, string>;
  set(key: string, value: string | null): boolean;
}

export function memoryDevice(values = new Map<string, string>()): MemoryDevice {
  return {
    values,
    get: (key) => values.get(key) ?? null,
    set: (key, value) => {
      if (value === null) values.delete(key);
      else values.set(key, value);
      return true;
    },
  };
}

/** For a log that keeps the entries of this process itself: nothing has to be read back. */
export const forgetfulStore: SessionStore = {
  conversations: () => Promise.resolve(succeed([])),
  shards: () => Promise.resolve(succeed([])),
  append: () => Promise.resolve(succeed(undefined)),
};

export const noSpace: Failure = { kind: 'storage', words: 'No space left.', remedy: 'Free some.' };

export interface MemoryStore extends SessionStore {
  /** Shard texts by conversation, then by shard name. */
  readonly logs: Map<string, Map<string, string>>;
  /** Name of the shard that this process appends to. */
  shard: string;
  /** Appends asked for so far. */
  appends: number;
  /** What happens to an append, by its number from 1: 'torn' leaves half of it, 'unsaid' all of it, and both fail. */
  fault: (append: number) => 'full' | 'torn' | 'lost' | 'unsaid' | 'hang';
  linesOf(conversation: string): string[];
}

export function memoryStore(logs = new Map<string, Map<string, string>>(), shard = 'a'): MemoryStore {
  /** Sizes of texts by conversation and shard: measuring a whole log after each entry takes longer than the entry. */
  const sizes = new Map<string, { readonly text: string; readonly size: number }>();
  const sizeOf = (id: string, name: string): number => {
    const text = logs.get(id)?.get(name) ?? '';
    const known = sizes.get(`${id}/${name}`);
    const size = known?.text === text ? known.size : bytesIn(text);
    sizes.set(`${id}/${name}`, { text, size });
    return size;
  };
  const store: MemoryStore = {
    logs,
    shard,
    appends: 0,
    fault: () => 'full',
    linesOf: (id) => [...(logs.get(id)?.values() ?? [])].join('').split('\n').filter(Boolean),
    conversations: () =>
      Promise.resolve(succeed([...logs].map(([id]) => ({ id, modified: 0, size: store.linesOf(id).join().length })))),
    shards: (id, names) => {
      const all = [...(logs.get(id) ?? [])].map(([name, text]) => ({ name, text }));
      return Promise.resolve(succeed(all.filter(({ name }) => names?.includes(name) ?? true)));
    },
    marks: (id) => {
      const marks = [...(logs.get(id)?.keys() ?? [])].map((name) => ({ name, size: sizeOf(id, name), modified: 0 }));
      return Promise.resolve(succeed(marks));
    },
    append: async (id, lines): Promise<Outcome<AppendedShard | undefined>> => {
      await Promise.resolve();
      const what = store.fault(++store.appends);
      if (what === 'hang') await new Promise(() => undefined);
      const shards = logs.get(id) ?? new Map<string, string>();
      const before = sizeOf(id, store.shard);
      const added = bytesIn(lines);
      const written =
        what === 'full' || what === 'unsaid' ? lines : what === 'torn' ? lines.slice(0, lines.length / 2) : '';
      if (written !== '') logs.set(id, shards.set(store.shard, (shards.get(store.shard) ?? '') + written));
      if (what !== 'full') return fail(noSpace);
      const text = shards.get(store.shard) ?? '';
      sizes.set(`${id}/${store.shard}`, { text, size: before + added });
      return succeed({ name: store.shard, size: before + added, modified: 0, added });
    },
  };
  return store;
}

const bytesIn = (text: string): number => Buffer.byteLength(text);

export function logPorts(store: SessionStore, changes: Partial<SessionLogPorts> = {}): SessionLogPorts {
  const ports = { store, clock: fakeClock(), identifiers: countingIdentifiers(), digest };
  return { ...ports, writer: 'w1', session: 's1', ...changes };
}

// Where a chat may send, and the keys that the secrets of a user have.

export const secretsOfUser: Readonly<Record<string, string>> = {
  'docent-openai-key': 'sk-own-1111',
  'github-token': 'ghp-other-2222',
  'my-key': 'sk-mine-3333',
};

export const openai: Destination = {
  ...{ id: 'openai', label: 'OpenAI', address: 'https://api.openai.com/v1', ownAddress: 'https://api.openai.com/v1' },
  ...{ keyName: 'docent-openai-key', ownKeyName: 'docent-openai-key' },
};

export const lmStudio: Destination = {
  ...{ id: 'lmstudio', label: 'LM Studio', address: 'http://localhost:1234/v1' },
  ...{ ownAddress: 'http://localhost:1234/v1', keyName: '', ownKeyName: '' },
};

export const compatible: Destination = {
  ...{ id: 'openai-compatible', label: 'Server', address: 'https://gateway.example/v1', ownAddress: '' },
  ...{ keyName: 'my-key', ownKeyName: '' },
};

// Gates for tests whose subject is something else: each takes every address for the provider's own, with one key or none.

class OpenGate extends Gate {
  override admit(destination: Parameters<Gate['admit']>[0]): ReturnType<Gate['admit']> {
    return super.admit({ ...destination, ownAddress: destination.address, keyName: 'key', ownKeyName: 'key' });
  }
}

export function openGate(secret: string | null): Gate {
  return new OpenGate({ device: memoryDevice(), secret: () => secret });
}

export function admitWith(secret: string | null): (address: string) => ReturnType<Gate['admit']> {
  const nobody = { id: 'test', label: 'Test', ownAddress: '', keyName: '', ownKeyName: '' };
  return (address) => openGate(secret).admit({ ...nobody, address });
}

/** What a device allows a provider without an address. */
export const noAllowance: Allowance = {
  ...{ origin: null, isAddressAllowed: false, key: 'none', keyOrigin: null, isBuffered: false },
};

const noFolders: readonly string[] = [];

/** Says that no folder is Docent's own, by the same list at each look. */
export function ownsNothing(): readonly string[] {
  return noFolders;
}
