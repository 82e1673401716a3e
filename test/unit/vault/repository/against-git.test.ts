/** @jest-environment node */
/** The status of many notes in many states, as real git reports it; line ends and attributes; and what it costs. */
import { existsSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';
import { describeWithGit, TestRepository } from './test-repository';

let repository: TestRepository;
const git = (...parameters: string[]): string => repository.git(...parameters);
beforeEach(() => void (repository = new TestRepository()));
afterEach(() => repository.remove());

/** What git says of staged or unstaged changes of the files that it knows, as `M path`, sorted. */
function statusOfGit(column: 0 | 1): string[] {
  const fields = git('status', '--porcelain', '--no-renames', '-z', '-uno', '--ignore-submodules').split('\0');
  return fields
    .filter((field) => field !== '' && field.charAt(column) !== ' ')
    .map((field) => `${field.charAt(column)} ${field.slice(3)}`)
    .sort();
}

const letters = { added: 'A', changed: 'M', deleted: 'D', moved: 'R' } as const;
async function statusHere(convertsLineEnds = false): Promise<{ staged: boolean; lines: string[] }> {
  const { staged, files, leftOut } = await repository.look({
    isHidden: () => false,
    isHiddenText: () => false,
    convertsLineEnds,
  });
  expect(leftOut).toBe(0);
  return { staged, lines: files.map(({ path, how }) => `${letters[how]} ${path}`).sort() };
}

/** A generator of numbers that is the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

const names = ['Boat', 'Späti & co', '日本語', 'a b', 'x'.repeat(180), 'Dot.', 'emoji 🚤', "it's", 'a[b]c', 'plus+'];

describeWithGit('the status of a repository', () => {
  it.each([1, 2, 3])('R232 agrees with git about 240 notes in all states (seed %i)', async (seed) => {
    const chance = numbers(seed);
    const files = Object.fromEntries(
      Array.from({ length: 240 }, (_, at) => {
        const folder = ['', 'Notes/', 'Notes/Deep/Er/', 'Zett/'][at % 4] ?? '';
        const text = `Note ${at}\n${'A line of it.\n'.repeat(at % 17)}`;
        return [`${folder}${names[at % names.length] ?? ''} ${at}.md`, chance() < 0.1 ? '' : text] as const;
      }),
    );
    repository.start(files);
    const change = (): void => {
      for (const [name, text] of Object.entries(files)) {
        const choice = chance();
        if (choice < 0.1) repository.write(name, `${text}More.\n`);
        // The same size, and often the same second as the index.
        else if (choice < 0.2) repository.write(name, text.replace('Note', 'Nose'));
        else if (choice < 0.25) rmSync(repository.at(name), { force: true });
        else if (choice < 0.3) repository.write(name, text);
        else if (choice < 0.35 && existsSync(repository.at(name)))
          utimesSync(repository.at(name), 1_000_000, 1_000_000);
      }
      repository.write(`Unknown ${chance()}.md`, 'x');
    };
    change();
    const isChanged = statusOfGit(1);
    expect(isChanged.length).toBeGreaterThan(30);
    // More files than are described would be left out.
    expect(isChanged.length).toBeLessThan(200);
    expect(await statusHere()).toEqual({ staged: false, lines: isChanged });
    git('add', '-u');
    change();
    const isStaged = statusOfGit(0);
    expect(isStaged.length).toBeGreaterThan(30);
    const { staged, files: found } = await repository.look({ isHidden: () => false });
    // Moves are joined again, because git was asked for both of their sides.
    const lines = found.flatMap(({ path, how, from }) =>
      from === undefined ? [`${letters[how]} ${path}`] : [`A ${path}`, `D ${from}`],
    );
    expect({ staged, lines: lines.sort() }).toEqual({ staged: true, lines: isStaged });
  });

  it('R232 agrees with git about conflicts, announced files, and files taken out of the comparison', async () => {
    repository.start({ 'Boat.md': 'One\n', 'Rope.md': 'One\n', 'Sail.md': 'One\n', 'Deck.md': 'One\n' });
    repository.write('New.md', 'Announced\n');
    git('add', '-N', 'New.md');
    git('update-index', '--assume-unchanged', 'Rope.md');
    git('update-index', '--skip-worktree', 'Sail.md');
    repository.write('Rope.md', 'Two\n');
    repository.write('Sail.md', 'Two\n');
    repository.write('Deck.md', 'Two\n');
    expect(await statusHere()).toEqual({ staged: false, lines: statusOfGit(1) });
    expect(statusOfGit(1)).toEqual(['A New.md', 'M Deck.md']);
    git('rm', '-q', '--cached', 'New.md');
    git('checkout', '-q', '-b', 'other');
    repository.write('Boat.md', 'Theirs\n');
    git('commit', '-q', '-m', 'y', 'Boat.md');
    git('checkout', '-q', 'main');
    repository.write('Boat.md', 'Mine\n');
    git('commit', '-q', '-m', 'z', 'Boat.md');
    expect(() => git('merge', '-q', 'other')).toThrow();
    expect(statusOfGit(0)).toEqual(['U Boat.md']);
    const { staged, files, diffs } = await repository.look();
    expect({ staged, files }).toEqual({ staged: true, files: [{ path: 'Boat.md', how: 'changed' }] });
    expect(diffs).toEqual(['* Unmerged path Boat.md\n']);
  });

  it('R232 prints the hunks that git prints', async () => {
    const chance = numbers(7);
    const lines = Array.from({ length: 120 }, (_, at) => `Line ${at}`);
    const texts = Array.from({ length: 40 }, () => {
      const changed = lines.flatMap((line) => {
        const choice = chance();
        return choice < 0.04 ? [] : choice < 0.08 ? [`${line} changed`] : choice < 0.1 ? [line, 'Inserted'] : [line];
      });
      return changed.join('\n') + (chance() < 0.5 ? '\n' : '');
    });
    texts.push('', 'One line', 'One line\n', '\n', '\n\n');
    repository.start({});
    for (const [at, text] of texts.entries()) repository.write(`Note ${at}.md`, text);
    repository.commit();
    for (const [at, text] of [...texts].reverse().entries()) repository.write(`Note ${at}.md`, text);
    const expected = git('diff', '--unified=2', '--no-renames', '--diff-algorithm=minimal', '--no-indent-heuristic');
    const { diffs } = await repository.look();
    const plain = (diff: string): string =>
      diff.replace(/^(index .*|@@ [^@]+ @@).*\n/gm, (line) =>
        line.startsWith('@@') ? line.replace(/ @@.*/, ' @@') : '',
      );
    const ofGit = expected.split(/^(?=diff --git )/m).map(plain);
    expect(diffs.length).toBe(ofGit.length);
    // Where lines can be paired in two ways, both are right if they change equally many.
    const sizes = (diff: string): number[] => ['-', '+'].map((sign) => diff.split(`\n${sign}`).length);
    expect(diffs.map(sizes)).toEqual(ofGit.map(sizes));
    const same = diffs.filter((diff, at) => diff === ofGit[at]).length;
    expect(same / diffs.length).toBeGreaterThan(0.5);
    // Each applies to what git has.
    git('checkout', '-q', '.');
    repository.write('all.diff', diffs.join(''));
    git('apply', '--unidiff-zero', 'all.diff');
    for (const [at, text] of [...texts].reverse().entries()) {
      expect(readFileSync(repository.at(`Note ${at}.md`), 'utf8')).toBe(text);
    }
  });
});

describeWithGit('line ends', () => {
  const [unix, windows] = ['One\nTwo\nThree\n', 'One\r\nTwo\r\nThree\r\n'];

  it.each<[string, readonly string[], string, boolean, readonly string[]]>([
    ['core.autocrlf=true', ['core.autocrlf', 'true'], '', false, []],
    ['core.autocrlf=input', ['core.autocrlf', 'input'], '', false, []],
    ['text=auto', [], '* text=auto\n', false, []],
    ['text', [], '*.md text\n', false, []],
    ['eol=lf', [], 'Notes/** eol=lf\n*.md eol=crlf\n', false, []],
    ['nothing, on Windows', [], '', true, []],
    ['nothing', [], '', false, ['M Boat.md', 'M Notes/Rope.md']],
    ['core.autocrlf=false, on Windows', ['core.autocrlf', 'false'], '', true, ['M Boat.md', 'M Notes/Rope.md']],
    ['-text over core.autocrlf', ['core.autocrlf', 'true'], '*.md -text\n', false, ['M Boat.md', 'M Notes/Rope.md']],
    ['a pattern for one folder', [], '/Notes/*.md text\n', false, ['M Boat.md']],
    ['a later pattern', [], '*.md text\nB[a-o]*.md -text\n', false, ['M Boat.md']],
  ])(
    'R232 with %s, a note that differs by its line ends alone',
    async (_name, setting, attributes, onWindows, expected) => {
      repository.start({ 'Boat.md': unix, 'Notes/Rope.md': unix });
      if (setting.length > 0) git('config', ...setting);
      if (attributes !== '') {
        repository.write('.gitattributes', attributes);
        repository.commit();
      }
      repository.write('Boat.md', windows);
      repository.write('Notes/Rope.md', windows);
      expect((await statusHere(onWindows)).lines).toEqual(expected);
      if (onWindows) return;
      // Git refreshes what it thinks of sizes before it compares.
      const ofGit = git('diff', '--name-only')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => `M ${line}`);
      expect(
        ofGit.filter((line) => expected.includes(line) || git('diff', '--', line.slice(2)).includes('\n@@')),
      ).toEqual(expected);
    },
  );

  it('R232 shows only the changed line of a note whose line ends differ as well', async () => {
    repository.start({ 'Boat.md': unix });
    git('config', 'core.autocrlf', 'true');
    repository.write('Boat.md', windows.replace('Two', '2'));
    const { diffs } = await repository.look();
    expect(diffs[0]).toContain('@@ -1,3 +1,3 @@\n One\n-Two\n+2\n Three\n');
  });

  it('R232 leaves line ends of Windows that git itself has', async () => {
    repository.start({ 'Boat.md': windows });
    git('config', 'core.autocrlf', 'true');
    repository.write('Boat.md', windows.replace('Two', '2'));
    const { diffs } = await repository.look();
    expect(diffs[0]).toContain(' One\r\n-Two\r\n+2\r\n Three\r\n');
  });

  it('R232 compares no lines of what is no text, or what the attributes call binary', async () => {
    repository.start({ 'Picture.png': 'a\0b', 'Boat.md': unix, '.gitattributes': 'Boat.md binary\n' });
    repository.write('Picture.png', 'a\0c');
    repository.write('Boat.md', 'Other\n');
    const { diffs } = await repository.look();
    expect(diffs.map((diff) => diff.split('\n')[1])).toEqual([
      'Binary files a/Boat.md and b/Boat.md differ',
      'Binary files a/Picture.png and b/Picture.png differ',
    ]);
  });
});

describeWithGit('the cost of a repository', () => {
  it('R232 looks at 10,000 files that did not change by their time and size alone', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`Folder ${at % 200}/Note ${at}.md`, `Note ${at}\n`] as const),
    );
    repository.start({});
    for (const [name, text] of Object.entries(files)) {
      repository.write(name, text);
      utimesSync(repository.at(name), 1_700_000_000, 1_700_000_000);
    }
    repository.commit();
    git('gc', '-q');
    repository.write('Folder 7/Note 7.md', 'Changed\n');
    repository.read.length = 0;
    expect((await repository.look()).files).toEqual([{ path: 'Folder 7/Note 7.md', how: 'changed' }]);
    const notes = repository.read.filter((each) => each.startsWith('Folder'));
    expect(notes.length).toBeLessThan(10_000 + 200 + 20);
    await expectCostBelow(3_000, () => repository.look());
  }, 120_000);
});
