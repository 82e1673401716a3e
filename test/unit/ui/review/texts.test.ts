/** What a review draws of texts: rows, words, cells, properties, and what the eye would miss. */
import fc from 'fast-check';
import { textAfter, textBefore } from '../../../../src/core/writing/changeset/changeset';
import type { WordPart } from '../../../../src/core/writing/changeset/diff';
import { joinChangedWords } from '../../../../src/ui/components/changed-text';
import { clip, markText } from '../../../../src/ui/render/visible-text';
import { editableText, textWithEdit } from '../../../../src/ui/review/edit-text';
import { findingsOf } from '../../../../src/ui/review/findings';
import { contextOf, truncateParts, initialLimit, rowsOfHunk, rowsOfText } from '../../../../src/ui/review/hunk-rows';
import { propertyRowsOf } from '../../../../src/ui/review/properties';
import { cellsOf, tableOf } from '../../../../src/ui/review/hunk-section';
import { changeOf, createOf, editOf } from './fake-reviews';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';

const room = { lines: 1_000, characters: 100_000 };
/** A row as `sign number: text`, with [-what goes-] and {+what comes+}. */
function drawn(before: string, after: string, index = 0): string[] {
  const { hunks } = editOf(before, after);
  const hunk = hunks[index];
  if (hunk === undefined) throw new Error('No such hunk.');
  const { rows } = rowsOfHunk(hunk, room);
  const context = contextOf(before, hunks, index);
  return [...context.before, ...rows, ...context.after].map(({ kind, line, parts }) => {
    const text = parts.map((part) => {
      const shown = part.text.replace('\n', '↵');
      if (kind !== 'changed' || part.kind === 'same') return shown;
      return part.kind === 'removed' ? `[-${shown}-]` : `{+${shown}+}`;
    });
    return `${kind} ${line ?? ''}: ${text.join('')}`;
  });
}

describe('rows', () => {
  it('shows the words of a line that change, with their lines and two lines around', () => {
    const before = 'One.\nTwo.\nThree.\nThe keel bolts should be looked at.\nFive.\nSix.\nSeven.\n';
    expect(drawn(before, before.replace('should be looked at', 'must be replaced'))).toEqual([
      'context 2: Two.',
      'context 3: Three.',
      'changed 4: The keel bolts [-should-]{+must+} be [-looked at-]{+replaced+}.↵',
      'context 5: Five.',
      'context 6: Six.',
    ]);
  });

  it('shows lines as removed and added where they have little in common', () => {
    expect(drawn('# Title\nVarnish the mast.\n', '# Title\nCall Ines about the crane tomorrow.\n')).toEqual([
      'context 1: # Title',
      'removed 2: Varnish the mast.',
      'added 2: Call Ines about the crane tomorrow.',
    ]);
  });

  it('numbers the lines of a note that is made or deleted from the first on', () => {
    for (const kind of ['added', 'removed', 'same'] as const) {
      const { rows } = rowsOfText(kind, 'a\nb\n', room);
      expect(rows.map((row) => [row.kind, row.line])).toEqual([
        [kind, 1],
        [kind, 2],
      ]);
    }
  });

  it('numbers lines as they are after, and removed ones as they were', () => {
    const before = 'a one\nb two\nc three\nd four\ne five\nf six\ng seven\n';
    expect(drawn(before, 'x new\na one\nb two\nc three\nd four\ne five\ng seven\n', 1)).toEqual([
      'context 5: d four',
      'context 6: e five',
      'removed 6: f six',
      'context 7: g seven',
    ]);
  });

  it('shows no line around twice between two hunks', () => {
    const before = 'one\ntwo\nthree\nfour\nfive\n';
    const after = before.replace('one', 'first').replace('five', 'fifth');
    expect(drawn(before, after, 0).filter((row) => row.startsWith('context'))).toEqual(['context 2: two']);
    expect(drawn(before, after, 1).filter((row) => row.startsWith('context'))).toEqual([
      'context 3: three',
      'context 4: four',
    ]);
  });

  it('says where a line is broken in two or joined', () => {
    expect(drawn('The hull is sound. The mast is not.\n', 'The hull is sound.\n\nThe mast is not.\n')).toEqual(
      ['changed 1: The hull is sound.[- -]{+↵+}', 'added 2: ', 'changed 3: The mast is not.↵'].map((row) =>
        row.replace('changed 3', 'same 3').replace('not.↵', 'not.'),
      ),
    );
  });

  it('loses no character of either side', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b ', 'c\n', 'é', ' ', '\r\n', 'ا', '|'), maxLength: 40 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        for (const hunk of editOf(before, after).hunks) {
          const joined = joinChangedWords(hunk.words ?? []);
          const side = (other: WordPart['kind']): string =>
            joined
              .filter(({ kind }) => kind !== other)
              .map((part) => part.text)
              .join('');
          expect([side('added'), side('removed')]).toEqual([hunk.removed, hunk.added]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps words of other scripts whole', () => {
    const parts = joinChangedWords(editOf('الميناء القديم طوال', 'الميناء الجديد طوال').hunks[0]?.words ?? []);
    expect(parts).toEqual([
      { kind: 'same', text: 'الميناء ' },
      { kind: 'removed', text: 'القديم' },
      { kind: 'added', text: 'الجديد' },
      { kind: 'same', text: ' طوال' },
    ]);
  });
});

describe('long texts', () => {
  it('cuts by lines and says how many are left', () => {
    const text = Array.from({ length: 100 }, (_, index) => `line ${index}\n`).join('');
    const { rows, left } = rowsOfText('added', text, { lines: 60, characters: 8_000 });
    expect([rows.length, rows.at(-1)?.parts[0]?.text, left]).toEqual([60, 'line 59', { lines: 40, characters: 0 }]);
  });

  it('cuts one endless line by characters, and never between the halves of one', () => {
    const { parts, left } = truncateParts([{ kind: 'added', text: '😀'.repeat(50) }], { lines: 9, characters: 21 });
    expect([parts[0]?.text, left]).toEqual(['😀'.repeat(10), { lines: 0, characters: 80 }]);
  });

  it('draws what is cut and what is left as the whole', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\n', 'word ', '\r\n'), maxLength: 60 }),
        fc.nat(8),
        (text, lines) => {
          const { parts, left } = truncateParts([{ kind: 'same', text }], { lines: lines + 1, characters: 30 });
          const shown = parts.map((part) => part.text).join('');
          expect(text.startsWith(shown)).toBe(true);
          expect(left.lines + left.characters === 0).toBe(shown === text);
          expect(shown.length).toBeLessThanOrEqual(30);
          expect(shown.length > 0 || text === '').toBe(true);
        },
      ),
    );
  });

  it('makes the first rows of 3 MB of changed text at once', async () => {
    const lines = (word: string): string =>
      Array.from({ length: 30_000 }, (_, n) => `${word} ${n} `.repeat(6)).join('\n');
    const { hunks } = editOf(lines('before'), lines('after'));
    await expectCostBelow(200, () => rowsOfHunk(hunks[0]!, initialLimit));
    const { rows, left } = rowsOfHunk(hunks[0]!, initialLimit);
    expect(rows.length).toBeLessThanOrEqual(initialLimit.lines);
    expect(left.lines).toBeGreaterThan(50_000);
  });
});

it('cuts a long line above a change between characters', () => {
  const line = `${'a'.repeat(239)}🚢b`;
  expect(drawn(`${line}\nold\n`, `${line}\nnew\n`)[0]).toContain(`${'a'.repeat(239)}…`);
  const fits = 'a'.repeat(240);
  expect(drawn(`${fits}\nold\n`, `${fits}\nnew\n`)[0]).toMatch(/aa$/);
});

describe('marks', () => {
  const marked = (text: string): string =>
    markText(text)
      .map((segment) => (segment.kind === 'plain' ? segment.text : `<${segment.kind} ${segment.text}>`))
      .join('');

  it('draws characters that the eye cannot see, or that turn a line around', () => {
    expect(marked('a\u200bb\u202ec\u00ad')).toBe('a<unseen {U+200B}>b<unseen {U+202E}>c<unseen {U+00AD}>');
    expect(marked('tag \u{e0041}')).toBe('tag <unseen {U+E0041}>');
  });

  it('leaves emoji and letters that need joiners as they are', () => {
    expect(marked('👩‍🚒 می‌خواهم क्‍ष\ttab')).toBe('👩‍🚒 می‌خواهم क्‍ष\ttab');
    expect(marked('pay\u200dpal')).toBe('pay<unseen {U+200D}>pal');
  });

  it('cuts a text between characters, and says how much is left', () => {
    expect(clip('ab🚢cd', 3)).toBe('ab… (+3)');
    expect([clip('abc', 3), clip('abcd', 3)]).toEqual(['abc', 'abc… (+1)']);
  });

  it('marks where links lead', () => {
    expect(marked('See [the yard](https://yard.example/a) and [[Bolts|these]].')).toBe(
      'See [the yard](<target https://yard.example/a>) and [[<target Bolts>|these]].',
    );
    expect(marked('[1]: https://a.example')).toBe('[1]: <target https://a.example>');
    expect(marked('obsidian://open?vault=x')).toBe('<target obsidian://open?vault=x>');
  });
});

describe('tables', () => {
  const table = '| Part | Price |\n| --- | --- |\n| Bolts | 40 |\n| Paint | 85 |\n';
  const change = (after: string) => editOf(table, after).hunks.map((hunk) => tableOf(table, hunk));

  it('shows a changed row cell by cell below its head', () => {
    const [found] = change(table.replace('40', '46'));
    expect(found?.head).toEqual(['Part', 'Price']);
    expect(found?.rows.map(({ kind, line, cells }) => [kind, line, cells.map(({ isChanged }) => isChanged)])).toEqual([
      ['changed', 3, [false, true]],
    ]);
    expect(found?.rows[0]?.cells[1]?.parts).toEqual([
      { kind: 'removed', text: '40' },
      { kind: 'added', text: '46' },
    ]);
  });

  it('shows rows that come and go', () => {
    expect(change(`${table}| Rope | 60 |\n`)[0]?.rows.map(({ kind, line }) => [kind, line])).toEqual([['added', 5]]);
    expect(change(table.replace('| Bolts | 40 |\n', ''))[0]?.rows.map(({ kind }) => kind)).toEqual(['removed']);
  });

  it('pairs rows by their first cell where some were added or removed, in the order of the note', () => {
    const rows = ['| Bolts | 40 |', '| Paint | 85 |', '| Rope | 60 |', '| Oars | 30 |'];
    const textOf = (lines: readonly string[]): string => `| Part | Price |\n| --- | --- |\n${lines.join('\n')}\n`;
    const rowsOf = (kept: readonly string[]): unknown => {
      const { hunks } = editOf(textOf(rows), textOf(kept));
      const tables = hunks.map((hunk) => tableOf(textOf(rows), hunk));
      return tables.flatMap((each) =>
        each?.rows.map(({ kind, line, cells }) => [kind, line, cells.map(({ isChanged }) => isChanged)]),
      );
    };
    expect(rowsOf(['| Rope | 70 |', '| Oars | 30 |'])).toEqual([
      ['removed', 3, [true, true]],
      ['removed', 4, [true, true]],
      ['changed', 3, [false, true]],
    ]);
    expect(rowsOf(['| Bolts | 41 |', '| Tar | 9 |', '| Rope | 70 |'])).toEqual([
      ['changed', 3, [false, true]],
      ['added', 4, [true, true]],
      ['removed', 4, [true, true]],
      ['changed', 5, [false, true]],
      ['removed', 6, [true, true]],
    ]);
  });

  it('leaves to lines what a table would hide or is none', () => {
    expect(change(table.replace('| Bolts | 40 |', '|  Bolts  |  40  |'))).toEqual([null]);
    expect(change(table.replace('| --- | --- |', '| --- | ---: |'))).toEqual([null]);
    expect(
      editOf('| not a table |\n', '| nor this |\n').hunks.map((hunk) => tableOf('| not a table |\n', hunk)),
    ).toEqual([null]);
  });

  it('leaves to lines more than 100 rows, 30 cells in a row, and 20,000 characters', () => {
    const isTable = (text: string, added: string): boolean[] =>
      editOf(text, text + added).hunks.map((hunk) => tableOf(text, hunk) !== null);
    const rowsOf = (count: number): string => Array.from({ length: count }, (_, n) => `| Rope ${n} | 1 |\n`).join('');
    expect([isTable(table, rowsOf(100)), isTable(table, rowsOf(101))]).toEqual([[true], [false]]);
    const rowOf = (cell: string, count: number): string => `${`| ${cell} `.repeat(count)}|\n`;
    const wide = (count: number): boolean[] =>
      isTable(rowOf('a', count) + rowOf('---', count) + rowOf('b', count), rowOf('c', count));
    expect([wide(30), wide(31)]).toEqual([[true], [false]]);
    const long = (length: number): string => `| ${'x'.repeat(length - 9)} | 1 |\n`;
    expect([isTable(table, long(20_000)), isTable(table, long(20_001))]).toEqual([[true], [false]]);
  });

  it('looks for the head of a table in no more than a moment, whatever stands above it', async () => {
    const hunk = editOf('| a | b |\n', '| a | c |\n').hunks[0];
    if (hunk === undefined) throw new Error('No such hunk.');
    await expectCostBelow(200, () => {
      for (const sign of [' ', '-', '| ']) {
        const above = `${sign.repeat(18_000 / sign.length)}x\n`;
        expect(tableOf(above, { ...hunk, start: above.length })).toBeNull();
      }
    });
  });

  it('reads a bar behind a backslash as text', () => {
    expect(cellsOf('| a \\| b | c |')).toEqual(['a \\| b', 'c']);
  });

  it.each(['| a | b |', 'a | b', '| a | b', 'a | b |', '  a|b  '])('reads the cells of a head that is %j', (head) => {
    expect(cellsOf(head)).toEqual(['a', 'b']);
  });
});

describe('properties', () => {
  const note = '---\nstatus: planned # soon\ntags:\n  - boat\n  - work\ndue: 2026\n---\nText.\n';
  const rowsOf = (after: string) => propertyRowsOf(editOf(note, after));

  it('stand with the hunk whose lines change them', () => {
    const found = rowsOf(note.replace('  - work\n', '  - spring\n').replace('Text.', 'Other text.'));
    expect([...found]).toEqual([
      [0, { rows: [{ key: 'tags', before: ['boat', 'work'], after: ['boat', 'spring'] }], isAll: true }],
    ]);
  });

  it('say when their lines tell more than they do', () => {
    const found = rowsOf(note.replace('planned # soon', 'active # now'));
    expect(found.get(0)?.isAll).toBe(false);
  });

  it.each(['a:b', '"it\'s"', '-x'])('say when a line below them has a key of another form: %s', (key) => {
    const found = rowsOf(note.replace('due: 2026', `due: 2027\n${key}: hidden`));
    expect(found.get(0)?.isAll).toBe(false);
  });

  it.each([500, 501])('say when a value is too long for its row: %i characters', (length) => {
    const [long, item] = ['x', 'y'].map((sign) => sign.repeat(length));
    for (const after of [note.replace('due: 2026', `due: ${long}`), note.replace('- work', `- ${item}`)]) {
      expect(rowsOf(after).get(0)?.isAll).toBe(length === 500);
      expect(propertyRowsOf(editOf(after, note)).get(0)?.isAll).toBe(length === 500);
    }
  });

  it('are all of a list whose items begin at the start of their lines', () => {
    const list = '---\ntags:\n- boat\n\n- work\n---\n';
    const found = propertyRowsOf(editOf(list, list.replace('- work', '- spring')));
    expect(found.get(0)).toMatchObject({ rows: [{ key: 'tags' }], isAll: true });
  });

  it('are none of a hunk that reaches into the text, or that changes no value', () => {
    expect(rowsOf(note.replace('due: 2026\n---\nText.', 'due: 2027\n---\nWords.')).size).toBe(1);
    expect(propertyRowsOf(editOf('Text.\n', '---\nstatus: active\n---\nWords.\n')).size).toBe(0);
    expect(rowsOf(note.replace('status: planned # soon', "status: 'planned'")).size).toBe(0);
  });

  it('are shown for a block that is new', () => {
    const change = editOf('Text.\n', '---\nstatus: active\n---\nText.\n');
    expect(propertyRowsOf(change).get(0)?.rows).toEqual([{ key: 'status', before: undefined, after: 'active' }]);
  });
});

describe('an edit in place', () => {
  it('puts the words of the user in the place of one hunk', () => {
    const before = 'One.\nTwo.\nThree.\n';
    const change = editOf(before, 'First.\nTwo.\nThird.\n');
    expect(editableText(change, 1)).toBe('Third.');
    expect(textWithEdit(change, 1, 'Last.\nVery last.')).toBe('First.\nTwo.\nLast.\nVery last.\n');
    expect(textWithEdit(change, 1, '')).toBe('First.\nTwo.\n');
  });

  it('keeps the line ends of the note, and its end without one', () => {
    const before = 'One.\r\nTwo.\r\nThree.';
    const change = editOf(before, 'One.\r\nTwo.\r\nThird.');
    expect(textWithEdit(change, 0, 'Last.\nVery last.')).toBe('One.\r\nTwo.\r\nLast.\r\nVery last.');
  });

  it('takes the proposed text back unchanged', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'c '), maxLength: 20 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const change = changeOf({ from: 'A.md', to: 'A.md', before, text: after });
        for (const { index } of change.hunks) {
          expect(textWithEdit(change, index, editableText(change, index))).toBe(textAfter(change.change));
        }
        expect(textBefore(change.change)).toBe(before);
      }),
    );
  });

  it('gives a new note other words as a whole', () => {
    expect(textWithEdit(createOf('A.md', 'Text.\n'), null, 'Words.\n')).toBe('Words.\n');
  });
});

it('says what to look at twice, the gravest first', () => {
  const change = changeOf(
    {
      from: 'People/Ines.md',
      to: 'People/Ines.md',
      before: 'Ines runs the crane and knows everybody.\n',
      text: '![x](https://evil.example/p.png)\n\n```dataviewjs\nalert(1)\n```\n',
      taint: 'https://yard.example',
      problems: [
        { kind: 'broken-link', path: 'People/Ines.md', target: 'Crane', line: 3 },
        { kind: 'broken-embed', path: 'Now.md', target: 'Ines', line: 9 },
        { kind: 'lost-anchor', path: 'People/Ines.md', target: 'Ines#Phone', from: 'Start.md' },
        { kind: 'unreadable-properties', path: 'People/Ines.md' },
        { kind: 'lost-task', path: 'People/Ines.md', task: 'Call' },
        { kind: 'unreadable-file', path: 'People/Ines.md' },
      ],
    },
    ['Other.md'],
  );
  expect(findingsOf(change).map(({ severity, words }) => `${severity}: ${words}`)).toEqual([
    'error: Contains text that may run or load something: Dataview',
    'error: Loads images from evil.example',
    'warning: New links to evil.example',
    'warning: Removes 98% of the text',
    'warning: Made after reading untrusted text from https://yard.example',
    'warning: Line 3: the link to “Crane” will be broken.',
    'warning: Now.md, line 9: the embed of “Ines” will be broken.',
    'warning: Start.md links to “Ines#Phone”, which this change removes.',
    'warning: Obsidian won’t be able to read its properties.',
    'warning: Removes this task: Call',
    'warning: Obsidian won’t be able to open this file.',
    'note: A note you didn’t name',
  ]);
  expect(findingsOf(change)[0]?.passages[0]?.passage).toContain('alert(1)');
});

it('marks where 20,000 links lead in time', async () => {
  const text = 'ab://b '.repeat(20_000);
  await expectCostBelow(500, () => expect(markText(text).filter(({ kind }) => kind === 'target')).toHaveLength(20_000));
});
