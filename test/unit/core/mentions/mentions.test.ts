import { mentionSources } from '../../../../src/core/mentions';
import { findTrigger } from '../../../../src/core/mentions/find-trigger';
import type { MentionSource } from '../../../../src/core/mentions/mention-source';
import { noteMentions } from '../../../../src/core/mentions/note';
import { fakeVault } from '../../fakes/fake-vault';

const source = (trigger: MentionSource['trigger']): MentionSource => ({
  id: trigger,
  trigger,
  write: () => '',
  candidates: () => [],
});
const all = (['[[', '/', '@', '#'] as const).map(source);

/** The cursor stands at the bar. */
function at(marked: string): [string, number, string] | null {
  const cursor = marked.indexOf('|');
  const found = findTrigger(marked.replace('|', ''), cursor, all);
  return found && [found.source.trigger, found.from, found.query];
}

describe('finding the mention being typed', () => {
  it.each<[string, [string, number, string] | null]>([
    ['|', null],
    ['[[|', ['[[', 0, '']],
    ['[[no|te', ['[[', 0, 'no']],
    ['see [[My note|', ['[[', 4, 'My note']],
    ['x[[y|', ['[[', 1, 'y']],
    ['[[done]] and|', null],
    ['[[a]] [[b|', ['[[', 6, 'b']],
    ['[[a\nb|', null],
    ['one\n[[a|', ['[[', 4, 'a']],
    ['\n|', null],
    ['/sea|', ['/', 0, 'sea']],
    ['use /sea|', ['/', 4, 'sea']],
    ['and/or|', null],
    ['a / b|', null],
    ['me@home|', null],
    ['@ti|', ['@', 0, 'ti']],
    ['# Heading|', null],
    ['#boa|', ['#', 0, 'boa']],
    ['@a #b|', ['#', 3, 'b']],
    ['[[ x|', ['[[', 0, ' x']],
    [`[[${'x'.repeat(80)}|`, ['[[', 0, 'x'.repeat(80)]],
    [`[[${'x'.repeat(81)}|`, null],
  ])('R175 in %j', (marked, expected) => {
    expect(at(marked)).toEqual(expected);
  });
});

describe('note mentions', () => {
  it('R175 offers notes, the newest first, with their folder', () => {
    const vault = fakeVault({ 'Old.md': '', 'deep/in/New.md': '', 'scan.pdf': new Uint8Array(1) });
    expect(noteMentions.candidates(vault)).toEqual([
      { mention: { kind: 'note', id: 'deep/in/New.md', label: 'New' }, detail: 'deep/in' },
      { mention: { kind: 'note', id: 'Old.md', label: 'Old' }, detail: '' },
    ]);
  });

  it('gives the same list while the vault is unchanged', () => {
    const vault = fakeVault({ 'A.md': '' });
    const first = noteMentions.candidates(vault);
    expect(noteMentions.candidates(vault)).toBe(first);
    vault.put('B.md', '');
    expect(noteMentions.candidates(vault)).toHaveLength(2);
  });

  it('is written as a link', () => {
    const mention = { kind: 'note' as const, id: 'a/B.md', label: 'B' };
    expect(noteMentions.write({ mention, detail: '' })).toBe('[[B]]');
  });

  it('R175 has one source for each trigger', () => {
    expect(new Set(mentionSources.map(({ trigger }) => trigger)).size).toBe(mentionSources.length);
  });
});
