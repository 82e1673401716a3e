/** What a chat is called. */
import { givenTitle, titleIn, titleOfOpen } from '../../../../src/core/chat/chat-title';
import { entry } from '../../../support/entries';

describe('the title of an open chat', () => {
  const items = [
    { type: 'user', id: '1', text: ' ', mentions: [] },
    { type: 'user', id: '2', text: 'Which boat\n is blue?', mentions: [] },
  ] as const;
  const listed = { title: 'Which boat is red?' };

  it('follows its first message, whatever the list knew of it', () => {
    expect([titleOfOpen({ items }, listed), titleOfOpen({ items }, null)]).toEqual([
      'Which boat is blue?',
      'Which boat is blue?',
    ]);
  });

  it('is the one that the chat itself has, whatever the list knew of it', () => {
    const old = { title: 'Old' };
    expect([old, listed, null].map((known) => titleOfOpen({ items, title: 'New' }, known))).toEqual([
      ...['New', 'New', 'New'],
    ]);
    expect(titleOfOpen({ items, title: '' }, old)).toBe('Which boat is blue?');
  });

  it('is that of the list while only the end of the chat is read, and before the first message', () => {
    expect(titleOfOpen({ items, isReading: true }, listed)).toBe('Which boat is red?');
    expect(titleOfOpen({ items: [] }, listed)).toBe('Which boat is red?');
    expect([titleOfOpen(null, null), titleOfOpen({ items, isReading: true }, null)]).toEqual(['', '']);
  });
});

describe('the title of a chat that has none', () => {
  it.each([
    ['is the first line of its message', 'Sort  my\nnotes', 'Sort my notes'],
    [
      'names notes as Obsidian shows them',
      'Sort [[Boats/Keel]] and [[A|the mast]] and [[B]]',
      'Sort Keel and the mast and B',
    ],
    ['is whole with 80 characters', 'x'.repeat(80), 'x'.repeat(80)],
    ['is cut to 80 with more', 'x'.repeat(81), `${'x'.repeat(79)}\u2026`],
    ['is cut without a blank at its end', `${'x'.repeat(78)} yz`, `${'x'.repeat(78)}\u2026`],
    ['is cut before an emoji that has no room', `${'x'.repeat(78)}🌊🌊`, `${'x'.repeat(78)}\u2026`],
  ])('%s', (_what, text, title) => {
    expect(titleOfOpen({ items: [{ type: 'user', id: '1', text, mentions: [] }] }, null)).toBe(title);
  });
});

describe('a title that came with a chat of somebody else', () => {
  it.each([
    ['reorders nothing after it', 'Gears\u202e\u2067 and \u2066winches', 'Gears and winches'],
    ['hides nothing', 'Ge\u200bars\u0000\u3164\ufeff', 'Ge ars'],
    ['is one line', 'Gears\u2028Applied.\r\n\u0085Approved by you', 'Gears Applied. Approved by you'],
    ['has whole characters', 'Gears \ud83d and \udc00', 'Gears and'],
    ['covers no other line', `Ge${'\u0301\u0489'.repeat(2_000)}ars`, `Ge${'\u0301\u0489'.repeat(4)}`],
    ['is a title in any script', 'می\u200cخواهم שלום क्\u200dष 👩\u200d🔧', 'می\u200cخواهم שלום क्\u200dष 👩\u200d🔧'],
    ['is no longer than one by hand', 'x'.repeat(100_000), `${'x'.repeat(200)}\u2026`],
  ])('%s', (_what, title, shown) => {
    for (const by of ['user', 'model'] as const) {
      const named = entry({ kind: 'title', title, ...(by === 'model' && { by }) });
      expect(givenTitle([named])).toBe(shown);
      expect(titleIn([entry({ kind: 'user', text: 'Which?', mentions: [] }), named]).title).toBe(shown);
    }
    const derived = titleOfOpen({ items: [{ type: 'user', id: '1', text: title, mentions: [] }] }, null);
    expect(derived.replace(/\u2026$/, '')).toBe(shown.slice(0, derived.endsWith('\u2026') ? 79 : undefined));
  });
});
