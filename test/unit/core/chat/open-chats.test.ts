/** Live chats over a folder that another device writes to as well. */
import type { Chat } from '../../../../src/core/chat/chat';
import { queueKeyOf } from '../../../../src/core/chat/chat-view-state';
import { OpenChats } from '../../../../src/core/chat/open-chats';
import type { DeviceStorage } from '../../../../src/core/ports/device';
import { describeFailure, fail, type Outcome, succeed } from '../../../../src/core/ports/failure';
import { SessionLog } from '../../../../src/core/session/session-log';
import { words } from '../../../../src/text';
import { chatBench, rested, shown, until } from '../../../support/chat-bench';
import { answer, user } from '../../../support/entries';
import { fakeVault } from '../../../support/fake-vault';
import { imagePorts } from '../../../support/image-ports';
import { makePng } from '../../../support/make-png';
import { countingIdentifiers, logPorts, memoryStore, type MemoryStore, noSpace } from '../../../support/memory-ports';
import { eventually } from '../../eventually';
import { finish, say, type ScriptedModel, scriptedModel, type Step } from '../../../support/scripted-model';

interface Place {
  readonly logs: MemoryStore['logs'];
  readonly chats: OpenChats;
  readonly chat: Chat;
  readonly device: DeviceStorage;
  readonly model: ScriptedModel;
  /** The chats that were opened again. */
  readonly reopened: Chat[];
  /** The chats whose files were looked at. */
  readonly looked: string[];
}

/** A chat of this device with one question and its answer. */
async function open(...answers: Step[][]): Promise<Place> {
  const logs: MemoryStore['logs'] = new Map();
  const model = scriptedModel([[say('first answer'), finish()], ...answers]);
  const looked: string[] = [];
  const files = memoryStore(logs, 'a');
  const marks: typeof files.marks = async (id) => {
    looked.push(id);
    return (await files.marks?.(id)) ?? succeed([]);
  };
  const own = logPorts({ ...files, marks }, { writer: 'a', identifiers: countingIdentifiers('a') });
  const bench = chatBench({ model });
  const chats = new OpenChats(bench.allPorts(), own);
  logs.set('c1', new Map());
  const opened = await chats.open('c1');
  if (!opened.ok) throw new Error(opened.failure.words);
  const reopened: Chat[] = [];
  chats.onReopened((chat) => void reopened.push(chat));
  await opened.value.send('first', []);
  await until(opened.value, rested);
  return { logs, chats, chat: opened.value, device: bench.device, model, reopened, looked };
}

async function onOtherDevice(logs: MemoryStore['logs'], ...texts: string[]): Promise<void> {
  const ports = logPorts(memoryStore(logs, 'b'), { writer: 'b', identifiers: countingIdentifiers('b') });
  const log = await SessionLog.open('c1', ports);
  if (!log.ok) throw new Error(log.failure.words);
  for (const text of texts) {
    const asked = await log.value.append(user(text));
    log.value.answering(asked.ok ? asked.value.id : null);
    await log.value.append(answer(`answer to ${text}`));
    log.value.answering(null);
  }
}

const asShown = ({ current }: Chat): string[] => shown(current);

describe('a chat that goes on elsewhere while it is open', () => {
  it('shows what another device added, and says so', async () => {
    const { logs, chats, reopened } = await open();
    await onOtherDevice(logs, 'second');
    await chats.look();
    expect(reopened.map(asShown)).toEqual([
      [
        'user: first',
        'answer (complete): first answer',
        'relief: Continued on another device from here.',
        'user: second',
        'answer (complete): answer to second',
      ],
    ]);
    const again = await chats.open('c1');
    expect(again.ok && again.value).toBe(reopened[0]);
  });

  it('has the title that another device gave it, and its own after a start', async () => {
    const { logs, chats, chat, reopened } = await open();
    await chat.annotate({ kind: 'title', title: 'Wood' });
    expect(chat.current.title).toBe('Wood');
    const ports = logPorts(memoryStore(logs, 'b'), { writer: 'b', identifiers: countingIdentifiers('b') });
    const log = await SessionLog.open('c1', ports);
    if (log.ok) await log.value.append({ kind: 'title', title: ' Teak\nor oak' });
    await chats.look();
    expect(reopened.map(({ current }) => current.title)).toEqual(['Teak or oak']);
    const later = new OpenChats(chatBench({ model: scriptedModel([]) }).allPorts(), ports);
    const again = await later.open('c1');
    expect(again.ok && again.value.current.title).toBe('Teak or oak');
  });

  it('calls a listener once that listens again from within', async () => {
    const { logs, chats } = await open();
    let calls = 0;
    const listen = (): void => {
      const release = chats.onReopened(() => {
        calls += 1;
        release();
        if (calls < 5) listen();
      });
    };
    listen();
    await onOtherDevice(logs, 'second');
    await chats.look();
    expect(calls).toBe(1);
  });

  it('looks at no files but those of the chats that are named', async () => {
    const { logs, chats, reopened, looked } = await open();
    await chats.open(null);
    await onOtherDevice(logs, 'second');
    looked.splice(0);
    await chats.look(['c0', 'c2']);
    expect([looked, reopened]).toEqual([[], []]);
    await chats.look(new Set(['c1']));
    expect([looked, reopened.length]).toEqual([['c1'], 1]);
    looked.splice(0);
    await chats.look();
    expect([looked.includes('c1'), looked.length]).toEqual([true, 2]);
  });

  it('finds what another device adds while a chat is being opened', async () => {
    const { logs } = await open();
    const own = logPorts(memoryStore(logs, 'c'), { writer: 'c', identifiers: countingIdentifiers('c') });
    const chats = new OpenChats(chatBench({ model: scriptedModel([]) }).allPorts(), own);
    let goOn = (): void => undefined;
    const read = new Promise<void>((resolve) => (goOn = resolve));
    const { shards } = own.store;
    let isRead = false;
    own.store.shards = async (...of) => {
      const found = await shards.call(own.store, ...of);
      isRead = true;
      await read;
      return found;
    };
    const opening = chats.open('c1');
    await eventually(() => isRead, 'the files of the chat are read');
    own.store.shards = shards;
    await onOtherDevice(logs, 'second');
    const looked = chats.look(['c1']);
    goOn();
    const opened = await opening;
    await looked;
    const now = await chats.open('c1');
    expect(opened.ok && now.ok && [asShown(opened.value).join(), asShown(now.value).join()]).toEqual([
      expect.not.stringContaining('second'),
      expect.stringContaining('answer to second'),
    ]);
  });

  it('changes nothing while nothing changed', async () => {
    const { chats, chat, reopened } = await open();
    await chats.look();
    const again = await chats.open('c1');
    expect([reopened, again.ok && again.value === chat]).toEqual([[], true]);
  });

  it('waits for the end of the running turn, whose requests stay as they were', async () => {
    const heard = async (): Promise<void> => {
      await onOtherDevice(logs, 'theirs');
      await chats.look();
      expect(reopened).toEqual([]);
    };
    const { logs, chats, chat, model, reopened } = await open([heard, say('own'), finish()]);
    await chat.send('own question', []);
    await until(chat, rested);
    await eventually(() => reopened.length === 1, 'the chat opened again');
    expect(reopened.flatMap(asShown).filter((line) => !line.startsWith('relief'))).toEqual([
      'user: first',
      'answer (complete): first answer',
      'user: own question',
      'answer (complete): own',
      'user: theirs',
      'answer (complete): answer to theirs',
    ]);
    expect(JSON.stringify(model.plans.at(-1)?.messages)).not.toContain('theirs');
  });

  it('puts others in place of messages that wait, in what is stored for a crash as well', async () => {
    const heard = async (): Promise<void> => {
      for (const text of ['See [[Now]].', 'What else?']) await chat.send(text, []);
      const before = chat.current;
      chats.replaceQueued((message) => message);
      expect(chat.current).toBe(before);
      const [, other] = before.queued;
      chats.replaceQueued((message) => (message === other ? message : { ...message, text: 'See [[Soon]].' }));
      expect(chat.current.queued.map(({ text }) => text)).toEqual(['See [[Soon]].', 'What else?']);
      expect(chat.current.queued[1]).toBe(other);
      const at = expect.any(Number) as number;
      expect(JSON.parse(device.get(queueKeyOf('c1')) ?? '')).toEqual(
        chat.current.queued.map((each) => ({ ...each, at })),
      );
    };
    const { chats, chat, device } = await open(
      [heard, say('own'), finish()],
      [say('b'), finish()],
      [say('c'), finish()],
    );
    await chat.send('own question', []);
    await until(chat, rested);
    await eventually(() => asShown(chat).includes('user: See [[Soon]].'), 'the message that waited');
    await until(chat, rested);
  });

  it('writes back a log that vanished while nobody wrote, and says so', async () => {
    const { logs, chats, reopened } = await open();
    const before = [...(logs.get('c1')?.values() ?? [])].join('');
    logs.clear();
    await chats.look();
    expect([...(logs.get('c1')?.values() ?? [])].join('').startsWith(before)).toBe(true);
    expect(reopened.flatMap(asShown).join('\n')).toMatch(/relief: \d+ entries were missing from this chat’s files/);
  });

  it('waits before the end of a chat for what is already being written back', async () => {
    const { logs, chats } = await open();
    const [shard] = [...(logs.get('c1')?.entries() ?? [])];
    logs.set('c1', new Map());
    const looking = chats.look();
    const move = (): Promise<Outcome<void>> => {
      expect([...(logs.get('c1')?.values() ?? [])].join('')).toContain(shard?.[1]);
      logs.clear();
      return Promise.resolve(succeed(undefined));
    };
    expect((await chats.trash('c1', move)).ok).toBe(true);
    await looking;
    expect(logs.size).toBe(0);
  });

  it('adds nothing to a chat whose files are in the trash, and says so where it is still open', async () => {
    const { logs, chats, chat } = await open();
    const heard: string[] = [];
    let renaming: Promise<Outcome<unknown>> = Promise.resolve(succeed(undefined));
    await chats.trash('c1', () => {
      chats.onChanged((id) => heard.push(id));
      // What is asked for while the files are moved is too late.
      renaming = chat.annotate({ kind: 'title', title: 'Woods' });
      return Promise.resolve(succeed(logs.clear()));
    });
    const renamed = await renaming;
    const { trashed: said, trashedRemedy: remedy } = words.branches;
    expect(renamed).toEqual(fail({ kind: 'refused', words: said, remedy }));
    expect([chat.current.isTrashed, chat.current.isReadOnly, shown(chat.current)]).toEqual([
      ...[true, true, ['user: first', 'answer (complete): first answer']],
    ]);
    expect(await chat.send('second', [])).toEqual(fail({ kind: 'refused', words: said, remedy }));
    expect([chat.isIdle, logs.size, heard]).toEqual([true, 0, []]);
  });

  it('goes on with a chat whose files could not be moved to the trash', async () => {
    const { logs, chats, chat } = await open([say('second answer'), finish()]);
    const refused: Outcome<void> = fail({ kind: 'storage', words: 'No.', remedy: '' });
    expect(await chats.trash('c1', () => Promise.resolve(refused))).toBe(refused);
    await chat.send('second', []);
    await until(chat, rested);
    const again = await chats.open('c1');
    expect([again.ok && again.value === chat, chat.current.isTrashed ?? false]).toEqual([true, false]);
    expect([...(logs.get('c1')?.values() ?? [])].join('')).toContain('second answer');
  });

  it('writes back nothing of a chat that was ended, also in the middle of an answer', async () => {
    const { logs, chats, chat, model } = await open([say('own'), () => new Promise(() => {}), finish()]);
    await chat.send('own question', []);
    await eventually(() => model.plans.length === 2, 'the model is asked');
    let stored = '';
    const move = (): Promise<Outcome<void>> => {
      stored = [...(logs.get('c1')?.values() ?? [])].join('');
      logs.clear();
      return Promise.resolve(succeed(undefined));
    };
    await chats.trash('c1', move);
    expect(stored).toContain('"end":"stopped"');
    await chats.look();
    await chats.heard([{ path: 'New.md', oldPath: 'Old.md' }]);
    expect([chats.live('c1'), logs.size]).toEqual([null, 0]);
    await chats.trash('c1', () => Promise.resolve(succeed(undefined)));

    // Once its files are back, it is read from them again.
    logs.set('c1', new Map([['a', stored]]));
    const again = await chats.open('c1');
    expect(again.ok && again.value !== chat && asShown(again.value)).toContain('user: own question');
  });
});

describe('a chat that another device has deleted, and whose files it has moved to the trash', () => {
  async function deleteElsewhere(logs: MemoryStore['logs'], ...said: string[]): Promise<void> {
    await onOtherDevice(logs);
    const ports = logPorts(memoryStore(logs, 'b'), { writer: 'b', identifiers: countingIdentifiers('d') });
    const log = await SessionLog.open('c1', ports);
    if (!log.ok) throw new Error(log.failure.words);
    await log.value.append({ kind: 'chat-list', deleted: true });
    for (const text of said) await log.value.append(user(text));
  }

  it('says so where it is still open, and is not written back there', async () => {
    const { logs, chats, chat, reopened } = await open();
    await deleteElsewhere(logs);
    await chats.look();
    const [now = chat] = reopened;
    logs.clear();
    await chats.look();
    expect([logs.size, now.current.isTrashed, chats.live('c1')]).toEqual([0, true, null]);
    const { trashed: said, trashedRemedy: remedy } = words.branches;
    expect(await now.send('second', [])).toEqual(fail({ kind: 'refused', words: said, remedy }));
    expect(await chats.annotate('c1', { kind: 'chat-list', deleted: false })).toEqual(
      fail({ kind: 'refused', words: said, remedy }),
    );
    expect(logs.size).toBe(0);
  });

  it('is not written back while the sync takes away one file after another, also before this was seen', async () => {
    const { logs, chats, chat } = await open();
    await deleteElsewhere(logs);
    const shards = logs.get('c1');
    shards?.delete('a');
    await chats.look();
    expect([...(shards?.keys() ?? [])]).toEqual(['b']);
    logs.clear();
    await chats.look();
    expect([logs.size, chat.current.isTrashed ?? false, chats.live('c1')]).toEqual([0, false, null]);
  });

  it('is written back if it was restored since, or went on', async () => {
    for (const goesOn of ['restored', 'said'] as const) {
      const { logs, chats, reopened } = await open();
      await deleteElsewhere(logs, ...(goesOn === 'said' ? ['once more'] : []));
      if (goesOn === 'restored') await chats.annotate('c1', { kind: 'chat-list', deleted: false });
      await chats.look();
      logs.clear();
      await chats.look();
      expect([...(logs.get('c1')?.values() ?? [])].join('')).toContain('first answer');
      expect(reopened.at(-1)?.current.isTrashed ?? false).toBe(false);
    }
  });
});

it('brings no part of a chat back that was moved to the trash while its title was being made', async () => {
  const { logs, chats } = await open();
  await chats.trash('c1', () => Promise.resolve(succeed(logs.clear())));
  const { trashed: said, trashedRemedy: remedy } = words.branches;
  for (const body of [
    { kind: 'title', title: 'Wood', by: 'model' },
    { kind: 'chat-list', pinned: true },
  ] as const) {
    expect(await chats.annotate('c1', body)).toEqual(fail({ kind: 'refused', words: said, remedy }));
  }
  expect(logs.size).toBe(0);
});

it('writes nothing back of a chat that is moved to the trash while it is being opened', async () => {
  const { logs } = await open();
  const again = new OpenChats(
    chatBench({ model: scriptedModel([]) }).allPorts(),
    logPorts(memoryStore(logs, 'c'), { writer: 'a', session: 'c', identifiers: countingIdentifiers('c') }),
  );
  const opening = again.open('c1');
  const trashed = await again.trash('c1', () => Promise.resolve(succeed(logs.clear())));
  const opened = await opening;
  await again.look();
  expect([trashed.ok, logs.size, opened.ok && opened.value.current.isTrashed]).toEqual([true, 0, true]);
});

it('has no chat in memory of which a file could not be read, until it can be', async () => {
  const { logs, device } = await open();
  await onOtherDevice(logs, 'second');
  const store = memoryStore(logs, 'a');
  const { shards } = store;
  store.shards = async (...asked) => {
    const read = await shards(...asked);
    const isUnread = true as const;
    const locked = (name: string) => ({ name, text: 'EBUSY\n', isUnread });
    return succeed((read.ok ? read.value : []).map((each) => (each.name === 'b' ? locked(each.name) : each)));
  };
  const own = logPorts(store, { writer: 'a', identifiers: countingIdentifiers('a2') });
  const chats = new OpenChats({ ...chatBench({}).allPorts(), device }, own);
  const chat = await chats.open('c1');
  expect(chat.ok && asShown(chat.value)).toEqual(['user: first', 'answer (complete): first answer']);
  expect(chats.live('c1')).toBeNull();
  store.shards = shards;
  await chats.look();
  expect(chats.live('c1')?.items.map(({ type }) => type)).toEqual(['user', 'answer', 'relief', 'user', 'answer']);
});

it('goes on with chosen notes under their new names, in all chats, and in those that are opened later', async () => {
  const logs: MemoryStore['logs'] = new Map([['c1', new Map()]]);
  const own = logPorts(memoryStore(logs, 'a'), { writer: 'a', identifiers: countingIdentifiers('a') });
  const bench = chatBench({});
  const made = own.clock.now();
  const moves = [{ from: 'Old.md', to: 'Before.md' }];
  const movesSince = (time: number): typeof moves => (time === made ? moves.slice(1) : []);
  const openAll = (): OpenChats => new OpenChats({ ...bench.allPorts(), movesSince }, own);
  const [first, later] = [openAll(), openAll()];
  const chosenIn = async (chats: OpenChats) => {
    const chat = await chats.open('c1');
    if (!chat.ok) throw new Error(chat.failure.words);
    const { contextNotes, selectedPrompt, selectedWorkspace } = chat.value.choices;
    return { contextNotes, selectedPrompt, selectedWorkspace };
  };
  const chat = await first.open('c1');
  if (!chat.ok) throw new Error(chat.failure.words);
  await chat.value.choose({ contextNotes: ['Boats/Keel.md', 'Old.md'], selectedPrompt: 'Docent/prompts/Plan.md' });
  await chat.value.choose({ selectedWorkspace: 'Docent/workspaces/Boat.md' });
  const stored = (): string => [...(logs.get('c1')?.values() ?? [])].join('');
  const before = stored();
  await first.moved();
  expect(stored()).toBe(before);
  moves.push({ from: 'Boats', to: 'Ships' }, { from: 'Docent/prompts/Plan.md', to: 'Docent/prompts/Plans.md' });
  await first.moved();
  const now = {
    contextNotes: ['Ships/Keel.md', 'Old.md'],
    selectedPrompt: 'Docent/prompts/Plans.md',
    selectedWorkspace: 'Docent/workspaces/Boat.md',
  };
  expect(await chosenIn(first)).toEqual(now);
  moves.push({ from: 'Docent/workspaces', to: 'Docent/Areas' }, { from: 'Docent/Areas', to: 'Docent/workspaces/All' });
  expect(await chosenIn(later)).toEqual({ ...now, selectedWorkspace: 'Docent/workspaces/All/Boat.md' });
});

it('gives a fork and a clean chat their own copies of images, which stay without the first chat', async () => {
  const vault = fakeVault({});
  const images = imagePorts(vault);
  const logs: MemoryStore['logs'] = new Map([['c1', new Map()]]);
  const own = logPorts(memoryStore(logs, 'a'), { writer: 'a', identifiers: countingIdentifiers('a') });
  const bench = chatBench({ model: scriptedModel([[say('A boat.'), finish()]]) });
  const chats = new OpenChats({ ...bench.allPorts(), images: images.attached }, own);
  const chat = await chats.open('c1');
  const added = await images.attached.add({ name: 'Boat', bytes: makePng(6, 4) }, 'c1');
  if (!chat.ok || !added.ok) throw new Error('Not opened.');
  const missing = { ...added.value, id: 'missing', image: { ...added.value.image!, digest: '0'.repeat(64) } };
  await chat.value.send('What is it?', [added.value, missing]);
  await until(chat.value, rested);
  const [asked] = chat.value.current.items;
  const forked = await chats.fork('c1', asked?.type === 'user' ? asked.id : '');
  const clean = await chats.startClean('c1');
  for (const id of [forked.ok && forked.value, clean.ok && clean.value.conversation]) {
    const copy = await chats.open(String(id));
    const item = copy.ok ? copy.value.current.items[0] : undefined;
    const kept = item?.type === 'user' ? item.mentions.map(({ image }) => image?.conversation) : [];
    expect(kept).toEqual([id, 'c1']);
    expect(images.stored.has(`chats/${String(id)}/${added.value.id}`)).toBe(true);
  }
});

it('notes for the diagnostics what keeps chosen notes and goals from following a renamed note', async () => {
  const store = memoryStore(new Map([['c1', new Map<string, string>()]]), 'a');
  const bench = chatBench({});
  const movesSince = () => [{ from: 'Old.md', to: 'New.md' }];
  const own = logPorts(store, { writer: 'a', identifiers: countingIdentifiers('a') });
  const chats = new OpenChats({ ...bench.allPorts(), movesSince }, own);
  const chat = await chats.open('c1');
  if (!chat.ok) throw new Error(chat.failure.words);
  await chat.value.choose({ contextNotes: ['Old.md'] });
  await chat.value.goals.createGoal('Launch');
  await chat.value.goals.request({ action: 'artifact', path: 'Old.md', change: 'created' });
  store.fault = () => 'lost';
  await chats.moved();
  expect(bench.notes).toEqual([describeFailure(noSpace)]);
  await chats.heard([{ path: 'New.md', oldPath: 'Old.md' }]);
  expect(bench.notes).toEqual([describeFailure(noSpace), describeFailure(noSpace)]);
});
