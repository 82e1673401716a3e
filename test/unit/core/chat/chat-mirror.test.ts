/** Notes that follow their chats: made, continued, named, left to the user, and taken away. */
import { ChatMirror, type ChatNoteFiles } from '../../../../src/core/chat/chat-note';
import { activeContentIn, newHosts } from '../../../../src/core/writing/guard/active-content';
import { type Failure, succeed } from '../../../../src/core/ports/failure';
import type { EntryBody } from '../../../../src/core/session/entry';
import { SessionLog } from '../../../../src/core/session/session-log';
import { answer, user } from '../../../support/entries';
import { countingIdentifiers, digest, logPorts, memoryStore } from '../../../support/memory-ports';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';

interface Bench {
  readonly notes: Map<string, string>;
  readonly failures: Failure[];
  readonly mirror: ChatMirror;
  readonly writes: string[];
  /** Adds entries to a chat and brings its note up to date. */
  say(chat: string, ...bodies: EntryBody[]): Promise<void>;
  /** Runs what waits. */
  pass(): void;
  turnOn(on: boolean): void;
}

/** @param reads whether the app has read the properties of the notes */
function bench(notes = new Map<string, string>(), reads = true): Bench {
  const store = memoryStore();
  const failures: Failure[] = [];
  const writes: string[] = [];
  const waiting: (() => void)[] = [];
  let isOn = true;
  const chatOf = (text: string): unknown => /^chat: "?([^"\n]*)"?$/m.exec(text)?.[1];
  const files: ChatNoteFiles = {
    folder: () => 'Docent/chats',
    list: () => [...notes].map(([path, text]) => ({ path, chat: reads ? chatOf(text) : undefined })),
    read: (path) => Promise.resolve(notes.get(path) ?? null),
    write: ({ path }, remake) => {
      const text = remake(notes.get(path) ?? null);
      if (text !== null && text !== notes.get(path)) writes.push(path);
      if (text !== null) notes.set(path, text);
      return Promise.resolve(succeed(undefined));
    },
    move: (_chat, from, to) => {
      notes.set(to, notes.get(from) ?? '');
      notes.delete(from);
      return Promise.resolve(succeed(undefined));
    },
    trash: (_chat, path, isOwn) => {
      if (isOwn(notes.get(path) ?? '')) notes.delete(path);
      return Promise.resolve(succeed(undefined));
    },
  };
  const mirror = new ChatMirror({
    files,
    chats: { store, digest },
    isOn: () => isOn,
    failed: (failure) => void failures.push(failure),
    after: (_milliseconds, act) => {
      waiting.push(act);
      return () => void waiting.splice(waiting.indexOf(act), 1);
    },
  });
  const logs = new Map<string, SessionLog>();
  const ports = logPorts(store, { identifiers: countingIdentifiers() });
  return {
    ...{ notes, failures, mirror, writes },
    say: async (chat, ...bodies) => {
      const log = logs.get(chat) ?? SessionLog.start(chat, ports);
      logs.set(chat, log);
      for (const body of bodies) await log.append(body);
      await mirror.update(chat);
    },
    pass: () => waiting.splice(0).forEach((act) => act()),
    turnOn: (on) => void (isOn = on),
  };
}

const titled = (title: string): EntryBody => ({ kind: 'title', title });
const names = ({ notes }: Bench): string[] => [...notes.keys()].map((path) => path.replace('Docent/chats/', '')).sort();
const textOf = ({ notes }: Bench, name: string): string => notes.get(`Docent/chats/${name}.md`) ?? '';

it('goes on with the note of a chat, and writes nothing if nothing is new', async () => {
  const at = bench();
  await at.say('c1', user('Which anchor?'), answer('A **Bruce**.'));
  expect(names(at)).toEqual(['Which anchor.md']);
  expect(textOf(at, 'Which anchor')).toMatch(
    /^---\ntitle: "Which anchor\?"\n[^]*\nchat: "c1"\ndocent-seal: d[0-9a-f]{16}\n---\n\n## /,
  );
  await at.say('c1', user('Since when?'), answer('Since 2019.'));
  expect(textOf(at, 'Which anchor')).toContain('Since 2019.');
  await at.mirror.update('c1');
  expect([at.writes.length, at.failures]).toEqual([2, []]);
});

it('writes no note of a chat without messages', async () => {
  const at = bench();
  await at.say('c1', titled('Empty'));
  expect(names(at)).toEqual([]);
});

it.each([true, false])('finds the note again after a restart, also before the app has read it (%s)', async (reads) => {
  const at = bench(undefined, reads);
  await at.say('c1', user('Which anchor?'), answer('A Bruce.'));
  const later = bench(at.notes, reads);
  await later.say('c1', user('Which anchor?'), answer('A Bruce.'), user('Why?'), answer('It holds.'));
  expect(names(later)).toEqual(['Which anchor.md']);
  expect(textOf(later, 'Which anchor')).toContain('It holds.');
});

it.each([' (conflicted copy 2026-11-24)', ' 2', '.sync-conflict-20261124-101010-ABCDEFG', ' (1)', '-LAPTOP-ABC1234'])(
  'goes on in the note itself after a restart, and not in the version “%s” that a sync service stored next to it',
  async (mark) => {
    const at = bench();
    await at.say('c1', user('Which anchor?'), answer('A Bruce.'));
    const copy = textOf(at, 'Which anchor');
    const notes = new Map([[`Docent/chats/Which anchor${mark}.md`, copy], ...at.notes]);
    const later = bench(notes);
    await later.say('c1', user('Which anchor?'), answer('A Bruce.'), user('Why?'), answer('It holds.'));
    expect(textOf(later, 'Which anchor')).toContain('It holds.');
    expect([textOf(later, `Which anchor${mark}`), notes.size]).toEqual([copy, 2]);
  },
);

it('keeps notes of chats with one title apart', async () => {
  const at = bench();
  for (const chat of ['c1', 'c2', 'c3']) await at.say(chat, user('Hello'), answer(`I am ${chat}.`));
  expect(names(at)).toEqual(['Hello 2.md', 'Hello 3.md', 'Hello.md']);
  await at.say('c2', user('Again'), answer('Still c2.'));
  expect([textOf(at, 'Hello 2').includes('Still c2.'), at.notes.size]).toEqual([true, 3]);
});

it('follows a new title, unless the user gave the note a name', async () => {
  const at = bench();
  await at.say('c1', user('Which anchor?'), answer('A Bruce.'));
  await at.say('c1', titled('Ground: tackle/#1'));
  expect(names(at)).toEqual(['Ground tackle 1.md']);
  await at.say('c2', user('Hello'), answer('Hi.'));
  await at.say('c2', titled('Ground tackle 1'));
  expect(names(at)).toEqual(['Ground tackle 1 2.md', 'Ground tackle 1.md']);
  at.notes.set('Docent/chats/My anchor.md', textOf(at, 'Ground tackle 1'));
  at.notes.delete('Docent/chats/Ground tackle 1.md');
  await at.say('c1', titled('Chain'));
  expect(names(at)).toEqual(['Ground tackle 1 2.md', 'My anchor.md']);
  expect(textOf(at, 'My anchor')).toContain('title: "Chain"');
});

it('leaves a note that the user has changed, and goes on in a new one', async () => {
  const at = bench();
  await at.say('c1', user('Which anchor?'), answer('A Bruce.'));
  const own = textOf(at, 'Which anchor').replace('A Bruce.', 'A Bruce. (Sold!)');
  at.notes.set('Docent/chats/Which anchor.md', own);
  await at.say('c1', user('Why?'), answer('It holds.'));
  expect(names(at)).toEqual(['Which anchor 2.md', 'Which anchor.md']);
  expect(textOf(at, 'Which anchor')).toBe(own);
  await at.say('c1', user('More'), answer('Chain.'));
  expect([textOf(at, 'Which anchor 2').includes('Chain.'), at.notes.size]).toEqual([true, 2]);
});

it('keeps properties that the user adds, and does not mind tidied blanks', async () => {
  const at = bench();
  await at.say('c1', user('Which anchor?'), answer('A Bruce.'));
  const tidied = textOf(at, 'Which anchor')
    .replace('title: "Which anchor?"', 'title: Which anchor?')
    .replace('\n---\n\n', '\ntags:\n  - boat\n- not a key\nstatus: done\n---\n')
    .replaceAll('\n', '\r\n');
  at.notes.set('Docent/chats/Which anchor.md', tidied);
  await at.say('c1', user('Why?'), answer('It holds.'));
  expect(names(at)).toEqual(['Which anchor.md']);
  expect(textOf(at, 'Which anchor')).toContain('\ntags:\n  - boat\n- not a key\nstatus: done\n---\n');
  expect(textOf(at, 'Which anchor').match(/^title:/gm)).toHaveLength(1);
});

it('keeps comments that the user adds to the properties, in their order and each once', async () => {
  const at = bench();
  await at.say('c1', user('Which anchor?'), answer('A Bruce.'));
  const commented = textOf(at, 'Which anchor')
    .replace('---\ntitle', '---\n# above all\ntitle')
    .replace('\nchat:', '\n# of the boat\nchat:')
    .replace('\n---\n\n', '\n# how far it is\nstatus: done\n# the end\n---\n\n');
  at.notes.set('Docent/chats/Which anchor.md', commented);
  for (const question of ['Why?', 'Since when?']) await at.say('c1', user(question), answer('It holds.'));
  expect(names(at)).toEqual(['Which anchor.md']);
  expect(textOf(at, 'Which anchor')).toMatch(
    /\ndocent-seal: \w+\n# above all\n# of the boat\n# how far it is\nstatus: done\n# the end\n---\n/,
  );
  expect(textOf(at, 'Which anchor').match(/^#\s(?=a|o|h|t)/gm)).toHaveLength(4);
});

it('takes the note of a deleted chat away and writes it again, but never one that the user changed', async () => {
  const at = bench();
  const deleted = (is: boolean): EntryBody => ({ kind: 'chat-list', deleted: is });
  await at.say('c1', user('Which anchor?'), answer('A Bruce.'));
  await at.say('c1', deleted(true));
  expect(names(at)).toEqual([]);
  await at.say('c1', deleted(false));
  expect(textOf(at, 'Which anchor')).toContain('A Bruce.');
  at.notes.set('Docent/chats/Which anchor.md', `${textOf(at, 'Which anchor')}Mine.\n`);
  await at.say('c1', deleted(true));
  expect(names(at)).toEqual(['Which anchor.md']);
});

it('takes a note of another chat, or without a seal, for somebody else’s', async () => {
  const note = '---\nchat: "c1"\n---\nText of mine.\n';
  const at = bench(new Map([['Docent/chats/Which anchor.md', note]]));
  await at.say('c1', user('Which anchor?'), answer('A Bruce.'));
  expect(names(at)).toEqual(['Which anchor 2.md', 'Which anchor.md']);
  expect(textOf(at, 'Which anchor')).toBe(note);
});

const links = [
  'See https://evil.example/a?b=c and [more](http://evil.example).',
  'www.evil.example',
  '[x][y]\n\n[y]: https://evil.example/z',
  '<https://evil.example>',
  '&#104;ttps://evil.example',
  'https:/\\evil.example',
  'hthttps://tps://evil.example',
];

it.each(links)('links to no site from a chat with untrusted text, since nobody is asked: %s', async (text) => {
  const at = bench();
  await at.say('c1', user('q'), { kind: 'tainted', source: 'Clippings/Page.md' }, answer(`Before. ${text}`));
  const note = textOf(at, 'q');
  expect(newHosts('', note)).toEqual([]);
  expect(activeContentIn('Chat.md', note)).toEqual([]);
});

it('keeps the links of other chats', async () => {
  const at = bench();
  await at.say('c1', user('q'), answer(links.join('\n\n')));
  expect(newHosts('', textOf(at, 'q'))).toEqual(['evil.example', 'www.evil.example']);
});

it.each(['x'.repeat(2000), '<b>"\\ \n---\n```dataviewjs\n[[x]] #y', '---', "''"])(
  'bears any title: %j',
  async (title) => {
    const at = bench();
    await at.say('c1', user('q'), answer('a'), titled(title));
    await at.say('c1', user('r'), answer('b'));
    expect(at.notes.size).toBe(1);
    expect(activeContentIn('Chat.md', [...at.notes.values()].join())).toEqual([]);
  },
);

it('waits until a chat rests, once for many changes, and not at all while the setting is off', async () => {
  const at = bench();
  await at.say('c1', user('q'), answer('a'));
  at.notes.clear();
  at.turnOn(false);
  at.mirror.touched('c1');
  at.pass();
  await at.mirror.update('none');
  expect(names(at)).toEqual([]);
  at.turnOn(true);
  for (let change = 0; change < 5; change += 1) at.mirror.touched('c1');
  at.pass();
  await at.mirror.update('none');
  expect([names(at), at.writes.length]).toEqual([['q.md'], 2]);
});

it('takes time in proportion to the properties of a note', async () => {
  const noteWith = (count: number): string =>
    `---\nchat: "c1"\n${'key: value\n  - item\n:\n'.repeat(count)}---\nText.\n`;
  const cost = (count: number) => async (): Promise<void> => {
    const at = bench(new Map([['Docent/chats/q.md', noteWith(count)]]));
    await at.say('c1', user('q'), answer('a'));
  };
  // A square would be sixteen times as much.
  await expectGrowthBelow(9, cost(8000), cost(2000));
});

it('writes nothing any more once it is closed', async () => {
  const at = bench();
  await at.say('c1', user('q'), answer('a'));
  at.notes.clear();
  at.mirror.touched('c1');
  at.mirror.close();
  at.pass();
  await at.mirror.update('none');
  expect(names(at)).toEqual([]);
});

it('reports a note that cannot be read, and goes on with the next one', async () => {
  const at = bench();
  const { notes } = at;
  const get = notes.get.bind(notes);
  notes.get = () => {
    throw new Error('EBUSY');
  };
  await at.say('c1', user('q'), answer('a'));
  expect(at.failures.map(({ words }) => words)).toEqual([expect.stringContaining('EBUSY')]);
  notes.get = get;
  await at.say('c1', answer('b'));
  expect([names(at), at.failures.length]).toEqual([['q.md'], 1]);
});

it.each([
  ["Mike's boat", "'Mike''s boat'"],
  ['Which anchor', '"Which anchor\\?"'],
])('follows a new title where another plugin wrote the old one of %s in its own way', async (title, written) => {
  const at = bench();
  await at.say('c1', user('q'), answer('a'), titled(title));
  const text = textOf(at, title).replace(/^title: .*$/m, () => `title: ${written}`);
  at.notes.set(`Docent/chats/${title}.md`, text.replace('chat: "c1"', "chat: 'c1'"));
  await at.say('c1', titled('Chain'));
  expect(names(at)).toEqual(['Chain.md']);
});
