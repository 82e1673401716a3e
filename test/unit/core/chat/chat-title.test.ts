/** What a chat is called. */
import { titleOfOpen } from '../../../../src/core/chat/chat-title';

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
