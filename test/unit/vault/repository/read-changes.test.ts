/** @jest-environment node */
/** What a commit would contain: read, never changed, and without what is hidden from the agent. */
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { describeWithGit, TestRepository } from './test-repository';

let repository: TestRepository;
const git = (...parameters: string[]): string => repository.git(...parameters);
const write = (name: string, text: string | Uint8Array): void => repository.write(name, text);
const look = () => repository.look();

describeWithGit('the changes of a repository', () => {
  beforeEach(() => {
    repository = new TestRepository();
    repository.start({
      'Boat.md': 'The keel is sound.\n',
      'Old name.md': 'One line.\nAnother line.\nA third line.\n',
      'Private/Diary.md': 'Nobody reads this.\n',
    });
  });
  afterEach(() => repository.remove());

  it('R232 tells what is staged, file by file, and nothing else', async () => {
    write('Boat.md', 'The keel is bent.\n');
    write('Späti & co.md', 'new — “note”\ndiff --git a/x b/x\n');
    git('mv', 'Old name.md', 'New name.md');
    git('add', '.');
    write('Boat.md', 'Not staged.\n');
    const { staged, files, diffs, leftOut } = await look();
    expect({ staged, leftOut }).toEqual({ staged: true, leftOut: 0 });
    expect(files).toEqual([
      { path: 'Boat.md', how: 'changed' },
      { path: 'New name.md', how: 'moved', from: 'Old name.md' },
      { path: 'Späti & co.md', how: 'added' },
    ]);
    expect(diffs).toHaveLength(3);
    expect(diffs[0]).toContain('-The keel is sound.\n+The keel is bent.\n');
    expect(diffs[2]).toContain('+new — “note”\n+diff --git a/x b/x\n');
    expect(diffs.join('')).not.toContain('Not staged.');
  });

  it('R232 tells all changes of known files where nothing is staged, and says so', async () => {
    write('Boat.md', 'The keel is bent.\n');
    write('Unknown.md', 'x');
    const { staged, files } = await look();
    expect({ staged, files }).toEqual({ staged: false, files: [{ path: 'Boat.md', how: 'changed' }] });
    git('checkout', '-q', 'Boat.md');
    expect((await look()).files).toEqual([]);
  });

  it('R232 tells nothing of what is kept from the agent, gone or not, and counts it', async () => {
    write('Private/Diary.md', 'Nor this.\n');
    write('.obsidian/plugins/x/data.json', '{"key":"secret"}');
    git('add', '.');
    expect(await look()).toEqual({ staged: true, files: [], diffs: [], leftOut: 2 });
    git('rm', '-q', '-f', 'Private/Diary.md');
    write('Boat.md', 'The keel is bent.\n');
    git('add', '.');
    const all = JSON.stringify(await look());
    expect(all).toContain('bent');
    expect(all).not.toMatch(/Diary|secret|Nobody/);
  });

  describe('a note that its own text keeps from the agent', () => {
    const hiddenNote = (text: string): string => `---\ndocent: false\n---\n${text}\n`;
    const secret = hiddenNote('The marmalade cupboard.');
    const commit = (): string => git('commit', '-q', '-m', 'y');
    async function expectUntold(leftOut: number): Promise<void> {
      write('Boat.md', 'The keel is bent.\n');
      git('add', 'Boat.md');
      const found = await look();
      expect(found.leftOut).toBe(leftOut);
      expect(found.files).toEqual([{ path: 'Boat.md', how: 'changed' }]);
      expect(JSON.stringify(found)).not.toMatch(/marmalade|Attic|Cellar/);
      expect(found.diffs.join('')).toContain('+The keel is bent.');
    }

    it('R232 is told nothing of where it is new', async () => {
      write('Attic.md', secret);
      git('add', '.');
      await expectUntold(1);
    });

    it('R232 is told nothing of where it was deleted, so that no index knows it', async () => {
      write('Attic.md', secret);
      git('add', '.');
      commit();
      git('rm', '-q', 'Attic.md');
      await expectUntold(1);
    });

    it('R232 is told nothing of where only one of both sides says so', async () => {
      write('Attic.md', secret);
      write('Cellar.md', 'The marmalade shelf.\n');
      git('add', '.');
      commit();
      write('Attic.md', 'The marmalade cupboard.\n');
      write('Cellar.md', hiddenNote('The marmalade shelf.'));
      git('add', '.');
      await expectUntold(2);
    });

    it('R232 is told nothing of where it was moved as it is', async () => {
      write('Attic.md', secret);
      git('add', '.');
      commit();
      git('mv', 'Attic.md', 'Cellar.md');
      await expectUntold(1);
    });

    it('R232 is told nothing of where nothing is staged', async () => {
      write('Attic.md', secret);
      git('add', '.');
      commit();
      write('Attic.md', hiddenNote('The marmalade cellar.'));
      const found = await look();
      expect(found).toEqual({ staged: false, files: [], diffs: [], leftOut: 1 });
    });

    it('R232 is told nothing of where lines of the note look like those of git', async () => {
      write('Attic.md', `---\n---\n++ b/Boat.md\n-- a/Boat.md\ndiff --git a/x b/x\n@@ -1 +1 @@\nmarmalade\n`);
      git('add', '.');
      commit();
      write('Attic.md', `---\ndocent: false\n---\n++ b/Boat.md\n-- a/Boat.md\nmarmalade\n`);
      git('add', '.');
      await expectUntold(1);
    });
  });

  it('R232 tells of a deleted note its name alone, since its marks may have been newer than what git has of it', async () => {
    git('rm', '-q', 'Boat.md');
    const found = await look();
    expect(found.files).toEqual([{ path: 'Boat.md', how: 'deleted' }]);
    expect(found.diffs.join('')).toContain('deleted file');
    expect(found.diffs.join('')).not.toContain('keel');
  });

  it('R232 takes no lock and leaves the index as it is', async () => {
    write('Boat.md', 'The keel is bent.\n');
    const index = readFileSync(repository.at('.git/index'));
    expect((await look()).diffs.join('')).toContain('+The keel is bent.');
    expect(readFileSync(repository.at('.git/index')).equals(index)).toBe(true);
  });

  it('R232 shows a file that was moved and changed a little as moved, with its changed lines', async () => {
    git('mv', 'Old name.md', 'New name.md');
    write('New name.md', 'One line.\nAnother line.\nA third line.\nA fourth.\n');
    git('add', '.');
    const { files, diffs } = await look();
    expect(files).toEqual([{ path: 'New name.md', how: 'moved', from: 'Old name.md' }]);
    expect(diffs[0]).toBe(
      'diff --git a/Old name.md b/New name.md\nrename from Old name.md\nrename to New name.md\n' +
        '--- a/Old name.md\t\n+++ b/New name.md\t\n@@ -2,2 +2,3 @@\n Another line.\n A third line.\n+A fourth.\n',
    );
  });

  it('R232 takes a file for moved that has half of its characters in common, line ends included', async () => {
    git('mv', 'Boat.md', 'Ship.md');
    git('mv', 'Old name.md', 'New name.md');
    write('Ship.md', `The keel is sound.\n${'\n'.repeat(19)}`);
    write('New name.md', `One line.\nAnother line.\nA third line.\n${'\n'.repeat(40)}`);
    git('add', '.');
    const { files } = await look();
    expect(files.map(({ path, how, from }) => [how, from, path])).toEqual([
      ['added', undefined, 'New name.md'],
      ['deleted', undefined, 'Old name.md'],
      ['moved', 'Boat.md', 'Ship.md'],
    ]);
  });

  it('R232 reads a repository without a commit, and one without an index', async () => {
    rmSync(repository.at('.git'), { recursive: true });
    git('init', '-q', '-b', 'main');
    expect(await look()).toEqual({ staged: false, files: [], diffs: [], leftOut: 0 });
    git('add', 'Boat.md');
    const { staged, files, diffs } = await look();
    expect({ staged, files }).toEqual({ staged: true, files: [{ path: 'Boat.md', how: 'added' }] });
    expect(diffs[0]).toContain(
      'new file mode 100644\n--- /dev/null\n+++ b/Boat.md\n@@ -0,0 +1 @@\n+The keel is sound.\n',
    );
  });

  it('R232 shows no more than two million characters of diffs, and no note that is too large to be searched', async () => {
    const long = (word: string): string => `${word} ${'x'.repeat(60)}\n`.repeat(9_000);
    for (let at = 0; at < 6; at += 1) write(`Long ${at}.md`, long('old'));
    write('Huge.md', 'y'.repeat(2_000_001));
    repository.commit();
    for (let at = 0; at < 6; at += 1) write(`Long ${at}.md`, long('new'));
    write('Huge.md', 'z'.repeat(2_000_001));
    const { files, diffs, leftOut } = await look();
    expect({ count: files.length, leftOut }).toEqual({ count: 6, leftOut: 1 });
    expect(diffs.join('').length).toBeLessThan(2_001_000);
    expect(diffs.at(-1)).toBe('diff --git a/Long 5.md b/Long 5.md\nFiles a/Long 5.md and b/Long 5.md differ\n');
  });

  it('R232 counts a file that the disk refuses, and does not call it deleted', async () => {
    write('Boat.md', 'The keel is bent.\n');
    write('Old name.md', 'Two lines.\n');
    const { adapter } = repository;
    const refuse = (): never => {
      throw new Error('EACCES: permission denied');
    };
    const refusing = {
      ...adapter,
      stat: async (path: string) => (path === 'Boat.md' ? refuse() : adapter.stat(path)),
      readBinary: async (path: string) => (path === 'Old name.md' ? refuse() : adapter.readBinary(path)),
    };
    expect(await repository.look({ adapter: refusing })).toEqual({ staged: false, files: [], diffs: [], leftOut: 2 });
    const noIndex = {
      ...adapter,
      readBinary: async (path: string) => (path === '.git/index' ? refuse() : adapter.readBinary(path)),
    };
    expect(await repository.refusal({ adapter: noIndex })).toMatchObject({
      kind: 'unreadable',
      words: expect.stringContaining('Couldn’t read .git/index'),
    });
  });

  it('R232 finds the moves among many files of the same content', async () => {
    for (let at = 0; at < 1_500; at += 1) write(`Many/Note ${at}.md`, '');
    repository.commit();
    git('mv', 'Many', 'Moved');
    const { files, leftOut } = await look();
    expect(files).toHaveLength(200);
    expect(files.filter(({ how }) => how === 'moved').length + leftOut).toBeGreaterThan(1_400);
  });

  it('R232 names a large file that git has not packed yet, and reads the others', async () => {
    write('Plan.bin', randomBytes(8_100_000));
    write('Boat.md', 'The keel is sound and new.\n');
    git('add', '.');
    const { files, diffs } = await look();
    expect(files.map(({ path }) => path)).toEqual(['Boat.md', 'Plan.bin']);
    expect(diffs[1]).toContain('Binary files /dev/null and b/Plan.bin differ');
  });

  it('stops when asked', async () => {
    const changes = await repository.changes({}, AbortSignal.abort());
    expect(changes.ok ? 'ok' : changes.failure.kind).toBe('aborted');
  });
});
