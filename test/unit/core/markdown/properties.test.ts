import { type PropertyValue, propertiesBlockOf, setProperty } from '../../../../src/core/markdown/properties';
import { words } from '../../../../src/text';
import { editText } from '../../../../src/core/writing/stage/edit-text';
import { yaml } from '../../../support/writing-bench';

const set = (text: string, key: string, value: PropertyValue) => setProperty('Note.md', text, key, value, yaml);
const after = (text: string, key: string, value: PropertyValue): string => {
  const outcome = set(text, key, value);
  if (!outcome.ok) throw new Error(outcome.failure.words);
  return outcome.value;
};

const full = [
  '---',
  'title: "A: b"   # said so',
  '',
  '# tags of this note',
  'tags:',
  '- one',
  '- two',
  'aliases: [x,',
  '  y]',
  'text: |',
  '  first',
  '',
  '  second',
  "'odd key': 1",
  'date: 2026-01-02',
  'empty:',
  '---',
  'Body with a: colon.',
  '',
].join('\n');

describe('setting one property', () => {
  it.each<[string, PropertyValue, string, string]>([
    ['title', 'New', 'title: "A: b"   # said so\n', 'title: New\n'],
    ['tags', ['three'], 'tags:\n- one\n- two\n', 'tags:\n  - three\n'],
    ['aliases', ['z'], 'aliases: [x,\n  y]\n', 'aliases:\n  - z\n'],
    ['text', 'short', 'text: |\n  first\n\n  second\n', 'text: short\n'],
    ['odd key', 2, "'odd key': 1\n", 'odd key: 2\n'],
    ['date', '2026-02-03', 'date: 2026-01-02\n', 'date: 2026-02-03\n'],
    ['empty', true, 'empty:\n', 'empty: true\n'],
    ['tags', undefined, 'tags:\n- one\n- two\n', ''],
  ])('replaces the lines of %s and no other byte', (key, value, lines, expected) => {
    expect(after(full, key, value)).toBe(full.replace(lines, () => expected));
  });

  it('adds a new property as the last line, and makes a block where there is none', () => {
    expect(after(full, 'new', 1)).toBe(full.replace('empty:\n', 'empty:\nnew: 1\n'));
    expect(after('Body.\n', 'status', 'open')).toBe('---\nstatus: open\n---\nBody.\n');
    expect(after('---\n---\nBody.\n', 'a', 'b')).toBe('---\na: b\n---\nBody.\n');
  });

  it.each([
    ['in double quotes', 'title: "Note: *x"'],
    ['in single quotes', "title: 'It''s - &x, !y'   # said so"],
    ['in a list', 'list:\n  - "See: *x"\n  - Today - *great* day'],
    ['in a list with a key', 'list:\n  - name: "See: *x"\n    text: >-\n      - *one*\n\n      - &two\n'],
    ['plain', 'summary: Today - *great* day'],
    ['in a block text', 'text: |\n  - *one*\n    "open\n  !two: &three\n'],
    ['below other lines', '# it\'s "mine\nempty:\ntags: [x, y]\nwho: don\'t\ntitle: "Note: *x"'],
    ['with a mark of its own', 'title: "a \\" - *x \\\\"'],
  ])('F39 sees no reference in a text %s', (_name, block) => {
    for (const end of ['\n', '\r\n']) {
      const text = `---\n${block.trimEnd()}\na: 1\n---\nBody.\n`.replaceAll('\n', end);
      expect(after(text, 'a', 2)).toBe(text.replace('a: 1', 'a: 2'));
    }
  });

  it.each<[string, PropertyValue]>([
    ['title', 'A: b'],
    ['tags', ['one', 'two']],
    ['aliases', ['x', 'y']],
    ['text', 'first\n\nsecond\n'],
    ['empty', null],
  ])('leaves every byte of %s as it is where the value is the same', (key, value) => {
    expect(after(full, key, value)).toBe(full);
  });

  it('takes the block away with its last property', () => {
    expect(after('---\na: 1\n---\nBody.\n', 'a', undefined)).toBe('Body.\n');
  });

  it('F40 keeps Windows line ends', () => {
    expect(after('---\r\na: 1\r\nb: 2\r\n---\r\nBody.\r\n', 'a', [1, 2])).toBe(
      '---\r\na:\r\n  - 1\r\n  - 2\r\nb: 2\r\n---\r\nBody.\r\n',
    );
  });

  it('refuses to take away what is not there, and values and names that are no property', () => {
    expect(set(full, 'none', undefined)).toMatchObject({ ok: false, failure: { kind: 'not-found' } });
    for (const key of ['', ' a', '__proto__', 'a\nb', 'a\0', '\ud83d', 'x'.repeat(300)])
      expect(set(full, key, 1).ok).toBe(false);
    const long = set(full, 'x'.repeat(300), 1);
    expect(!long.ok && long.failure.words).toBe(words.writing.propertyUnusable('x'.repeat(200)));
    expect([set(full, 'x'.repeat(200), 1).ok, set(full, 'x'.repeat(201), 1).ok]).toEqual([true, false]);
    expect(set(full, 'a', Number.NaN).ok).toBe(false);
    expect(set(full, 'a', '\ud800').ok).toBe(false);
  });

  it('writes text that looks like something else so that it is read as text', () => {
    const texts = ['yes', 'true', '12', 'null', '- a', '[x]', 'a: b', '#tag', '&x', '*x', '"', '---', '', 'x\n---\ny'];
    for (const value of texts) {
      const edited = after('---\nkept: 1\n---\n', 'a', value);
      expect(yaml.parse(inner(edited))).toEqual({ kept: 1, a: value });
    }
  });
});

function inner(text: string): string {
  const block = propertiesBlockOf(text);
  return block === null || block === 'unclosed' ? '' : text.slice(block.start, block.end);
}

/** Blocks that cannot be read or changed safely, by what is wrong with them. */
const broken: readonly [string, string][] = [
  ['bad indentation', 'a: 1\n  b: 2\n c: 3'],
  ['an open quote', 'a: "open\nb: 2'],
  ['an open list', 'a: [1, 2\nb: 3'],
  ['an open map', 'a: {b: 1\nc: 2'],
  ['a tab for indentation', 'a:\n\tb: 1'],
  ['a tab before a key', '\ta: 1'],
  ['the key twice', 'a: 1\na: 2'],
  ['another key twice', 'a: 1\nb: 1\nb: 2'],
  ['the key twice, once in quotes', 'a: 1\n"a": 2'],
  ['an anchor and an alias', 'base: &x\n  k: 1\na: *x'],
  ['a bomb of aliases', 'w: &a [1,1]\nx: &b [*a,*a]\ny: &c [*b,*b]\na: [*c,*c]'],
  ['a merge key', 'base: &x {k: 1}\na:\n  <<: *x'],
  ['a tag', 'a: !!binary aGk='],
  ['an alias behind a text that only seems quoted', 'b: &x 1\nc: ["\nk: ", *x, "\n"]\na: 1'],
  ['an alias in a list behind a dash', 'b: &x 1\nc: [p - "q, *x]\na: 1'],
  ['an alias after an open text', 'b: "one\nc: "\na: *x'],
  ['an alias below a block text', 'b: |\n  *no\na: *x'],
  ['an alias below a block text that is empty', 'b: |\n\nc:\n  - *x\na: 1'],
  ['an alias behind a lone carriage return', 'b: word\rc: *x\na: 1'],
  ['an alias after a quoted key', 'b: "text"\n"c": *x\na: 1'],
  ['an alias after a comment with a quote', '# it\'s "\nb: *x\na: 1'],
  ['an alias below a plain text with a quote', "b: don't\nc:\n  - *x\na: 1"],
  ['an anchor before a quoted text', 'b: &x "text"\na: 1'],
  ['a tag before a quoted text', 'b: !!str "text"\na: 1'],
  ['an anchor before a key', '&x b: "text"\na: 1'],
  ['a merge key below a quoted text', 'b: "text"\nc:\n  <<: 1\na: 1'],
  ['a tag of its own', 'b: !thing 1\na: 1'],
  ['a list in place of a map', '- a\n- b'],
  ['one text', 'just text'],
  ['a number', '42'],
  ['two documents', 'a: 1\n...\nb: 2'],
  ['a directive', '%YAML 1.2\na: 1'],
  ['a colon in a plain text', 'a: b: c'],
  ['an at sign', 'a: @b'],
  ['a backtick', 'a: `b`'],
  ['a percent sign', 'a: %b'],
  ['a template', 'a: {{title}}'],
  ['an unfinished alias', 'a: *'],
  ['a flow map over lines that closes late', 'a: {b: 1,\nc: 2}\nd: 3\n}'],
  ['a question mark key', '? [a, b]\n: 1'],
  ['a stray closing bracket', 'a: 1\n]'],
  ['a key without a colon', 'a: 1\nb\nc: 2'],
  ['a block that is too long', `a: ${'x'.repeat(100_001)}`],
];

describe('F39 frontmatter that cannot be changed safely', () => {
  it.each(broken)('F39 %s: a property edit is refused or leaves all others the same', (_name, block) => {
    const text = `---\n${block}\n---\nBody.\n`;
    for (const value of ['new', undefined, ['x']] as const) {
      const outcome = set(text, 'a', value);
      if (!outcome.ok) {
        expect(outcome.failure.words).toMatch(/\w/);
        continue;
      }
      const [before, left] = [yaml.parse(block), yaml.parse(inner(outcome.value)) ?? {}] as Record<string, unknown>[];
      expect({ ...left, a: 0 }).toEqual({ ...before, a: 0 });
      expect(outcome.value).toMatch(/(?:^|---\n)Body\.\n$/);
    }
  });

  it('F39 most of them are refused, so the table tests what it says', () => {
    const refused = broken.filter(([, block]) => !set(`---\n${block}\n---\nBody.\n`, 'a', 'new').ok);
    expect(refused.length).toBeGreaterThanOrEqual(broken.length - 3);
  });

  it.each(broken.filter(([name]) => /anchor|alias|tag|merge/.test(name)))('F39 %s: is refused', (_name, block) => {
    for (const key of ['a', 'new']) expect(set(`---\n${block}\n---\nBody.\n`, key, 'new').ok).toBe(false);
  });

  it.each(broken)('F39 %s: an edit of the body leaves its bytes alone', (_name, block) => {
    for (const end of ['\n', '\r\n']) {
      const head = `---\n${block}\n---\n`.replace(/\n/g, end);
      const outcome = editText('Note.md', `${head}Body.${end}`, 'Body.', 'Text.');
      expect(outcome).toEqual({ ok: true, value: `${head}Text.${end}` });
    }
  });

  it('F39 a block without an end is refused, whatever follows', () => {
    expect(set('---\na: 1\n', 'a', 2)).toMatchObject({
      ok: false,
      failure: { words: words.writing.propertiesUnreadable('Note.md') },
    });
    expect(set('---\n\nA rule above.\n', 'a', 2).ok).toBe(false);
    expect(propertiesBlockOf('---\na: 1\n')).toBe('unclosed');
    expect(propertiesBlockOf(' ---\na: 1\n---\n')).toBeNull();
    expect(propertiesBlockOf('----\na\n----\n')).toBeNull();
  });

  it('F39 a change that would alter another property is refused, whatever the cause', () => {
    const lying = { ...yaml, stringify: (value: unknown) => `${yaml.stringify(value)}b: other\n` };
    const text = '---\na: 1\nb: 2\n---\n';
    expect(setProperty('Note.md', text.replace('b: 2\n', ''), 'a', 2, lying).ok).toBe(false);
    expect(setProperty('Note.md', text, 'a', 2, lying).ok).toBe(false);
    let reads = 0;
    const fickle = { ...yaml, parse: (inner: string) => ({ ...(yaml.parse(inner) as object), b: [1, (reads += 1)] }) };
    expect(setProperty('Note.md', text, 'a', 2, fickle).ok).toBe(false);
    expect(reads).toBeGreaterThan(1);
    const deaf = { ...yaml, stringify: () => 'a: 7\n' };
    expect(setProperty('Note.md', text, 'a', 2, deaf).ok).toBe(false);
  });

  it('F39 compares dates, lists and members of the other properties as they are', () => {
    const text = '---\na: 1\nb: 2\n---\n';
    const reading = (other: (read: number) => unknown) => {
      let reads = 0;
      return { ...yaml, parse: (inner: string) => ({ ...(yaml.parse(inner) as object), b: other((reads += 1)) }) };
    };
    const isTaken = (other: (read: number) => unknown): boolean =>
      setProperty('Note.md', text, 'a', 2, reading(other)).ok;
    expect([isTaken(() => new Date(5)), isTaken((read) => new Date(read))]).toEqual([true, false]);
    expect([isTaken(() => [{ c: [1] }]), isTaken((read) => (read === 1 ? [1] : { 0: 1 }))]).toEqual([true, false]);
    expect([isTaken((read) => (read === 1 ? null : {})), isTaken((read) => (read === 1 ? {} : 1))]).toEqual([
      false,
      false,
    ]);
    expect([isTaken(() => ({ c: 1 })), isTaken((read) => (read === 1 ? { c: 1 } : { c: 1, d: 2 }))]).toEqual([
      true,
      false,
    ]);
  });

  it('F39 refuses a property that the block has twice, though YAML was read', () => {
    const text = '---\na: 1\nb: 2\na: 3\n---\n';
    const lenient = { ...yaml, parse: () => ({ a: 3, b: 2 }) };
    expect(setProperty('Note.md', text, 'a', 2, lenient).ok).toBe(false);
  });

  it('takes nothing in a list for nothing, and no more than that', () => {
    const list = (value: unknown) => set('---\nb: 1\n---\n', 'a', value as PropertyValue);
    expect(list([1, null])).toMatchObject({
      ok: true,
      value: expect.stringContaining('a:\n  - 1\n  - null') as string,
    });
    expect([list([1, undefined]).ok, list([[1]]).ok, list({}).ok, list(NaN).ok]).toEqual([false, false, false, false]);
  });
});
