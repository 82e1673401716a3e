import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';
import { element, write } from '../../../../src/core/markup/markup';
import type { Message } from '../../../../src/core/ports/message';
import { unavailable } from '../../../../src/core/prompt/sections/notes';
import { createBuiltInReader } from '../../../../src/models/built-in-reader/built-in-reader';
import { words } from '../../../../src/text';
import { fakeVault } from '../../../support/fake-vault';
import { askReader, planOf } from './ask-reader';

const vault = fakeVault({
  'Boat/Engine.md':
    '# Engine\nThe impeller was changed in May by Callum.\n\n## Cooling: water & oil\nThe thermostat opens at 62 degrees.\n\n```\ncode\n```',
  'Boat/Keel.md': '# Keel\nBolts three and five were wasted.',
  'Food/Rye [loaf] #2.md': 'Bake the rye at 250 degrees.',
  'Food/Stew.md':
    '# Stew\nStew takes eighteen minutes in the pressure cooker. It feeds four people.\n\n## Notes\nUse barley, not rice, and add the carrots late.',
});

describe('an answer', () => {
  it('quotes the passage and links to its heading', async () => {
    const { text, sources, calls } = await askReader(vault, 'When does the thermostat open?');
    expect(text).toBe(
      `${words.reader.leadOne('Engine')} ${words.reader.honest}\n\n` +
        '> The thermostat opens at 62 degrees.\n>\n> ```\n> code\n> ```\n\n' +
        '[[Boat/Engine#Cooling water & oil|Engine > Cooling: water & oil]]',
    );
    expect(sources).toEqual(['Boat/Engine.md']);
    expect(calls.map((call) => [call.name, JSON.parse(call.argumentsText)])).toEqual([
      ['search_notes', { query: 'When does the thermostat open?' }],
    ]);
  });

  it('quotes nothing that no tool gave', async () => {
    for (const question of ['impeller', 'bolts wasted', 'degrees', 'summarise Stew', 'rye']) {
      const { quoted, results } = await askReader(vault, question);
      expect(quoted.length).toBeGreaterThan(0);
      const given = results.map((result) => result.text).join('\n');
      for (const line of quoted) expect(given).toContain(line);
    }
  });

  it('says once a chat that it is no language model', async () => {
    const first = await askReader(vault, 'impeller');
    expect(first.text).toContain(words.reader.honest);
    const second = await askReader(vault, 'bolts', { before: first.messages });
    expect(second.text).toContain('> Bolts three and five');
    expect(second.text).not.toContain(words.reader.honest);
  });

  it('links to a name that no wikilink can hold', async () => {
    const { text } = await askReader(vault, 'bake the rye');
    expect(text).toContain('](Food/Rye%20%5Bloaf%5D%20%232.md)');
  });

  it('says what it looked for when there is nothing', async () => {
    const { text, sources } = await askReader(vault, 'Who won the football cup?');
    expect(text).toBe(`${words.reader.nothing} ${words.reader.lookedFor(['“football”', '“cup”'])}`);
    expect(sources).toEqual([]);
  });

  it('is the same every time, and streams by sentence', async () => {
    const first = await askReader(vault, 'stew pressure cooker');
    const second = await askReader(vault, 'stew pressure cooker');
    expect(second.events).toEqual(first.events);
    const deltas = first.events.filter((event) => event.type === 'text-delta');
    expect(deltas.length).toBeGreaterThan(3);
  });
});

describe('a follow-up', () => {
  it('borrows the words of the question before', async () => {
    const { messages } = await askReader(vault, 'Who changed the impeller?');
    const { calls, sources } = await askReader(vault, 'And when was it?', { before: messages });
    expect(JSON.parse(calls[0]?.argumentsText ?? '')).toEqual({ query: 'And when was it? changed impeller' });
    expect(sources).toEqual(['Boat/Engine.md']);
    expect(calls[0]?.id).toBe('reader-2');
  });

  it('does not when it stands on its own', async () => {
    const { messages } = await askReader(vault, 'Who changed the impeller?');
    const { calls } = await askReader(vault, 'keel bolts wasted', { before: messages });
    expect(calls[0]?.argumentsText).toContain('"keel bolts wasted"');
  });

  it('drops the borrowed words when they lead nowhere', async () => {
    const { messages } = await askReader(vault, 'What of zebras and giraffes?');
    const { calls, sources } = await askReader(vault, 'And the keel?', { before: messages });
    expect(calls.map((call) => JSON.parse(call.argumentsText).query)).toEqual([
      'keel zebras giraffes',
      'And the keel?',
    ]);
    expect(sources).toEqual(['Boat/Keel.md']);
  });

  it.each<[question: string, query: string]>([
    ['Is the keel in it?', 'keel changed impeller'],
    ['And the keel?', 'keel changed impeller'],
    ['And the keel bolts?', 'keel bolts changed impeller'],
    ['And the wasted keel bolts?', 'And the wasted keel bolts?'],
    ['Where are the keel bolts of it?', 'Where are the keel bolts of it?'],
    ['Where is the keel?', 'Where is the keel?'],
    ['And the impeller?', 'impeller changed'],
    ['Anderson?', 'Anderson?'],
  ])('searches, after a question about the impeller, on %j for %j', async (question, query) => {
    const { messages } = await askReader(vault, 'Who changed the impeller?');
    const { calls } = await askReader(vault, question, { before: messages });
    expect(JSON.parse(calls[0]?.argumentsText ?? '')).toEqual({ query });
  });

  it('borrows from the newest questions until there are enough words', async () => {
    const first = await askReader(vault, 'What of zebras and giraffes?');
    const second = await askReader(vault, 'Where is the impeller?', { before: first.messages });
    const third = await askReader(vault, 'And the keel?', { before: second.messages });
    expect(third.calls[0]?.argumentsText).toBe('{"query":"keel impeller zebras giraffes"}');
    const other = await askReader(vault, 'Who changed the impeller?', { before: first.messages });
    const last = await askReader(vault, 'And the keel?', { before: other.messages });
    expect(last.calls[0]?.argumentsText).toBe('{"query":"keel changed impeller"}');
  });

  it('searches twice at the most', async () => {
    const { messages } = await askReader(vault, 'What of zebras and giraffes?');
    const { calls, text } = await askReader(vault, 'And the unicorns?', { before: messages });
    expect(calls.map((call) => JSON.parse(call.argumentsText).query)).toEqual([
      'unicorns zebras giraffes',
      'And the unicorns?',
    ]);
    expect(text).toContain(words.reader.nothing);
  });

  it('searches once for a long question of its own', async () => {
    const long = `${'Zebras and giraffes walk by the water at night. '.repeat(8)}Which unicorns are there?`;
    const { calls } = await askReader(vault, long);
    expect(calls.map((call) => JSON.parse(call.argumentsText).query)).toEqual(['Which unicorns are there?']);
  });
});

const attach = (path: string, text: string): string =>
  write([element('files', {}, element('note', { path }, text))]).text;

describe('attached notes', () => {
  it('come first, unescaped, without a call', async () => {
    const system = attach('Own/A & B.md', '# Own\nThe <thermostat> opens at 80 & more.');
    const { text, calls, sources } = await askReader(vault, 'When does the thermostat open?', { system });
    expect(calls).toEqual([]);
    expect(text).toContain('> The <thermostat> opens at 80 & more.');
    expect(text).toContain(words.reader.leadAttached);
    expect(sources).toEqual(['Own/A & B.md']);
  });

  it('in the message itself are no part of the question', async () => {
    const question = `${attach('Own.md', 'Nothing on topic.')}\n\nWhen does the thermostat open?`;
    const { calls, sources } = await askReader(vault, question);
    expect(calls[0]?.argumentsText).toBe('{"query":"When does the thermostat open?"}');
    expect(sources).toEqual(['Boat/Engine.md']);
  });

  it('answer a question that names them, even when none of its words stand in them', async () => {
    const system = attach('Food/Rye.md', '# Rye\nFive hundred grams of dark flour and a patient starter.');
    const { text, calls } = await askReader(vault, 'Compare [[Rye]] with the thermostat', { system });
    expect(calls).toEqual([]);
    expect(text).toContain('> Five hundred grams of dark flour and a patient starter.');
  });

  it('are what “this note” means', async () => {
    const system = attach('Own.md', '# Own\nA sentence that is long enough to stand in a summary.');
    const { text, calls } = await askReader(vault, 'Please summarise this note', { system });
    expect(calls).toEqual([]);
    expect(text).toContain('> A sentence that is long enough to stand in a summary.\n\n[[Own|Own]]');
  });
});

describe('requests by form', () => {
  it.each([
    ['What is in folder Boat?', 'list_folder', { path: 'Boat' }],
    ['list the notes in Food', 'list_folder', { path: 'Food' }],
    ['What notes are in the “Boat” folder?', 'list_folder', { path: 'Boat' }],
    ['List my folders', 'list_folder', {}],
    ['outline [[Engine]]', 'note_outline', { path: 'Engine' }],
    ['Show me the outline of Engine', 'note_outline', { path: 'Engine' }],
    ['Can you summarize [[Food/Stew|the stew]]?', 'read_note', { path: 'Food/Stew' }],
    ['Give me a summary of Stew', 'read_note', { path: 'Stew' }],
    ['What is in the stew?', 'search_notes', { query: 'What is in the stew?' }],
  ])('%s', async (question, name, args) => {
    const { calls } = await askReader(vault, question);
    expect([calls[0]?.name, JSON.parse(calls[0]?.argumentsText ?? '')]).toEqual([name, args]);
  });

  it('lists a folder', async () => {
    const { text } = await askReader(vault, 'What is in folder Boat?');
    expect(text).toBe(`${words.reader.leadFolder('Boat')}\n\n- [[Boat/Engine|Engine]]\n- [[Boat/Keel|Keel]]`);
    expect((await askReader(vault, 'list my folders')).text).toContain('- `Boat/` (2 notes)');
  });

  it('outlines a note with a link for each heading', async () => {
    const { text } = await askReader(vault, 'outline Engine');
    expect(text).toContain(
      '- [[Boat/Engine#Engine|Engine]]\n  - [[Boat/Engine#Cooling water & oil|Cooling: water & oil]]',
    );
  });

  it('summarises by quoting', async () => {
    const { quoted, sources } = await askReader(vault, 'summarise [[Stew]]');
    expect(quoted).toContain('Use barley, not rice, and add the carrots late.');
    expect(sources).toEqual(['Food/Stew.md', 'Food/Stew.md']);
  });

  it('says when it summarises only the part of a note that it could read', async () => {
    const line = 'The log of the voyage goes on with wind from the west and a calm sea.';
    const files = { 'Log.md': Array.from({ length: 5_000 }, (_, day) => `${line} Day ${day}.`).join('\n') };
    expect((await askReader(fakeVault(files), 'summarise Log')).text).toContain(words.reader.summaryPart);
    expect((await askReader(vault, 'summarise [[Stew]]')).text).not.toContain(words.reader.summaryPart);
  });

  it('searches when there is no such note', async () => {
    const { calls, sources } = await askReader(vault, 'summarise impeller');
    expect(calls.map((call) => call.name)).toEqual(['read_note', 'search_notes']);
    expect(sources).toEqual(['Boat/Engine.md']);
  });

  it.each([
    ['outline impeller', 'note_outline', 'impeller'],
    ['summarise the thermostat', 'read_note', 'the thermostat'],
    ['What is in folder Bolts?', 'list_folder', 'What is in folder Bolts?'],
  ])('after %j, which names no note, looks for what was named', async (question, first, query) => {
    const { calls } = await askReader(vault, question);
    expect(calls.map(({ name }) => name)).toEqual([first, 'search_notes']);
    expect(JSON.parse(calls[1]?.argumentsText ?? '')).toEqual({ query });
  });

  it('looks for what was named where no tool reads a note or lists a folder', async () => {
    const searchOnly = { toolNames: ['search_notes'] };
    const asked = async (question: string) => (await askReader(vault, question, searchOnly)).calls[0]?.argumentsText;
    expect(await asked('outline Keel')).toBe('{"query":"Keel"}');
    expect(await asked('summarise Keel')).toBe('{"query":"Keel"}');
    expect((await askReader(vault, 'list my folders', searchOnly)).text).toBe(words.reader.noTools);
  });

  it('introduces itself', async () => {
    const { text, calls } = await askReader(vault, 'Hello!');
    expect([text, calls]).toEqual([words.reader.introduction, []]);
  });
});

describe('bounds', () => {
  it('says so when it was given no tools', async () => {
    expect((await askReader(vault, 'impeller', { toolNames: [] })).text).toBe(words.reader.noTools);
  });

  it('says so when there is no question', async () => {
    const reader = createBuiltInReader();
    const events = [];
    for await (const event of reader.stream(planOf([]), new AbortController().signal)) events.push(event);
    expect(events).toEqual([
      { type: 'text-delta', text: words.reader.noQuestion },
      { type: 'finish', reason: 'complete' },
    ]);
  });

  it('says so when the search failed or cannot be read', async () => {
    const after = (text: string, isError: boolean): Message[] => [
      { role: 'user', parts: [{ type: 'text', text: 'impeller' }] },
      { role: 'assistant', parts: [{ type: 'tool-call', id: 'a', name: 'search_notes', argumentsText: '{broken' }] },
      { role: 'tool', parts: [{ type: 'tool-result', callId: 'a', name: 'search_notes', text, isError }] },
    ];
    const said = async (messages: Message[]): Promise<string> => {
      let text = '';
      for await (const event of createBuiltInReader().stream(planOf(messages), new AbortController().signal)) {
        if (event.type === 'text-delta') text += event.text;
      }
      return text;
    };
    expect(await said(after('It broke.', true))).toBe(words.reader.searchFailed('It broke.'));
    expect(await said(after('A line.\nAnother.', false))).toBe(words.reader.unreadableResult);
  });

  it('stops without a finish when it is aborted', async () => {
    const { messages } = await askReader(vault, 'stew pressure cooker');
    const stop = new AbortController();
    const events = [];
    for await (const event of createBuiltInReader().stream(planOf(messages.slice(0, -1)), stop.signal)) {
      events.push(event);
      stop.abort();
    }
    expect(events.map((event) => event.type)).toEqual(['text-delta']);
    const none = [];
    for await (const event of createBuiltInReader().stream(planOf(messages), stop.signal)) none.push(event);
    expect(none).toEqual([]);
  });
});

describe('a long question', () => {
  const queryOf = async (text: string): Promise<string> => {
    const plan = planOf([{ role: 'user', parts: [{ type: 'text', text }] }]);
    for await (const event of createBuiltInReader().stream(plan, new AbortController().signal)) {
      if (event.type === 'tool-call') return String((JSON.parse(event.call.argumentsText) as { query: unknown }).query);
    }
    return '';
  };

  it('is searched for by its questions', async () => {
    const filler = 'Some words of a pasted page. '.repeat(20);
    expect(await queryOf(`${filler}When does it open? Who knows! And 何時に？ ${filler}`)).toBe(
      'When does it open?  And 何時に？',
    );
  });

  it.each([
    ['words without punctuation', (length: number) => 'word, '.repeat(length / 6)],
    ['dots', (length: number) => `Why${'.'.repeat(length)}x`],
  ])('of %s is read in linear time', async (_what, text) => {
    await expectGrowthBelow(
      12,
      () => queryOf(text(48_000)),
      () => queryOf(text(6_000)),
    );
  });
});

describe('what it cannot do', () => {
  const attachUnread = (reason: string): string => attach('Boat/Plan.md', `${unavailable}${reason}`);

  it('says why the note that is asked about was not read, and searches for nothing else', async () => {
    const reason = '“Boat/Plan.md” is not a text file.';
    const { text, calls } = await askReader(vault, 'What does [[Plan]] say?', { system: attachUnread(` ${reason}`) });
    expect([text, calls]).toEqual([reason, []]);
    const again = `${attachUnread(` ${reason}`)}\n\nReally, what does [[Plan]] say?`;
    expect((await askReader(vault, again, { system: attachUnread(` ${reason}`) })).text).toBe(reason);
    const bare = await askReader(vault, 'What does [[Plan]] say?', { system: attachUnread('') });
    expect(bare.text).toBe(words.reader.noteUnread('Plan', ''));
    const other = await askReader(vault, 'When does the thermostat open?', { system: attachUnread('') });
    expect(other.sources).toEqual(['Boat/Engine.md']);
  });

  it.each(['Add “Oil” to Engine.md', 'Please rename Now.md to Later.md!', 'could you delete the stew'])(
    'says that it changes nothing when asked to: %s',
    async (asked) => {
      expect((await askReader(vault, asked)).text).toMatch(new RegExp(`${words.reader.readsOnly}$`));
    },
  );

  it.each(['Change of the impeller?', 'Adding carrots', 'stew'])(
    'says no such thing of a search: %s',
    async (asked) => {
      expect((await askReader(vault, asked)).text).not.toContain(words.reader.readsOnly);
    },
  );

  it('counts the notes that it could not search', () => {
    expect([words.reader.unread('1'), words.reader.unread('2')]).toEqual([
      'I couldn’t read one of the notes, so I couldn’t search it.',
      'I couldn’t read 2 of the notes, so I couldn’t search them.',
    ]);
  });
});

it('says in words what went wrong when a request cannot be read', async () => {
  const plan = planOf([]);
  const broken = {
    ...plan,
    get messages(): never {
      throw new Error('Torn.');
    },
  };
  const events = [];
  for await (const event of createBuiltInReader().stream(broken, new AbortController().signal)) events.push(event);
  expect(events).toEqual([
    { type: 'failure', failure: { kind: 'protocol', words: 'Torn.', remedy: words.reader.brokenRemedy } },
  ]);
});
