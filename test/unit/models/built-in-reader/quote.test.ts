/** What the built-in reader makes of what its tools found: quotes, chosen and cut but never changed, lists, and links. */
import {
  listFolder,
  nothingFound,
  outlineNote,
  quote,
  quotePassages,
  summariseNote,
  titleOf,
} from '../../../../src/models/built-in-reader/answers';
import { words } from '../../../../src/text';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';

const say = words.reader;

it('shows a short passage whole, its empty lines too', () => {
  expect(quote('One.\n\nTwo.', 'two', 100)).toBe('> One.\n>\n> Two.');
});

it('takes the sentences of a long line around the one that holds most of the question', () => {
  const line = 'The quay is old. The crane lifts four tons. It was built in May. Nobody paints it.';
  expect(quote(line, 'How much does the crane lift?', 48)).toBe('> The crane lifts four tons. It was built in May.');
  expect(quote(line, 'How much does the crane lift?', 47)).toBe('> The quay is old. The crane lifts four tons.');
});

it('cuts one sentence that is too long at a word, from its beginning', () => {
  expect(quote('Alpha beta gamma delta epsilon zeta eta', 'gamma', 20)).toBe('> Alpha beta gamma');
  expect(quote(`${'x'.repeat(30)} y`, 'y', 20)).toBe(`> ${'x'.repeat(20)}`);
});

it('looks for the id of a block in proportion to the blanks of a line', async () => {
  const cost = (count: number) => () => void quote(`One.${' '.repeat(count)}two`, 'two', 100);
  await expectGrowthBelow(9, cost(80_000), cost(20_000));
});

it('never cuts a character of two halves', () => {
  expect(quote('😀'.repeat(20), 'anything', 9)).toBe(`> ${'😀'.repeat(4)}`);
  expect(quote(`${'x'.repeat(8)}😀${'y'.repeat(20)}`, 'anything', 9)).toBe(`> ${'x'.repeat(8)}`);
});

it('summarizes a note by its first section and the six that say most of what it is about', () => {
  const sections = Array.from({ length: 12 }, (_, index) => {
    const sentence =
      index % 2 === 1 ? 'The keel and its bolts hold.' : `Zebra${index} yonder${index} xylophone${index}.`;
    return `## Day ${index}\n\n${sentence}`;
  });
  const said = summariseNote('Log.md', `# Log\n\n${sections.join('\n\n')}`, false).join('\n');
  const days = [...said.matchAll(/Day (\d+)/g)].map(([, day]) => Number(day));
  expect(new Set(days).size).toBe(7);
  expect(days).toEqual(expect.arrayContaining([0, 1, 3, 5, 7, 9, 11]));
});

describe('a quote', () => {
  it('grows by whole lines to the start of its paragraph, then downward, then upward', () => {
    const text = 'First par.\n\nSecond a.\nSecond b.\nthe keel\nSecond d.\n\nThird.';
    const lines = (maxLength: number): string => quote(text, 'keel', maxLength).replaceAll(/^> ?/gm, '');
    expect([lines(17), lines(18)]).toEqual(['the keel', 'the keel\nSecond d.']);
    expect([lines(25), lines(26)]).toEqual(['the keel\nSecond d.', 'the keel\nSecond d.\n\nThird.']);
    // The start of the paragraph has at most half of the room.
    expect([lines(33), lines(34)]).toEqual(['the keel\nSecond d.\n\nThird.', 'Second b.\nthe keel\nSecond d.']);
    const paragraph = 'Second a.\nSecond b.\nthe keel\nSecond d.\n\nThird.';
    expect([lines(45), lines(46)]).toEqual([paragraph.slice('Second a.\n'.length), paragraph]);
    expect([lines(57), lines(58)]).toEqual([paragraph, text]);
    expect(quote('one\ntwo\nthe keel', 'keel', 15)).toBe('> two\n> the keel');
    expect(quote('one\ntwo\nthe keel', 'keel', 16)).toBe('> one\n> two\n> the keel');
  });

  it('begins at the first of the lines that say as much of the question', () => {
    expect(quote('nothing here\nthe keel one\nthe keel two', 'keel', 14)).toBe('> the keel one');
    expect(quote('keel keel keel\nthe keel bolts', 'keel bolts', 14)).toBe('> the keel bolts');
  });

  it('has no empty lines at its ends, and no carriage returns', () => {
    expect(quote('\n \nOne.\r\n\r\nTwo.\n\n', 'two', 100)).toBe('> One.\n>\n> Two.');
    expect(quote('\n\n', 'two', 100)).toBe('');
  });

  it.each([
    ['Before.\n\n```\ncode', '> Before.'],
    ['```js\ncode', '> code'],
    ['\n```\n\ncode\n', '> code'],
    ['```\ncode\n```', '> ```\n> code\n> ```'],
    ['````\n```\ncode\n````', '> ````\n> ```\n> code\n> ````'],
    ['a\n~~~\nb\n```\nc', '> a'],
    ['```\na\n```\nb\n> ```\nc', '> ```\n> a\n> ```\n> b'],
  ])('shows no fence that does not close: %j', (text, shown) => {
    expect(quote(text, 'code', 100)).toBe(shown);
  });

  it.each([
    ['Torque: 70 Nm. ^torque\n\nNext. ^n-2', 'Torque: 70 Nm.\n\nNext.'],
    ['- One ^one\n  - Two ^two  \n3. Three', '- One\n  - Two\n3. Three'],
    ['| a |\n\n^table\n\nAfter.', '| a |\n\n\n\nAfter.'],
    ['> Said. ^said', '> Said.'],
    ['The keel is x ^2\nlong.', 'The keel is x ^2\nlong.'],
    ['```\na ^one\n\n```\nb^two ^three', '```\na ^one\n\n```\nb^two'],
    ['````\n```\na ^one\n````\nb ^two', '````\n```\na ^one\n````\nb'],
  ])('shows no id of a block, which reading view hides: %j', (text, shown) => {
    expect(quote(text, 'torque', 100).replaceAll(/^> ?/gm, '')).toBe(shown);
  });

  it('cuts at a space in its second half alone, and joins the sentences before as well', () => {
    expect(quote('aaaaa bbbbbbbbbbbbbbb', 'b', 10)).toBe('> aaaaa bbbb');
    expect(quote('aaaaaa bbbbbbbbbbbbbb', 'b', 10)).toBe('> aaaaaa');
    const line = 'One is here. Two is here. The keel is here.';
    expect(quote(line, 'keel', 30)).toBe('> Two is here. The keel is here.');
    expect(quote(line, 'keel', 29)).toBe('> The keel is here.');
    expect(quote(line, 'keel', 42)).toBe('> Two is here. The keel is here.');
  });
});

describe('quoted passages', () => {
  const passage = (path: string, text: string, ...trail: string[]) => ({ path, text, trail });

  it('say how many of how many notes they are, and of attached notes nothing of that', () => {
    const [one, two] = [passage('In/A.md', 'Oak.', 'A'), passage('B.md', 'Elm.')];
    const lead = (...given: Parameters<typeof quotePassages>): string | undefined => quotePassages(...given)[0];
    expect(lead([one], 'oak', false)).toBe(say.leadOne('A'));
    expect(lead([one, one], 'oak', false)).toBe(say.leadOne('A'));
    expect(lead([one, two, one], 'oak', false)).toBe(say.leadSeveral(3, 2));
    expect(lead([one, two], 'oak', true)).toBe(say.leadAttached);
    expect(quotePassages([], 'oak', false)).toEqual([say.leadAttached]);
    expect(
      quotePassages(
        Array.from({ length: 6 }, () => two),
        'elm',
        false,
      ),
    ).toHaveLength(9);
  });

  it('link to their heading, unless that is the name of the note', () => {
    const linkOf = (...given: Parameters<typeof passage>): string | undefined =>
      quotePassages([passage(...given)], 'oak', false).at(-1);
    expect(linkOf('In/A.md', 'Oak.', 'A')).toBe('[[In/A|A]]');
    expect(linkOf('In/A.md', 'Oak.')).toBe('[[In/A|A]]');
    expect(linkOf('In/A.md', 'Oak.', 'A', 'Wood')).toBe('[[In/A#Wood|A > Wood]]');
    expect(linkOf('In/A.md', 'Oak.', 'Wood: #1 [[Oak|hard]] %%x%%')).toBe(
      '[[In/A#Wood 1 Oak hard x|A > Wood: #1 hard %%x%%]]',
    );
    expect(linkOf('In/A #1?.md', 'Oak.', 'Wood (hard)')).toBe('[A #1? > Wood (hard)](In/A%20%231%3F.md#Wood%20(hard))');
    expect(linkOf('In/[A].md', 'Oak.')).toBe('[\\[A\\]](In/%5BA%5D.md)');
    expect(quotePassages([passage('A.md', '\n')], 'oak', false)).toEqual([say.leadOne('A'), '[[A|A]]']);
  });

  it('are shorter after the first', () => {
    const line = `${'word '.repeat(99)}oak.`;
    const [, first, , second] = quotePassages(
      [passage('A.md', `${line}\n${line}`), passage('B.md', `${line}\n${line}`)],
      'oak',
      false,
    );
    expect([first?.length, second?.length]).toEqual([line.length + 2, line.length + 2]);
    const [, long, , short] = quotePassages(
      [passage('A.md', 'x '.repeat(400)), passage('B.md', 'x '.repeat(400))],
      'oak',
      false,
    );
    expect([long?.length, short?.length]).toEqual([701, 501]);
  });
});

it('says what it looked for, and what it could not read', () => {
  expect(nothingFound('Who won the cup?', false, undefined)).toEqual([`${say.nothing} ${say.lookedFor(['“cup”'])}`]);
  expect(nothingFound('the cup cup', true, undefined)).toEqual([`${say.nothingAttached} ${say.lookedFor(['“cup”'])}`]);
  expect(nothingFound('who is it', false, undefined)).toEqual([
    `${say.nothing} ${say.lookedFor(['“who”', '“is”', '“it”'])}`,
  ]);
  expect(nothingFound('?', false, '3 notes')).toEqual([`${say.nothing} ${say.unread('3 notes')}`]);
});

describe('a folder', () => {
  it('is listed with its folders first, whether it is the vault or part of it', () => {
    expect(listFolder('The vault: 1 folder, 1 note\nIn/ (1,200 notes)\nA`b/ (1 note)\nA.md', '')).toEqual([
      say.leadVault,
      `- \`In/\` (${say.countedNotes(1_200)})\n- \`\` A\`b/ \`\` (${say.countedNotes(1)})\n- [[A|A]]`,
    ]);
    expect(listFolder('In: Out: 1 note\nIn: Out/B.md', 'x')[0]).toBe(say.leadFolder('In: Out'));
    expect(listFolder('No colon\nB.md', 'In')[0]).toBe(say.leadFolder('In'));
    expect(listFolder('In: 300 notes. Continue with startAt 200.\nB.md', 'In').at(-1)).toBe(say.folderPart);
  });

  it('may be empty', () => {
    expect(listFolder('The vault: nothing', 'x')).toEqual([say.vaultEmpty]);
    expect(listFolder('In: nothing\n', 'x')).toEqual([say.folderEmpty('In')]);
    expect(listFolder('Nothing.', 'In')).toEqual([say.folderEmpty('In')]);
  });
});

it('outlines a note from its highest heading on, and says when that is a part', () => {
  const head = 'In/A: b.md: 1,200 lines, 9 bytes.';
  expect(outlineNote(`${head}\nline 1: ## One\nline 5: ### Two\nline 9: ## Three`)).toEqual([
    `${say.leadOutline('A: b', 3)} [[In/A: b|A: b]]`,
    '- [[In/A: b#One|One]]\n  - [[In/A: b#Two|Two]]\n- [[In/A: b#Three|Three]]',
  ]);
  expect(outlineNote(head)).toEqual([say.noHeadings('A: b'), '[[In/A: b|A: b]]']);
  const part = `A.md: 1 line, 1 byte.\nline 1: # One\nPart 1. Continue with startLine 200:`;
  expect(outlineNote(part).at(-1)).toBe(say.outlinePart);
});

describe('a summary', () => {
  it('names the heading of each part, but not the title of the note', () => {
    const [oak, bronze, steel] = ['oak', 'bronze', 'steel'].map((what) => `The part of the boat is made of ${what}.`);
    const text = `# Log\n\n${oak}\n\n## Bolts\n\n${bronze}\n\n### Deep\n\n${steel}`;
    expect(summariseNote('In/Log.md', text, false)).toEqual([
      say.leadSummary('Log'),
      `> ${oak}`,
      '[[In/Log|Log]]',
      `> ${bronze}\n>\n> ${steel}`,
      '[[In/Log#Bolts|Log > Bolts]]',
    ]);
    expect(summariseNote('Other.md', `# Log\n\n${oak}`, true).slice(1)).toEqual([
      ...[`> ${oak}`, '[[Other#Log|Other > Log]]', say.summaryPart],
    ]);
  });

  it('takes two sentences of a part, in their order', () => {
    const others = ['Zebras live elsewhere, far away.', 'Nobody knows what comes after.'];
    const [one, two] = ['The keel of the boat holds bolts.', 'Bolts of the boat hold the keel.'];
    const [, quoted] = summariseNote('A.md', [one, others[0], two, others[1]].join(' '), false);
    expect(quoted).toBe(`> ${one}\n>\n> ${two}`);
    const [, marked] = summariseNote('A.md', `${one.slice(0, -1)} ^bolts`, false);
    expect(marked).toBe(`> ${one.slice(0, -1)}`);
  });

  it('quotes the first eight lines of a note without a sentence, and says of an empty one that it is empty', () => {
    const lines = Array.from({ length: 9 }, (_, at) => `| cell ${at} |`);
    const [, quoted] = summariseNote('A.md', `\r\n${lines.join(' ^id\r\n\r\n')}`, false);
    expect(quoted?.split('\n')).toEqual(lines.slice(0, 8).map((line) => `> ${line}`));
    expect(summariseNote('A.md', ' \n', true)).toEqual([`${say.noteEmpty('A')} [[A|A]]`]);
  });
});

it('names a note without its folder and extension', () => {
  expect(['A.md', 'In/B.MD', 'In/c.md.txt', 'In/.md'].map(titleOf)).toEqual(['A', 'B', 'c.md.txt', '']);
});
