import { expectCostBelow } from '../../../src/testing/cost';
import { parseNote } from '../../../src/obsidian/index/parse-note';

const textsOf = (text: string, items: { position: { start: { offset: number }; end: { offset: number } } }[] = []) =>
  items.map(({ position }) => text.slice(position.start.offset, position.end.offset));

describe('links', () => {
  it('reads wikilinks and embeds with subpath and alias', () => {
    const text = 'See [[A note#Part|shown]] and [[Other#One#Two]] ![[pic.png|200]] [[#Here]] [[C++ & <x>]].';
    const { links, embeds } = parseNote(text);
    expect(links).toMatchObject([
      { link: 'A note#Part', displayText: 'shown', original: '[[A note#Part|shown]]' },
      { link: 'Other#One#Two', displayText: 'Other > One > Two' },
      { link: '#Here', displayText: 'Here' },
      { link: 'C++ & <x>' },
    ]);
    expect(embeds).toMatchObject([{ link: 'pic.png', displayText: '200', original: '![[pic.png|200]]' }]);
    expect(textsOf(text, links)[0]).toBe('[[A note#Part|shown]]');
  });

  it('reads inner markdown links decoded and leaves outer ones', () => {
    const { links, embeds } = parseNote(
      '[a](My%20note.md#x) [b](<with space.md>) [c](https://x.y) [d](mailto:a@b) ![e](i(1).png "t") [f](#g) [h](//cdn)',
    );
    expect(links?.map(({ link }) => link)).toEqual(['My note.md#x', 'with space.md', '#g']);
    expect(embeds).toMatchObject([{ link: 'i(1).png', displayText: 'e' }]);
  });

  it('splits an alias in a table at the escaped bar', () => {
    const { links } = parseNote('| a | b |\n| - | - |\n| [[Note\\|alias]] | [[Two]] |');
    expect(links).toMatchObject([
      { link: 'Note', displayText: 'alias' },
      { link: 'Two', displayText: 'Two' },
    ]);
  });

  it('gives line, column and offset', () => {
    const text = 'é\r\n  [[Note]]\nend';
    expect(parseNote(text).links?.[0]?.position).toEqual({
      start: { line: 1, col: 2, offset: 5 },
      end: { line: 1, col: 10, offset: 13 },
    });
  });

  it('finds reference definitions and footnotes', () => {
    const note = parseNote(
      'Text[^1] and [^Note] [r][ref].\n\n[ref]: https://x.y "t"\n\n[^1]: The note [[L]].\n[^note]: second',
    );
    expect(note.footnoteRefs?.map(({ id }) => id)).toEqual(['1', 'note']);
    expect(note.footnotes?.map(({ id }) => id)).toEqual(['1', 'note']);
    expect(note.referenceLinks).toMatchObject([{ id: 'ref', link: 'https://x.y' }]);
    expect(note.links).toMatchObject([{ link: 'L' }]);
  });
});

describe('text that is not prose', () => {
  it.each([
    ['fenced code', '```md\n# H\n[[a]] #t\n```'],
    ['longer fence', '````\n```\n[[a]] #t\n````'],
    ['tilde fence without an end', '~~~\n[[a]] #t\n# H'],
    ['indented code', 'para\n\n    [[a]] #t\n'],
    ['code in a list', '- item\n  ```\n  [[a]] #t\n  ```'],
    ['code in a quote', '> ```\n> [[a]] #t\n> ```'],
    ['inline code', 'x `[[a]] #t` y'],
    ['double backticks', 'x `` ` [[a]] #t `` y'],
    ['block math', '$$\n[[a]] #t\n$$'],
    ['inline math', 'x $[[a]] #t$ y'],
    ['html comment', '<!-- [[a]] #t -->'],
    ['html comment over paragraphs', '<!--\n[[a]]\n\n#t\n-->'],
    ['frontmatter', '---\na: "x [[a]] #t"\n---\n'],
    ['escaped', '\\[[a]] \\#t'],
  ])('%s gives no link, tag or heading', (_name, text) => {
    const note = parseNote(text);
    expect(note.links).toBeUndefined();
    expect(note.tags).toBeUndefined();
    expect(note.headings).toBeUndefined();
  });

  it.each([
    ['line', '%% [[a]] #t %%'],
    ['block', '%%\n# H\n\n[[a]] #t\n- [ ] task\n%%'],
    ['block without an end', 'x\n\n%%\n[[a]] #t\n'],
    ['within text', 'x %%[[a]] #t %% y'],
    ['in a list', '- x %% [[a]] #t %%'],
    ['in a callout', '> [!note] x\n> %% [[a]] #t %%'],
  ])('indexes links and tags of a comment, and no headings: %s', (_name, text) => {
    const note = parseNote(text);
    expect(note.links?.map(({ link }) => link)).toEqual(['a']);
    expect(note.tags?.map(({ tag }) => tag)).toEqual(['#t']);
    expect(note.headings).toBeUndefined();
  });

  it('goes on after it', () => {
    const note = parseNote('`code` [[a]] $5 and [[b]] costs $6 #tag\n\n```\nx\n```\n[[c]]\n%%x%% [[d]]\n');
    expect(note.links?.map(({ link }) => link)).toEqual(['a', 'b', 'c', 'd']);
    expect(note.tags?.map(({ tag }) => tag)).toEqual(['#tag']);
  });

  it('does not take a lone backtick for code across paragraphs', () => {
    expect(parseNote('a ` b [[x]]\n\nc ` d').links).toHaveLength(1);
  });
});

describe('tags', () => {
  it('reads nested, Unicode and emoji tags, not numbers or anchors', () => {
    const note = parseNote('#a #a/b-c_d #日本 #😀x #123 #1a x#no [x](#no) # Heading, #end.\n(#paren');
    expect(note.tags?.map(({ tag }) => tag)).toEqual(['#a', '#a/b-c_d', '#日本', '#😀x', '#1a', '#end']);
  });
});

describe('headings', () => {
  it('reads both styles and leaves closing marks out', () => {
    const note = parseNote('# One #\n\nTwo\n===\n### Three [[l]] #t\n#no\n####### no\nFour\n---\n');
    expect(note.headings?.map(({ heading, level }) => [level, heading])).toEqual([
      [1, 'One'],
      [1, 'Two'],
      [3, 'Three [[l]] #t'],
      [2, '#no ####### no Four'],
    ]);
    expect(note.links).toHaveLength(1);
  });
});

describe('frontmatter', () => {
  it('reads values, position and links', () => {
    const text = '---\ntags: [x, y]\nup: "[[Home|h]]"\nlist:\n  - "[[A]]"\n  - text [[B]]\n---\nBody';
    const note = parseNote(text);
    expect(note.frontmatter).toEqual({ tags: ['x', 'y'], up: '[[Home|h]]', list: ['[[A]]', 'text [[B]]'] });
    expect(note.frontmatterLinks).toEqual([
      { key: 'up', link: 'Home', original: '[[Home|h]]', displayText: 'h' },
      { key: 'list.0', link: 'A', original: '[[A]]', displayText: 'A' },
    ]);
    expect(note.frontmatterPosition).toMatchObject({ start: { offset: 0 }, end: { line: 6, col: 3 } });
    expect(note.sections?.map(({ type }) => type)).toEqual(['yaml', 'paragraph']);
  });

  it('survives broken YAML and does not start below the first line', () => {
    expect(parseNote('---\na: [\n---\n# H')).toMatchObject({ headings: [{ heading: 'H' }] });
    expect(parseNote('---\na: [\n---\n').frontmatter).toBeUndefined();
    expect(parseNote('\n---\na: 1\n---\n').frontmatter).toBeUndefined();
  });
});

describe('sections and lists', () => {
  it('names the root blocks', () => {
    const text = [
      '# H',
      'para',
      'more',
      '- a',
      '  - b',
      '',
      '- c',
      '',
      '> quote',
      'lazy',
      '',
      '> [!note] T',
      '> x',
      '',
      '| a | b |',
      '|---|---|',
      '| 1 | 2 |',
      '',
      '***',
      '```js',
      '```',
      '$$',
      'x',
      '$$',
      '<div>',
      'x</div>',
      '',
      '[^1]: foot',
    ].join('\n');
    const note = parseNote(text);
    expect(note.sections?.map(({ type }) => type)).toEqual([
      'heading',
      'paragraph',
      'list',
      'blockquote',
      'callout',
      'table',
      'thematicBreak',
      'code',
      'math',
      'html',
      'footnoteDefinition',
    ]);
    expect(textsOf(text, note.sections).slice(1, 3)).toEqual(['para\nmore', '- a\n  - b\n\n- c']);
  });

  it('reads tasks, parents and ids of list items', () => {
    const text = 'x\n\n- [ ] one ^id-1\n  - [x] two\n    more\n- three\n1. four';
    const note = parseNote(text);
    expect(note.listItems?.map(({ task, parent, id }) => ({ task, parent, id }))).toEqual([
      { task: ' ', parent: -2, id: 'id-1' },
      { task: 'x', parent: 2, id: undefined },
      { task: undefined, parent: -2, id: undefined },
      { task: undefined, parent: -6, id: undefined },
    ]);
    expect(textsOf(text, note.listItems)[1]).toBe('- [x] two\n    more');
    expect(note.blocks?.['id-1']?.position.start.line).toBe(2);
  });

  it('finds block ids at the end of a paragraph and below another block', () => {
    const text = 'Para text ^Abc\n\n> quote\n\n^q1\n\n```\nx ^no\n```\n';
    const note = parseNote(text);
    expect(Object.keys(note.blocks ?? {})).toEqual(['abc', 'q1']);
    expect(textsOf(text, Object.values(note.blocks!))).toEqual(['Para text ^Abc', '> quote']);
    expect(note.sections?.[0]?.id).toBe('Abc');
  });
});

it('reads a large note quickly, also one made of openings that never close', async () => {
  const read = (): void => {
    parseNote('Text with [[link]] and #tag and `code`.\n\n'.repeat(5000));
    for (const mark of ['`', '$', '[[', '%%', '[a](', '<!--', '> ', '- ', '[^']) parseNote(mark.repeat(3000));
  };
  await expectCostBelow(1500, read);
});
