/** A disk that refuses one operation of a chat, each in turn: nothing that was shown is lost, and all of it is said. */
import { MemoryAdapter } from 'obsidian-workbench/jest';
import type { Chat } from '../../../../src/core/chat/chat';
import { OpenChats } from '../../../../src/core/chat/open-chats';
import { unsavedOf } from '../../../../src/core/ports/device';
import { SessionFiles } from '../../../../src/vault/chat-files';
import { createFilePlace, createUnsavedTexts } from '../../../../src/vault/unsaved-texts';
import { chatBench, rested, until } from '../../../support/chat-bench';
import { countingIdentifiers, logPorts, memoryDevice } from '../../../support/memory-ports';
import { call, finish, say, scriptedModel, type Step } from '../../../support/scripted-model';

/** How a disk refuses, and which operations in turn: every one once, the others as a sample. */
const codes = [
  ['ENOSPC: no space left on device', 1],
  ['EIO: i/o error', 5],
  ['EACCES: permission denied', 7],
] as const;
const touched: readonly string[] = ['append', 'write', 'mkdir', 'list', 'stat', 'read'];

const answers: Step[][] = Array.from({ length: 12 }, (_, index) =>
  index % 3 === 1
    ? [say(`looking ${index} `), call(`k${index}`, 'look', {}), finish('tool-calls')]
    : [say(`answer ${index}`), finish()],
);

/** A session of this device over the adapter. */
async function open(adapter: MemoryAdapter, session: string): Promise<Chat> {
  const device = memoryDevice();
  const unsaved = createUnsavedTexts([createFilePlace(adapter, 'unsaved', null)], device, () => 1);
  const bench = chatBench({ model: scriptedModel(answers), ports: { unsaved }, device });
  const store = new SessionFiles(adapter, () => 'Docent/chats', `a-${session}`);
  const identifiers = countingIdentifiers(session);
  const opened = await new OpenChats(bench.allPorts(), logPorts(store, { writer: 'a', session, identifiers })).open(
    'c1',
  );
  if (!opened.ok) throw new Error(opened.failure.words);
  return opened.value;
}

/** What was said in the chat: messages, and answers with the names of their calls. */
const said = ({ current }: Chat): string[] =>
  current.items.flatMap((item) => {
    if (item.type === 'user') return [`user: ${item.text}`];
    if (item.type !== 'answer') return [];
    return item.parts.map((part) => (part.type === 'tool-call' ? `call: ${part.name}` : `answer: ${part.text}`));
  });

interface Talk {
  readonly shown: readonly string[];
  readonly failures: readonly string[];
  readonly isHit: boolean;
}

/** Two questions, each asked again until it is taken, on a disk that refuses the operation of this number. */
async function talk(adapter: MemoryAdapter, refused: number, code: string): Promise<Talk> {
  let count = 0;
  const chat = await open(adapter, 's1');
  adapter.fault = (operation) => {
    if (!touched.includes(operation)) return 'pass';
    count += 1;
    return count === refused ? new Error(code) : 'pass';
  };
  const failures: string[] = [];
  for (const question of ['one', 'two', 'three']) {
    let sent = await chat.send(question, []);
    if (!sent.ok) {
      failures.push(sent.failure.words);
      sent = await chat.send(question, []);
    }
    expect(sent.ok).toBe(true);
    await until(chat, rested);
  }
  const inChat = chat.current.items.flatMap((item) => (item.type === 'failure' ? [item.failure.words] : []));
  failures.push(...inChat, ...(chat.current.notice == null ? [] : [chat.current.notice]));
  adapter.fault = null;
  return { shown: said(chat), failures, isHit: count >= refused };
}

describe('a disk that refuses one operation of a chat', () => {
  it.each(codes)('F5 loses nothing that was shown, and says so: %s', async (code, step) => {
    let hits = 0;
    for (let refused = step; ; refused += step) {
      const adapter = new MemoryAdapter();
      const { shown, failures, isHit } = await talk(adapter, refused, code);
      if (!isHit) break;
      hits += 1;
      const again = await open(adapter, 's2');
      expect({ refused, said: said(again) }).toEqual({ refused, said: shown });
      expect(shown.filter((line) => line.startsWith('user'))).toEqual(['user: one', 'user: two', 'user: three']);
      for (const words of failures) expect(words).toContain(code);
    }
    expect(hits * step).toBeGreaterThan(30);
  });

  it('keeps answering and says why while the disk takes nothing after the message', async () => {
    const adapter = new MemoryAdapter();
    const chat = await open(adapter, 's1');
    expect((await chat.send('one', [])).ok).toBe(true);
    adapter.fault = (operation) => (operation === 'append' || operation === 'write' ? new Error('ENOSPC') : 'pass');
    await until(chat, rested);
    const failed = chat.current.items.flatMap((item) => (item.type === 'failure' ? [item.failure] : []));
    expect(failed[0]?.words).toMatch(/Couldn’t save.*ENOSPC/);
    expect(failed[0]?.remedy).toMatch(/Free up/);
    adapter.fault = null;
    expect((await chat.send('two', [])).ok).toBe(true);
    await until(chat, rested);
    expect(said(await open(adapter, 's2'))).toEqual(said(chat));
  });

  it('gives a message back to the box when the disk refuses it, and stores it once when it is sent again', async () => {
    const adapter = new MemoryAdapter();
    const chat = await open(adapter, 's1');
    // The lines are written, and the answer to that is lost.
    const { write } = adapter;
    adapter.write = async (...given) => {
      await write.apply(adapter, given);
      throw new Error('EIO: i/o error');
    };
    expect((await chat.send('one', [])).ok).toBe(false);
    adapter.write = write;
    expect((await chat.send('one', [])).ok).toBe(true);
    await until(chat, rested);
    const again = await open(adapter, 's2');
    expect(said(again).filter((line) => line === 'user: one')).toHaveLength(1);
  });

  it('says a storage that throws in words, as a value', async () => {
    const device = {
      ...memoryDevice(),
      set: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    };
    const stored = await unsavedOf({ device }).write('draft-a', 'text');
    expect(stored.ok).toBe(false);
  });
});
