/**
 * Branches of a log (decision 0044): two devices that edit, answer again, choose, delete, rename and pin in any order
 * and meet at any time have the same chat, with every entry, and each log grows to what a fresh reading of it gives.
 */
import * as fc from 'fast-check';
import { summariseChat } from '../../src/core/chat/chat-index';
import { foldTranscript, Transcript } from '../../src/core/chat/transcript';
import { foldGoals } from '../../src/core/goals/fold-goals';
import { foldLog, visibleEntries } from '../../src/core/request/history';
import { ActivePath, type VersionPart } from '../../src/core/session/branches';
import { type EntryBody, isUserEntry, type SessionEntry, snapshotParts } from '../../src/core/session/entry';
import { spentIn } from '../../src/core/session/log-state';
import { SessionLog } from '../../src/core/session/session-log';
import { expectSame } from 'obsidian-workbench/testing/expect-same';
import { answer, result, toolCall, user } from '../support/entries';
import { countingIdentifiers, digest, logPorts, memoryStore, type MemoryStore } from '../support/memory-ports';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';
import { isLong } from './drawn-cases';
import { seed } from './hostile-text';
import { mergeShards } from '../support/merge-shards';

const usagePlace = { day: () => '2026-11-24', isMetered: () => true };

/** 20,000 with DOCENT_LONG=yes. */
const numRuns = isLong ? 20_000 : 400;

interface Act {
  readonly type:
    | 'send'
    | 'resend'
    | 'edit'
    | 'again'
    | 'choose'
    | 'delete'
    | 'restore'
    | 'title'
    | 'pin'
    | 'goal'
    | 'summary'
    | 'fail'
    | 'meet';
  readonly device: 0 | 1;
  /** Which message, and which version of it. */
  readonly at: number;
  readonly number: number;
  readonly part: VersionPart;
}

const act: fc.Arbitrary<Act> = fc.record({
  type: fc.constantFrom(
    ...(['send', 'send', 'send', 'resend', 'edit', 'edit', 'again', 'again', 'choose', 'choose', 'delete'] as const),
    ...(['restore', 'title', 'pin', 'goal', 'summary', 'fail', 'meet', 'meet'] as const),
  ),
  device: fc.constantFrom(0 as const, 0 as const, 1 as const),
  at: fc.nat(5),
  number: fc.integer({ min: 1, max: 4 }),
  part: fc.constantFrom('question' as const, 'answer' as const),
});

class Device {
  readonly logs: MemoryStore['logs'] = new Map([['c1', new Map<string, string>()]]);
  log!: SessionLog;
  readonly appended: string[] = [];
  private count = 0;

  constructor(readonly name: string) {}

  async open(): Promise<this> {
    const identifiers = countingIdentifiers(this.name);
    const store = memoryStore(this.logs, this.name);
    const opened = await SessionLog.open('c1', logPorts(store, { writer: this.name, session: 's', identifiers }));
    if (!opened.ok) throw new Error(opened.failure.words);
    this.log = opened.value;
    return this;
  }

  async add(body: EntryBody): Promise<string> {
    const before = this.log.all.length;
    const stored = await this.log.append(body);
    if (!stored.ok) throw new Error(stored.failure.words);
    expectSame(this.log.all.length, before + 1);
    this.appended.push(stored.value.id);
    return stored.value.id;
  }

  async turn(message: string): Promise<void> {
    this.log.answering(message);
    const call = `${this.name}${(this.count += 1)}`;
    await this.add({ kind: 'turn-zone', before: [], after: [], mode: 'assistant', editor: null });
    await this.add(answer(`answer ${call}`, toolCall(call)));
    await this.add(result(call));
    await this.add({ ...answer(`end ${call}`), usage: { inputTokens: 1, outputTokens: 1, cost: 1 } });
    this.log.answering(null);
  }

  async act({ type, at, number, part }: Act): Promise<void> {
    const { log } = this;
    const asked = log.entries.filter(isUserEntry);
    const one = asked[at % Math.max(1, asked.length)]?.id;
    const last = asked.at(-1)?.id;
    const text = `${this.name} says ${(this.count += 1)}`;
    if (type === 'send') return this.turn(await this.add(user(text)));
    if (type === 'title') return void (await this.add({ kind: 'title', title: text }));
    if (type === 'pin') return void (await this.add({ kind: 'chat-list', pinned: number > 2 }));
    if (type === 'goal') {
      const event = { type: 'created', description: text, priority: 'high' } as const;
      return void (await this.add({ kind: 'goal', origin: 'user', event }));
    }
    if (type === 'restore') {
      const deleted = log.entries.find(({ kind }) => kind === 'message-deleted');
      if (deleted?.kind !== 'message-deleted') return;
      return void (await this.add({ ...bodyOf(deleted), deleted: false }));
    }
    if (one === undefined || last === undefined) return;
    if (type === 'resend') return this.turn(last);
    if (type === 'edit')
      return this.turn(await this.add({ ...user(text), kind: 'user', mentions: [], text, instead: one }));
    if (type === 'delete') {
      const answered = log.entries.find((entry) => entry.kind === 'assistant' && entry.turn === one)?.id;
      const message = part === 'answer' ? (answered ?? one) : one;
      return void (await this.add({ kind: 'message-deleted', message, deleted: true }));
    }
    if (type === 'again') {
      await this.add({ kind: 'branch', message: one });
      return this.turn(one);
    }
    if (type === 'fail') {
      const failure = { kind: 'network', words: text, remedy: '' } as const;
      return void (await this.add({ kind: 'failure', failure }));
    }
    if (type === 'summary') return void (await this.add(summaryOf(log.entries)));
    const chosen = log.branches.branchOfVersion(one, part, number);
    if (type === 'choose' && chosen !== null) await this.add({ kind: 'branch-chosen', chosen });
  }
}

const bodyOf = ({ message, deleted }: SessionEntry & { kind: 'message-deleted' }) =>
  ({ kind: 'message-deleted', message, deleted }) as const;

const snapshot = Object.fromEntries(Object.keys(snapshotParts).map((part) => [part, 's']));

function summaryOf(entries: readonly SessionEntry[]): EntryBody {
  return {
    ...{ kind: 'summary', snapshot, by: 'model', trigger: 'manual', focus: '', before: 2, after: 1 },
    ...{ removed: 1, kept: 1, paths: [], skills: [], covers: entries.slice(0, 2).map(({ id }) => id) },
  } as unknown as EntryBody;
}

/** All that follows the branch in view; it is valid until the log grows. */
const read = (entries: readonly SessionEntry[]) => ({
  ids: entries.map(({ id }) => id),
  shown: foldTranscript(entries),
  messages: foldLog(entries),
  seen: visibleEntries(entries),
  goals: foldGoals(entries),
});

/** What the log has grown to is what its entries give when they are read as a whole. */
function expectWhole({ log }: Device): void {
  const whole = new ActivePath([...log.all], log.branches.active);
  expectSame(log.branches.active, whole.active);
  expectSame(log.branches.versions, whole.versions);
  expectSame(read(log.entries), read([...whole.entries]));
}

/** Copies the files that each has of its own to the other. */
async function meet([a, b]: readonly [Device, Device]): Promise<void> {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    const text = from.logs.get('c1')?.get(from.name);
    if (text !== undefined) to.logs.get('c1')?.set(from.name, text);
  }
  for (const { log } of [a, b]) {
    const { active } = log.branches;
    await log.look();
    log.join();
    // Nobody is taken to another branch while reading, unless nothing was read yet.
    if (active !== '') expectSame(log.branches.active, active);
  }
}

it('gives two devices one chat, and loses no entry', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 14 }), async (acts) => {
      const devices = [await new Device('a').open(), await new Device('b').open()] as const;
      for (const each of acts) {
        if (each.type === 'meet') await meet(devices);
        else await devices[each.device].act(each);
        for (const device of devices) expectWhole(device);
      }
      await meet(devices);
      const [a, b] = await Promise.all(devices.map((device) => device.open()));
      if (a === undefined || b === undefined) return;
      expectSame(
        [b.log.all, b.log.entries, b.log.branches.versions],
        [a.log.all, a.log.entries, a.log.branches.versions],
      );
      expectSame(new Set(a.log.all.map(({ id }) => id)), new Set(devices.flatMap(({ appended }) => appended)));
      expectSame(a.log.all.length, devices.flatMap(({ appended }) => appended).length);
      const shards = [...(a.logs.get('c1') ?? [])].map(([name, text]) => ({ name, text }));
      const summary = summariseChat('c1', mergeShards(shards, digest), 0, usagePlace);
      expectSame(summariseChat('c1', mergeShards(shards.reverse(), digest), 0, usagePlace), summary);
      expectSame(summary.spent, spentIn(a.log.all));
      await expectReachable(a);
    }),
    { numRuns, seed },
  );
});

/** Every message that is not deleted can be put in view, with its turn. */
async function expectReachable(device: Device): Promise<void> {
  const { all } = device.log;
  const marks = new Map(
    all.flatMap((entry) => (entry.kind === 'message-deleted' ? [[entry.message, entry.deleted]] : [])),
  );
  for (const { id } of all.filter(isUserEntry)) {
    const branch = device.log.branches.branchOfEntry(id);
    const path = new ActivePath(all, branch);
    expectSame(path.active, branch);
    expectSame(
      path.entries.some((entry) => entry.id === id),
      marks.get(id) !== true,
    );
  }
  const active = device.log.branches.active;
  const begun = [...new Set(all.map((entry) => entry.branch ?? ''))];
  const seen = new Set(begun.flatMap((branch) => new ActivePath(all, branch).entries.map(({ id }) => id)));
  const omitted = all.filter(({ id, kind }) => !seen.has(id) && kind !== 'branch' && kind !== 'branch-chosen');
  if (![...marks.values()].includes(true))
    expectSame(
      omitted.filter(({ kind }) => kind !== 'message-deleted'),
      [],
    );
  expectSame(device.log.branches.active, active);
  await Promise.resolve();
}

/** A branch as a plain list of what it shows. */
interface View {
  readonly said: string[];
  chosen: number;
}

it('shows what a list for each branch shows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 16 }), async (acts) => {
      const device = await new Device('a').open();
      const views: View[] = [{ said: [], chosen: 0 }];
      let view = views[0]!;
      let time = 0;
      const answers = new Map<string, string[]>();
      const versions = new Map<string, string[]>();
      const continueWith = (said: string[]): void => void views.push((view = { said, chosen: (time += 1) }));
      const answerTo = (message: string): string => {
        const newest = device.log.entries
          .filter((entry) => entry.kind === 'assistant' && entry.turn === message)
          .at(-1)!;
        answers.set(message, [...(answers.get(message) ?? []), newest.id]);
        return newest.id;
      };
      for (const each of acts) {
        const asked = device.log.entries.filter(isUserEntry);
        const one = asked[each.at % Math.max(1, asked.length)]?.id;
        if (each.type === 'send') {
          await device.act(each);
          const { id } = device.log.entries.filter(isUserEntry).at(-1)!;
          versions.set(id, [id]);
          view.said.push(id, answerTo(id));
          view.chosen = time += 1;
        }
        if (one === undefined) continue;
        const place = view.said.indexOf(one);
        if (each.type === 'edit') {
          await device.act(each);
          const { id } = device.log.entries.filter(isUserEntry).at(-1)!;
          const all = versions.get(one)!;
          all.push(id);
          versions.set(id, all);
          continueWith([...view.said.slice(0, place), id, answerTo(id)]);
        } else if (each.type === 'again') {
          await device.act(each);
          continueWith([...view.said.slice(0, place + 1), answerTo(one)]);
        } else if (each.type === 'choose') {
          await device.act(each);
          const list = (each.part === 'question' ? versions : answers).get(one)!;
          const wanted = list[each.number - 1];
          if (wanted === undefined || (each.part === 'answer' && list.length === 1)) continue;
          view = views.filter(({ said }) => said.includes(wanted)).sort((x, y) => y.chosen - x.chosen)[0]!;
          view.chosen = time += 1;
        }
        const items = foldTranscript(device.log.entries).map(({ id }) => id);
        const ends = new Set([...answers.values()].flat());
        const shown = device.log.entries.filter(({ id, kind }) => kind === 'user' || ends.has(id)).map(({ id }) => id);
        expectSame(shown, view.said);
        expectSame(items.length, shown.length);
      }
    }),
    { numRuns: isLong ? 5_000 : 300, seed },
  );
});

it('takes as much for each entry in a branch, however long the log and however many branches', async () => {
  const grow = (count: number): void => {
    const all: SessionEntry[] = [];
    let path = new ActivePath(all);
    const transcript = new Transcript();
    const add = (body: EntryBody, place: Partial<SessionEntry> = {}): void => {
      const id = `e${all.length}`;
      const header = { id, conversation: 'c', writer: 'w', session: 's', lamport: all.length, time: 0 };
      all.push({ ...body, ...header, ...place } as SessionEntry);
      path = path.with(all.at(-1)!);
    };
    add(user('first'));
    add(answer('one'));
    add({ kind: 'user', text: 'edited', mentions: [], instead: 'e0' });
    for (let place = 0; place < count; place += 1) {
      add(place % 2 === 0 ? answer('b') : user('a'), { branch: 'e2' });
      transcript.follow(path.entries);
      foldGoals(path.entries);
      visibleEntries(path.entries);
    }
    if (path.entries.length !== count + 1) throw new Error('The branch is not whole.');
  };
  await expectGrowthBelow(
    8,
    () => grow(40_000),
    () => grow(10_000),
  );
  // Each message of a hostile log replaces the one before, and each branch is in the one before.
  const nest = (count: number): void => {
    const all = Array.from({ length: count }, (_, at): SessionEntry => {
      const header = { id: `e${at}`, conversation: 'c', writer: 'w', session: 's', lamport: at, time: 0 };
      const instead = at === 0 ? {} : { instead: `e${at - 1}` };
      return { kind: 'user', text: 'a', mentions: [], ...instead, ...header };
    });
    const path = new ActivePath(all);
    if (path.versions.get(`e${count - 1}`)?.question?.of !== count) throw new Error('A version is missing.');
    path.branchOfVersion('e5', 'question', 3);
  };
  await expectGrowthBelow(
    8,
    () => nest(40_000),
    () => nest(10_000),
  );
});
