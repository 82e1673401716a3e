/** @jest-environment jsdom */
/** A note with a hidden tag is hidden however the tag is spelled, before and after Obsidian has indexed it. */
import { closeTestApps, createTestApp, MemoryAdapter } from 'obsidian-workbench/jest';
import { isMarkedHidden, textIsMarkedHidden } from '../../../../../src/core/writing/guard/fence';
import { VaultChanges } from '../../../../../src/vault/changes';
import { openStack } from '../../../../../src/vault/stack';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';
import { ownsNothing } from '../../../../support/memory-ports';

afterEach(closeTestApps);

const front = (lines: string): string => `---\n${lines}\n---\n# Note\n\nText.\n`;

const hidden: Readonly<Record<string, string>> = {
  'in the text': 'Text. #private\n',
  'below a tag': 'Text. #Private/deep\n',
  'in a comment': 'Text. %% #private %%\n',
  'in a comment over lines': 'Text.\n\n%%\n- [ ] task #private\n%%\n',
  'in a comment without an end': 'Text.\n\n%%\n#private\n',
  'in a comment below another': '%% a %% Text. %% #private %%\n',
  'in a callout': '> [!note]- Title\n> - [ ] Text. #private\n',
  'in the title of a callout': '> [!note] #private\n> Text.\n',
  'in a comment in a callout': '> [!note]\n> %% #private %%\n',
  'in a quote in a list': '- Text.\n  > #private\n',
  'in a heading': '# Text. #private\n',
  'in a footnote': 'Text.[^1]\n\n[^1]: See #private\n',
  'as one text': front('tags: private'),
  'as one text with a sign': front('tags: "#private"'),
  'as several in one text': front('tags: work, private'),
  'as several words': front('tags: work private'),
  'as several with signs': front('tags: "#work #private"'),
  'in an inline list': front('tags: [work, Private]'),
  'in a list': front('tags:\n  - work\n  - private'),
  'in a list without indentation': front('tags:\n- work\n- "#private/deep"'),
  'in a list of texts with commas': front('tags:\n  - work, private'),
  'in the old property': front('tag: private'),
  'in capital letters': front('TAGS:\n  - private'),
  'in a block of text': front('tags: |\n  work\n  private'),
  'as JSON': front('{\n  "title": "x",\n  "tags": ["private"]\n}'),
  'as JSON in one line': front('{ "title": "x", "tag": "private" }'),
  'below another property': front('meta:\n  tags: [private]'),
  'with an escape': front('tags: ["pri\\u0076ate"]'),
  'in a broken block': front('tags: [private\nother: }{'),
};

const shown: Readonly<Record<string, string>> = {
  'in code': 'Text. `#private`\n\n```\n#private\n```\n',
  'in an HTML comment': 'Text. <!-- #private -->\n',
  'as another tag': 'Text. #privateer #not/private\n',
  'in a title': front('title: private\nlist:\n  - private'),
  'after the tags': front('tags: [work]\ntitle: private'),
};

async function open(text: string) {
  const adapter = new MemoryAdapter({ files: { 'Note.md': text, 'Other.md': '# Other\n' } });
  const app = await createTestApp({ adapter, bare: true });
  const rules = { keptFolders: [], keptTags: ['#private'] };
  const stack = openStack(app, new VaultChanges(app, () => false), ownsNothing, () => rules);
  const isIndexed = (): boolean => app.metadataCache.getCache('Note.md') !== null;
  return { app, vault: stack.vault, isHiddenText: stack.isHiddenText, isIndexed };
}

/** Opens the vault again where a busy machine indexed the note before anybody could look. */
async function openUnindexed(text: string): ReturnType<typeof open> {
  for (let tries = 1; ; tries += 1) {
    const opened = await open(text);
    if (!opened.isIndexed() || tries === 20) return opened;
    await closeTestApps();
  }
}

describe.each(Object.entries(hidden))('a hidden tag %s', (name, text) => {
  it('hides the note before and after it is indexed', async () => {
    const { app, vault, isHiddenText, isIndexed } = await openUnindexed(text);
    expect(isHiddenText(text)).toBe(true);
    expect(isIndexed()).toBe(false);
    expect((await vault.read('Note.md')).ok).toBe(false);
    await app.metadataCache.indexed();
    expect(isIndexed()).toBe(true);
    expect((await vault.read('Note.md')).ok).toBe(false);
    // Obsidian reads no properties at all from a broken block.
    if (name !== 'in a broken block') expect(vault.files().map(({ path }) => path)).toEqual(['Other.md']);
  });
});

it.each(Object.entries(shown))('a hidden tag %s hides nothing', async (_name, text) => {
  const { app, vault, isHiddenText } = await open(text);
  expect(isHiddenText(text)).toBe(false);
  expect((await vault.read('Note.md')).ok).toBe(true);
  await app.metadataCache.indexed();
  expect(vault.files()).toHaveLength(2);
});

it('looks at a text alone, without a parser of YAML', () => {
  expect(textIsMarkedHidden('%% #private %%', ['private'])).toBe(true);
  expect(textIsMarkedHidden(hidden['as several in one text'] ?? '', ['#Private'])).toBe(true);
  expect(textIsMarkedHidden('%% #private %%', [])).toBe(false);
});

it.each(['"docent": false', "'docent': no", 'docent: false', '{ "docent": false }', 'Docent: false', '"DOCENT": no'])(
  'the property %s hides the note before and after it is indexed',
  async (line) => {
    const { app, vault, isHiddenText } = await open(front(line));
    expect(isHiddenText(front(line))).toBe(true);
    expect((await vault.read('Note.md')).ok).toBe(false);
    await app.metadataCache.indexed();
    expect(vault.file('Note.md')).toBeUndefined();
  },
);

it('judges long properties in linear time', async () => {
  const lines = (length: number): string[] => [
    `---\n${'tags'.padEnd(length)}x\n---\nprivate`,
    `---\n${'{,'.repeat(length / 2)}\n---\nprivate`,
    `---\n${'a'.repeat(length)}\n---\nprivate`,
    `---\n${'tag:tag:'.repeat(length / 8)}\n---\nprivate`,
    `---\ntags:\n${'- '.repeat(length / 2)}\n---\nprivate`,
  ];
  for (const text of lines(200_000)) await expectCostBelow(500, () => textIsMarkedHidden(text, ['private']));
});

describe('of a note that is indexed', () => {
  const marks = (properties: Record<string, unknown>, tags: readonly string[] = []) => ({ properties, tags });

  it.each<[Record<string, unknown>, boolean]>([
    [{ docent: false }, true],
    [{ Docent: ' No ' }, true],
    [{ docent: 'off' }, true],
    [{ docent: true }, false],
    [{ docent: 'not yet' }, false],
    [{ docent: null }, false],
    [{ done: false, status: 'no', docents: false }, false],
    [{ done: true, docent: false }, true],
  ])('the properties %j hide it: %s', (properties, isHidden) => {
    expect(isMarkedHidden(marks(properties))).toBe(isHidden);
    expect(isMarkedHidden(marks(properties, ['#open']), ['private'])).toBe(isHidden);
  });

  it('one tag of several is enough, against one of several rules, and names of the same beginning are not', () => {
    const hides = (own: readonly string[], ...rules: readonly string[]) => isMarkedHidden(marks({}, own), rules);
    expect(hides(['#sailing', '#Private'], 'diary', '#private/')).toBe(true);
    expect(hides(['#private/deep'], 'private')).toBe(true);
    expect(hides(['#privateer'], 'private', 'diary')).toBe(false);
    expect(hides(['#private'], 'private/deep')).toBe(false);
    expect(hides(['#sailing'], '#', ' ')).toBe(false);
    expect(isMarkedHidden(undefined, ['private'])).toBe(false);
  });

  it('is judged again once other tags hide notes', () => {
    const noted = { ...marks({}, ['#private']), record: {} };
    const [first, second] = [['private'], ['diary']];
    expect([first, first, second, second, first].map((tags) => isMarkedHidden(noted, tags))).toEqual([
      ...[true, true, false, false, true],
    ]);
  });
});

it('hides a text by one tag of several rules, and by a property in a block that no parser reads', () => {
  expect(textIsMarkedHidden('Words #private here', ['diary', 'private'])).toBe(true);
  expect(textIsMarkedHidden('Words #private here', ['diary', 'secret'])).toBe(false);
  const broken = (line: string): string => `---\ntitle: [\n${line}\n---\nWords.`;
  for (const line of ['Docent: no', 'docent : "off" # for now', 'docent: false\r'])
    expect([line, textIsMarkedHidden(broken(line), [], () => ({}))]).toEqual([line, true]);
  for (const line of ['docent: true', 'docent: nobody', 'docents: no', 'a docent: no'])
    expect([line, textIsMarkedHidden(broken(line), [], () => ({}))]).toEqual([line, false]);
  expect(textIsMarkedHidden('docent: false\n\nWords.', [])).toBe(false);
});
