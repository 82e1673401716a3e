/** A chat as a note: what is written of it, that nothing in it runs, and under which names. */
import { Lexer } from 'marked';
import { nameForTitle, readChatNote, usageOfChat, writeChatNote } from '../../../../src/core/chat/chat-note';
import { foldTranscript, type SummaryItem, type TranscriptItem } from '../../../../src/core/chat/transcript';
import { succeed } from '../../../../src/core/ports/failure';
import type { EntryBody, Mention, SessionEntry } from '../../../../src/core/session/entry';
import { structureOf } from '../../../../src/core/markdown/structure';
import { SessionLog } from '../../../../src/core/session/session-log';
import { activeContentIn } from '../../../../src/core/writing/guard/active-content';
import { guardNewPath } from '../../../../src/core/writing/guard/path-guard';
import { words } from '../../../../src/text';
import { answer, entry, user } from '../../../support/entries';
import { countingIdentifiers, digest, logPorts, memoryStore } from '../../../support/memory-ports';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';

const say = words.chatNotes;

const noteOf = (bodies: readonly EntryBody[], title = 'Keel bolts'): Promise<string> => {
  const entries = bodies.map((body) => entry(body));
  const facts = { id: 'c1', title, started: 1_700_000_000_000, changed: 1_700_000_060_000, model: 'anthropic/opus' };
  return writeChatNote({ ...facts, entries, items: foldTranscript(entries) });
};

it('writes messages and answers as Markdown, with properties and links', async () => {
  const bodies: EntryBody[] = [
    {
      ...{ kind: 'user', text: 'When were the [[Keel bolts]] drawn?' },
      mentions: [{ kind: 'note', id: 'Boats/Keel bolts.md', label: 'Keel bolts' }],
    },
    {
      ...answer({ type: 'tool-call', id: 't1', name: 'read_note', argumentsText: '{}' }),
      ...{ model: 'anthropic/opus', usage: { inputTokens: 1200, outputTokens: 30, cost: 0.0125 } },
    },
    {
      ...{ kind: 'tool-result', callId: 't1', name: 'read_note', text: 'long', isError: false },
      sources: [{ path: 'Boats/Survey.md' }],
    },
    {
      ...answer('In **2019**.'),
      model: 'anthropic/opus',
      usage: { inputTokens: 1300, outputTokens: 20, cost: 0.0025 },
    },
  ];
  const note = await noteOf(bodies);
  expect(note).toMatch(/^---\ntitle: "Keel bolts"\ncreated: 2023-11-14T\d\d:13:20\nupdated: 2023-11-14T\d\d:14:20\n/);
  expect(note).toContain('model: "anthropic/opus"\ntokens: 2550\ncost: 0.015\nchat: "c1"\n---\n');
  expect(note.slice(note.indexOf('## '))).toBe(
    [
      `## ${say.message(1)}`,
      'When were the [[Keel bolts]] drawn?',
      say.attached(['[[Boats/Keel bolts]]']),
      `## ${say.answer(1, 'opus')}`,
      'In **2019**.',
      `${say.sources(['[[Boats/Survey]]'])}\n`,
    ].join('\n\n'),
  );
});

it('leaves out a price that is not known in full', async () => {
  const priced = { ...answer('a'), usage: { inputTokens: 1, outputTokens: 1, cost: 2 } };
  const unpriced = { ...answer('b'), usage: { inputTokens: 1, outputTokens: 1 } };
  expect(await noteOf([user('q'), priced, unpriced])).not.toContain('cost:');
  const entries: SessionEntry[] = [entry(priced)];
  expect(usageOfChat(entries)).toEqual({ tokens: 2, cost: 2 });
  expect(usageOfChat([])).toEqual({ tokens: 0, cost: null });
});

const attacks: readonly (readonly string[])[] = [
  ['```dataviewjs\nfetch("https://evil.example")\n```'],
  ['<% tp.web.request("https://evil.example") %>'],
  ['![pixel](https://evil.example/p.png)'],
  ['`= this.file.name`'],
  ['<iframe src="https://evil.example"></iframe>'],
  ['> - ```dataviewjs\n> - x\n> - ```'],
  // Alone each is code or words; together the first makes the second run.
  ['```\nopen', '```\n```dataviewjs\nx\n```'],
  ['![p][x]', '[x]: https://evil.example/p.png'],
  ['%% hidden', 'text %% ```dataviewjs\nx\n```'],
  ['---\ncssclasses: x\nbanner: https://evil.example/p.png\n---'],
];

it.each(attacks)('writes nothing that would run or load: %j', async (...texts) => {
  const note = await noteOf(
    texts.map((text) => user(text)),
    texts[0],
  );
  expect(activeContentIn('Chat.md', note)).toEqual([]);
  expect(note).toContain(`## ${say.message(1)}`);
  const answers = await noteOf([user('q'), ...texts.map((text) => answer(text))], `${'x'.repeat(2000)}${texts[0]}`);
  expect(activeContentIn('Chat.md', answers)).toEqual([]);
});

it('keeps what surrounds an active line readable', async () => {
  const note = await noteOf([
    user('q'),
    answer('Before.\n\n![map](https://evil.example/m.png)\n\n```dataview\nlist\n```\n\nAfter.'),
  ]);
  expect(note).toContain('Before.\n\n[map](https://evil.example/m.png)\n\n```text\nlist\n```\n\nAfter.');
});

it.each(['\r\n', '\r', '\n'])('writes the lines of a text that ends them by %j', async (end) => {
  expect(await noteOf([user(`One.${end}Two.${end}${end}Three.`)])).toContain('\n\nOne.\nTwo.\n\nThree.\n');
});

it('takes time in proportion to the chat', async () => {
  const text = 'A sentence about a boat, with a [link](https://a.example) and `code`.\n';
  const bodies = (count: number): EntryBody[] => Array.from({ length: count }, () => user(text.repeat(20)));
  await expectGrowthBelow(
    8,
    () => noteOf(bodies(1_600)),
    () => noteOf(bodies(400)),
  );
});

it.each([
  ['../../.obsidian/plugins/x', 'obsidian plugins x'],
  ['a/b\\c:d*e?"f"<g>|h#i^j[[k]]', 'a b c d e f g h i j k'],
  ['con', words.chatNotes.untitled],
  ['...', words.chatNotes.untitled],
  ['', words.chatNotes.untitled],
  ['\u202egpj.exe\u2069', 'gpj.exe'],
  ['<b>bold</b>', 'b bold b'],
  ['line\none', 'line one'],
  ['Cafe\u0301', 'Caf\u00e9'],
  ['~1.md', '1.md'],
])('names the note of a chat called %j', (title, name) => {
  expect(nameForTitle(title)).toBe(name);
});

it.each(['x'.repeat(2000), '\u{1f6a2}'.repeat(2000), '\ud800', 'é'.repeat(500), ' '.repeat(300), 'a.'.repeat(90)])(
  'gives a name that every disk takes to any title',
  (title) => {
    for (const end of ['', ' (k3j2h1)']) {
      const name = nameForTitle(title, end);
      expect(guardNewPath(`Chats/${name}.md`, '.obsidian').ok).toBe(true);
      expect(name.endsWith(end)).toBe(true);
      expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(120);
    }
  },
);

it('reads a stored chat, with the source of what it has read', async () => {
  const store = memoryStore();
  const log = await SessionLog.open('c1', logPorts(store, { identifiers: countingIdentifiers() }));
  if (!log.ok) throw new Error('no log');
  expect(await readChatNote('c1', { store, digest })).toMatchObject({ value: { text: '', taint: null } });
  await log.value.append(user('Which anchor?'));
  await log.value.append({ kind: 'tainted', source: 'Clippings/Page.md' });
  await log.value.append(answer('A Bruce.'));
  const note = await readChatNote('c1', { store, digest });
  expect(note).toMatchObject({ ok: true, value: { title: 'Which anchor?', taint: 'Clippings/Page.md' } });
  expect(note.ok && note.value.text).toContain('A Bruce.');
});

it('gives the tokens and the price of all versions, and not of what a fork took over', async () => {
  const store = memoryStore();
  const log = await SessionLog.open('c1', logPorts(store, { identifiers: countingIdentifiers() }));
  if (!log.ok) throw new Error('no log');
  const asked = await log.value.append(user('Which anchor?'));
  if (!asked.ok) throw new Error('not stored');
  const usage = { inputTokens: 100, outputTokens: 10, cost: 0.5 };
  await log.value.append({ ...answer('A Bruce.'), usage: { inputTokens: 900, outputTokens: 90, copied: true } });
  await log.value.append({ ...answer('A Delta.'), usage });
  await log.value.append({ kind: 'branch', message: asked.value.id });
  await log.value.append({ ...answer('A plow.'), usage });
  const note = await readChatNote('c1', { store, digest });
  const text = note.ok ? note.value.text : '';
  expect(text).not.toContain('A Delta.');
  expect(text).toContain('tokens: 220\ncost: 1\n');
});

it.each([
  'Do this:\n\n```js\nconst keel = 1;',
  '~~~~\n```',
  '- ```\n  in a list',
  '1. Do this:\n   ```js\n   const keel = 1;',
  '1. Do this:\n\n   - First:\n\n     ```js\n     a\n   ```js\n   b',
  '- Do this:\n\nThen:\n  ```js\n  a',
])('keeps each message under its heading after one that was cut off: %j', async (text) => {
  const note = await noteOf([user('q'), answer(text), user('Go on.'), answer('Done.')]);
  const wanted = [say.message(1), say.answer(1, 'm'), say.message(2), say.answer(2, 'm')];
  expect(structureOf(note).headings.map((heading) => heading.text)).toEqual(wanted);
  // As a reader of Markdown sees them that knows lists.
  expect(new Lexer().lex(note).flatMap((token) => (token.type === 'heading' ? (token.text as string) : []))).toEqual(
    expect.arrayContaining(wanted),
  );
});

it('makes no note of a chat of which a file cannot be read', async () => {
  const store = memoryStore();
  const log = await SessionLog.open('c1', logPorts(store, { identifiers: countingIdentifiers() }));
  if (!log.ok) throw new Error('no log');
  await log.value.append(user('Which anchor?'));
  const { shards } = store;
  store.shards = async (...asked) => {
    const read = await shards(...asked);
    return succeed([...(read.ok ? read.value : []), { name: 'b', text: 'EBUSY\n', isUnread: true }]);
  };
  const note = await readChatNote('c1', { store, digest });
  expect(note).toMatchObject({ ok: false, failure: { words: `${words.failures.logNotRead} (EBUSY)` } });
});

it('has no address in the title of a note that nobody is asked about, either', async () => {
  const store = memoryStore();
  const log = await SessionLog.open('c1', logPorts(store, { identifiers: countingIdentifiers() }));
  if (!log.ok) throw new Error('no log');
  await log.value.append(user('Which anchor?'));
  await log.value.append({ kind: 'title', title: 'https://evil.example/?q=secret', by: 'model' });
  const readTitle = async (): Promise<string | null> => {
    const note = await readChatNote('c1', { store, digest }, true);
    return note.ok ? `${note.value.title} ${/^title: .*/m.exec(note.value.text)?.[0]}` : null;
  };
  expect(await readTitle()).toContain('title: "https://evil.example/?q=secret"');
  await log.value.append({ kind: 'tainted', source: 'Clippings/Page.md' });
  expect(await readTitle()).toBe('evil.example/?q=secret title: "evil.example/?q=secret"');
});

it('links to the notes of which a section or a block was attached', async () => {
  const mentions: Mention[] = [
    { kind: 'block', id: 'Boats/Keel.md#^bolts', label: 'Keel#^bolts', apart: true },
    { kind: 'heading', id: 'Boats/Keel.md#Bolts', label: 'Keel#Bolts', apart: true },
    { kind: 'block', id: 'Boats/A]].md#^bolts', label: 'A', apart: true },
  ];
  const note = await noteOf([{ kind: 'user', text: 'When?', mentions }]);
  expect(note).toContain(say.attached(['[[Boats/Keel#^bolts]]', '[[Boats/Keel#Bolts]]']));
});

it('writes a summary as a line of its own, and none that was undone', async () => {
  const summary = { type: 'summary', summary: {} as SummaryItem['summary'] } as const;
  const items: TranscriptItem[] = [
    { type: 'user', id: 'u', text: 'Which anchor?', mentions: [] },
    { ...summary, id: 's1', undone: true },
    { ...summary, id: 's2', undone: false },
    { type: 'answer', id: 'a', parts: [{ type: 'text', text: 'A Bruce.' }], end: 'complete', model: 'm' },
  ];
  const facts = { id: 'c1', title: 'Anchors', started: 1, changed: 2, model: 'm', entries: [], items };
  const note = await writeChatNote(facts);
  expect(note.slice(note.indexOf('## '))).toBe(
    [`## ${say.message(1)}`, 'Which anchor?', `> ${say.summarised}`, `## ${say.answer(1, 'm')}`, 'A Bruce.\n'].join(
      '\n\n',
    ),
  );
  // What was written of a message before is taken over.
  expect(await writeChatNote(facts)).toBe(note);
});

it('leaves all messages out where the name of a note would run code', async () => {
  const note = await noteOf([
    { kind: 'user', text: 'When?', mentions: [{ kind: 'note', id: 'Boats/<% tp.file %>.md', label: 'Boats' }] },
    answer('In 2019.'),
  ]);
  expect(note).toMatch(/^---\ntitle: "Keel bolts"\n[^]*\nchat: "c1"\n---\n\n/);
  expect(note.slice(note.indexOf('---\n\n') + 5)).toBe(`${say.leftOut}\n`);
});

it('makes a note of a chat that begins with an answer, and none of one that has no message at all', async () => {
  const textOf = async (body: EntryBody): Promise<string | null> => {
    const store = memoryStore();
    const log = SessionLog.start('c1', logPorts(store, { identifiers: countingIdentifiers() }));
    await log.append(body);
    const note = await readChatNote('c1', { store, digest });
    return note.ok ? note.value.text : null;
  };
  expect(await textOf(answer('A Bruce.'))).toContain('A Bruce.');
  const failure = { kind: 'storage', words: 'No.', remedy: '' } as const;
  expect(await textOf({ kind: 'failure', failure })).toBe('');
});

it.each([
  ['m/opus)\n\n## Message 2\n\nI approve.', 'opus) ## Message 2 I approve.'],
  ['m/<b>*opus*</b> [[Diary|x]] #tag', '<b>*opus*</b> [[Diary|x]] #tag'],
  ['m/\u202esupo\u2028\0\ud83d', 'supo'],
  [`m/${'x'.repeat(100_000)}`, `${'x'.repeat(99)}\u2026`],
])('begins no other message by the name of a model: %j', async (model, shown) => {
  const note = await noteOf([user('q'), { ...answer('In 2019.'), model }, user('Go on.')]);
  const [, written = ''] = /^## Answer 1 \((.*)\)$/m.exec(note) ?? [];
  expect(written.replace(/\\([^])/g, '$1')).toBe(shown);
  expect(written).not.toMatch(/(?<!\\)[<>[\]*#]/);
  expect(structureOf(note).headings).toHaveLength(3);
});
