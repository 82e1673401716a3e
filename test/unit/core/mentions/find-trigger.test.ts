import { findTrigger } from '../../../../src/core/mentions/mention-source';

const triggers = ['[[', '/', '@', '#'] as const;

/** Finds the trigger in a text where `|` marks the cursor. */
function at(marked: string): [string, number, string] | null {
  const cursor = marked.indexOf('|');
  const found = findTrigger(marked.replace('|', ''), cursor, triggers);
  return found && [found.trigger, found.from, found.query];
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
    ['[[ x|', ['[[', 0, ' x']],
    ['[[Note#|', ['[[', 0, 'Note#']],
    ['[[#tag|', ['[[', 0, '#tag']],
    ['[[Note#^b|', ['[[', 0, 'Note#^b']],
    ['[[and/or|', ['[[', 0, 'and/or']],
    [`[[${'x'.repeat(80)}|`, ['[[', 0, 'x'.repeat(80)]],
    [`[[${'x'.repeat(81)}|`, null],
    ['/|', ['/', 0, '']],
    ['/sea|', ['/', 0, 'sea']],
    ['use /sea|', ['/', 4, 'sea']],
    ['one\n/sea|', ['/', 4, 'sea']],
    ['/stop now|', null],
    ['and/or|', null],
    ['a / b|', null],
    ['@|', ['@', 0, '']],
    ['@ti|', ['@', 0, 'ti']],
    ['@tidy up|', ['@', 0, 'tidy up']],
    ['me@home|', null],
    ['#boa|', ['#', 0, 'boa']],
    ['# Heading|', null],
    ['(#boa|', null],
    ['@a #b|', ['#', 3, 'b']],
  ])('R175 in %j', (marked, expected) => {
    expect(at(marked)).toEqual(expected);
  });

  it.each([
    ['see [[Note|my text', 'Note', '|my text'],
    ['[[Note#Part|a|b', 'Note#Part', '|a|b'],
    ['[[|', '', '|'],
    ['@a|b', 'a|b', ''],
  ])('R175 sets apart the text that the link will show in %j', (text, query, shown) => {
    expect(findTrigger(text, text.length, triggers)).toMatchObject({ query, shown });
  });
});
