import { type PropertyValue, propertiesBlockOf, setProperty } from '../../../../src/core/markdown/properties';
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
    for (const key of ['', ' a', '__proto__', 'a\nb', 'x'.repeat(300)]) expect(set(full, key, 1).ok).toBe(false);
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

  it.each(broken)('F39 %s: an edit of the body leaves its bytes alone', (_name, block) => {
    for (const end of ['\n', '\r\n']) {
      const head = `---\n${block}\n---\n`.replace(/\n/g, end);
      const outcome = editText('Note.md', `${head}Body.${end}`, 'Body.', 'Text.');
      expect(outcome).toEqual({ ok: true, value: `${head}Text.${end}` });
    }
  });

  it('F39 a block without an end is refused, whatever follows', () => {
    expect(set('---\na: 1\n', 'a', 2).ok).toBe(false);
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
    const deaf = { ...yaml, stringify: () => 'a: 7\n' };
    expect(setProperty('Note.md', text, 'a', 2, deaf).ok).toBe(false);
  });
});
