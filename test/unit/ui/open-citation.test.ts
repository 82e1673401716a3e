/** @jest-environment jsdom */
/**
 * Where a quote is in its note: found by its letters, in any formatting; how it is shown there; and which files a link
 * opens only after the user agreed.
 */
import type { App } from 'obsidian';
import { closeTestApps, createTestApp, type TestApp } from 'obsidian-workbench/jest';
import { words } from '../../../src/text';
import { findQuote, openCitation, openLink } from '../../../src/ui/components/open-citation';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';

const note = [
  '# Keel',
  '',
  '## Bolts',
  'Tighten the *keel bolts* [by hand](https://a.example) first.',
  '',
  '- Then go [[Yard|around]] twice, with `M12` washers.',
  '- Grease them.',
].join('\n');

it.each([
  ['Tighten the keel bolts by hand first.', { from: 3, to: 3 }],
  ['Tighten the keel bolts by hand first.Then go around twice, with M12 washers.', { from: 3, to: 5 }],
  ['Grease them.', { from: 6, to: 6 }],
  ['Nobody wrote this.', null],
  ['…', null],
])('finds %j', (quoted, lines) => {
  expect(findQuote(note, quoted)).toEqual(lines);
});

it('finds the ends of a quote whose middle is cut', () => {
  const long = Array.from(
    { length: 30 },
    (_, n) => `Line ${n} of the long passage about the keel and all of its bolts.`,
  );
  const quoted = `${long[4]} ${long[5]} … ${long[8]} ${long[9]}`;
  expect(findQuote(long.join('\n'), quoted)).toEqual({ from: 4, to: 9 });
});

it('finds a quote, and a quote whose middle is not in the note, at the start of the note', () => {
  const [first, second] = ['Abcdefghij'.repeat(7), 'Klmnopqrst'.repeat(7)];
  expect(findQuote(`${first}\n${second}`, first)).toEqual({ from: 0, to: 0 });
  expect(findQuote(`${first}\n${second}`, `${first} … ${second}`)).toEqual({ from: 0, to: 1 });
});

it('searches a megabyte in time', async () => {
  await expectCostBelow(300, () => findQuote('[[a|'.repeat(250_000), 'b'.repeat(10_000)));
});

it('shows the beginning of a quote whose end is not in the note any more', () => {
  const begin = 'The bolts of the keel are tightened by hand before the boat is lifted to be painted';
  const text = `# ${'Keel of the boat, '.repeat(5)}\n${begin}\nand then once more.\nThe end.`;
  expect(
    findQuote(text, `${begin} by the crane of the yard, which nobody has described in this note so far at all.`),
  ).toEqual({ from: 1, to: 1 });
  expect(findQuote(text, `${'Nobody wrote this beginning, which is not in the note. '.repeat(2)}${begin}`)).toBeNull();
});

describe('a citation that is opened', () => {
  let done: unknown[];

  /** Opens one in a note that is shown in this mode; `more` are the editor's own additions. */
  async function open(mode: string, quoted: string, more: object = {}): Promise<void> {
    done = [];
    const record =
      (name: string) =>
      (...all: unknown[]): void =>
        void done.push([name, ...all]);
    const editor = {
      getLine: (line: number) => note.split('\n')[line] ?? '',
      ...{ scrollIntoView: record('scroll'), setSelection: record('select'), ...more },
    };
    const view = {
      ...{ getViewData: () => note, getMode: () => mode, setEphemeralState: record('state'), editor },
    };
    const workspace = {
      openLinkText: (...all: unknown[]) => Promise.resolve(record('open')(...all)),
      getActiveViewOfType: () => (mode === '' ? null : view),
    };
    const found = mode === 'missing' ? null : { path: 'Keel.md', extension: 'md' };
    const metadataCache = { getFirstLinkpathDest: (link: string) => (link === 'Keel' ? found : null) };
    const app = { workspace, metadataCache, vault: { getFileByPath: () => null } };
    await openCitation(app as unknown as App, 'Keel', true, quoted);
  }
  const opened = ['open', 'Keel', '', true];
  const range = { from: { line: 6, ch: 0 }, to: { line: 6, ch: '- Grease them.'.length } };

  it('is scrolled to, and lights up for a moment', async () => {
    jest.useFakeTimers();
    const lights = {
      addHighlights: (...all: unknown[]) => done.push(['light', ...all]),
      removeHighlights: (name: string) => done.push(['dark', name]),
    };
    await open('source', 'Grease them.', lights);
    const shown = [opened, ['scroll', range, true], ['light', [range], 'is-flashing', true]];
    expect(done).toEqual(shown);
    jest.advanceTimersByTime(2_000);
    expect(done).toEqual([...shown, ['dark', 'is-flashing']]);
    jest.useRealTimers();
  });

  it('is selected where the app cannot light it up', async () => {
    await open('source', 'Grease them.');
    expect(done).toEqual([opened, ['scroll', range, true], ['select', range.from, range.to]]);
  });

  it('is scrolled to in reading view', async () => {
    await open('preview', 'Grease them.');
    expect(done).toEqual([opened, ['state', { line: 6 }]]);
  });

  it('says that the note is missing, which Obsidian would create', async () => {
    await createTestApp({ bare: true });
    await open('missing', 'Grease them.');
    const said = [...document.querySelectorAll('.notice')].map(({ textContent }) => textContent);
    expect([done, said]).toEqual([[], [words.render.noteMissing('Keel')]]);
    await closeTestApps();
  });

  it('opens only the note if the quote is not in it, or if it is no note', async () => {
    await open('source', 'Nobody wrote this.');
    expect(done).toEqual([opened]);
    await open('', 'Grease them.');
    expect(done).toEqual([opened]);
  });
});

describe('a link to a file that Obsidian hands to another program', () => {
  const names = ['Keel.md', 'Map.PNG', 'Plan.canvas', 'Talk.pdf', 'Log.mp3', 'Table.base'];
  const others = [
    'Budget.pdf.bat',
    'Folder/run.command',
    'setup',
    'Sums.xlsx',
    'Page.html',
    'Map.PNG.url',
    'Note.md.lnk',
  ];
  const files = Object.fromEntries([...names, ...others].map((path) => [path, '']));
  let outside: string[];
  const open = async (): Promise<TestApp> => {
    outside = [];
    return createTestApp({ files, openExternally: (path) => outside.push(path) });
  };
  const asked = (): string[] => [...document.querySelectorAll('.docent-asked')].map(({ textContent }) => textContent);
  const press = (name: string): void => {
    const buttons = [...document.querySelectorAll<HTMLButtonElement>('.modal button')];
    buttons
      .filter(({ textContent }) => textContent === name)
      .at(-1)!
      .click();
  };
  afterEach(() => closeTestApps());

  it('is asked about with its whole path, and opened once the user agrees', async () => {
    const app = await open();
    for (const path of others) {
      const refused = openLink(app, path, false);
      expect(asked().at(-1)).toBe(words.render.otherAppText(path));
      press(words.render.cancel);
      expect([await refused, outside]).toEqual([false, []]);
      const allowed = openLink(app, path, false);
      press(words.render.open);
      expect([await allowed, outside.splice(0)]).toEqual([true, [path]]);
    }
    // As a link names it, which need not be its path.
    const named = openLink(app, 'run.command#^block', false);
    expect(asked().at(-1)).toBe(words.render.otherAppText('Folder/run.command'));
    press(words.render.cancel);
    expect([await named, outside]).toEqual([false, []]);
  });

  it('is another one than to what the app, or a plugin, shows itself', async () => {
    const app = await open();
    app.viewRegistry.registerExtensions(['xlsx'], 'markdown');
    for (const path of [...names, 'Sums.xlsx']) expect(await openLink(app, path, false)).toBe(true);
    expect([asked(), outside]).toEqual([[], []]);
  });

  it('is told by its ending where the app does not say what it shows', async () => {
    const app = await open();
    const { viewRegistry } = app;
    Object.assign(app, { viewRegistry: undefined });
    const opened: string[] = [];
    app.workspace.openLinkText = (path) => Promise.resolve(void opened.push(path));
    for (const path of names) expect(await openLink(app, path, false)).toBe(true);
    for (const path of others) {
      const refused = openLink(app, path, false);
      press(words.render.cancel);
      expect(await refused).toBe(false);
    }
    expect(opened).toEqual(names);
    Object.assign(app, { viewRegistry });
  });
});
