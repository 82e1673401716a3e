/** @jest-environment node */
/** Repositories made to run a program or to read outside the vault: nothing is started, nothing outside is read. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWithGit, TestRepository } from './test-repository';

let repository: TestRepository;
const git = (...parameters: string[]): string => repository.git(...parameters);
const near = (name: string): string => path.join(path.dirname(repository.folder), name);

/** Runs git as Docent once did, and returns whether that started the program. */
function gitStarts(mark: string): boolean {
  try {
    git('--no-optional-locks', '-c', 'core.fsmonitor=false', 'diff', '--no-ext-diff', '--no-textconv');
  } catch {
    // The program may also break what git does.
  }
  const isStarted = existsSync(mark);
  rmSync(mark, { force: true });
  return isStarted;
}

describeWithGit('a repository that names a program', () => {
  let mark = '';
  let program = '';
  beforeEach(() => {
    repository = new TestRepository();
    repository.start({ 'Boat.md': 'The keel is sound.\n', 'Rope.md': 'Hemp.\n' });
    mark = near('started');
    program = near('run.sh');
    writeFileSync(program, `#!/bin/sh\ntouch "${mark}"\n`, { mode: 0o755 });
  });
  afterEach(() => repository.remove());

  it('R232 starts no program of a partial clone, and says that an object is missing', async () => {
    const oid = git('rev-parse', 'HEAD:Boat.md').trim();
    git('config', 'core.repositoryformatversion', '1');
    git('config', 'extensions.partialClone', 'origin');
    git('config', 'remote.origin.url', `file://${near('nowhere')}`);
    git('config', 'remote.origin.promisor', 'true');
    git('config', 'remote.origin.uploadpack', `${program} #`);
    rmSync(repository.at(`.git/objects/${oid.slice(0, 2)}/${oid.slice(2)}`));
    repository.write('Boat.md', 'The keel is bent.\n');
    expect(gitStarts(mark)).toBe(true);
    const { words, remedy } = await repository.refusal();
    expect(words).toBe(`Part of this repository is missing, as in a partial clone: ${oid.slice(0, 10)}.`);
    expect(remedy).toContain('git fetch --refetch');
    expect(existsSync(mark)).toBe(false);
  });

  it('R232 starts no filter of a submodule, and does not enter it', async () => {
    const other = new TestRepository();
    other.start({ 'Inner.md': 'Inner.\n' });
    git('submodule', '--quiet', 'add', other.folder, 'Sub');
    other.remove();
    repository.commit();
    git('-C', 'Sub', 'config', 'filter.x.clean', program);
    repository.write('Sub/.gitattributes', '*.md filter=x\n');
    // Of the same size, so that git compares the content.
    repository.write('Sub/Inner.md', 'INNER.\n');
    repository.write('Boat.md', 'The keel is bent.\n');
    expect(gitStarts(mark)).toBe(true);
    repository.read.length = 0;
    const { files } = await repository.look();
    expect(files).toEqual([{ path: 'Boat.md', how: 'changed' }]);
    expect(existsSync(mark)).toBe(false);
    expect(repository.read.filter((each) => /^Sub|^\.git\/modules/.test(each))).toEqual([]);
  });

  it('R232 starts nothing else that the settings or the attributes name, and needs no hook', async () => {
    for (const key of ['diff.external', 'diff.x.textconv', 'diff.x.command', 'core.fsmonitor', 'core.pager'])
      git('config', key, program);
    for (const key of ['filter.x.clean', 'filter.x.process', 'filter.a=b.clean', 'core.sshCommand', 'core.editor'])
      git('config', key, program);
    git('config', 'filter.x.required', 'true');
    git('config', 'core.hooksPath', path.dirname(program));
    repository.write('.gitattributes', '*.md diff=x filter=x\nRope.md filter=a=b\n');
    repository.write('Boat.md', 'The keel is bent.\n');
    repository.write('Rope.md', 'Manila.\n');
    rmSync(mark, { force: true });
    const { diffs } = await repository.look();
    expect(diffs.join('')).toContain('+The keel is bent.');
    expect(diffs.join('')).toContain('+Manila.');
    expect(existsSync(mark)).toBe(false);
  });

  it('R232 asks for nothing but its own files and those that git knows', async () => {
    repository.write('Boat.md', 'The keel is bent.\n');
    repository.write('Unknown.md', 'x');
    repository.read.length = 0;
    await repository.look();
    const strange = repository.read.filter((each) => !/^(\.git|\.gitattributes|Boat\.md|Rope\.md)(\/|$)/.test(each));
    expect(strange).toEqual([]);
    expect(repository.read.some((each) => each.includes('..') || path.isAbsolute(each))).toBe(false);
  });
});

describeWithGit('a repository that is not in the vault’s own .git folder', () => {
  const elsewhere = 'Docent doesn’t read there. Write this message in your Git program.';
  beforeEach(() => {
    repository = new TestRepository();
    repository.start({ 'Boat.md': 'The keel is sound.\n' });
  });
  afterEach(() => repository.remove());

  it('R232 reads no other folder that core.worktree names, in either file of settings', async () => {
    mkdirSync(near('Documents'));
    writeFileSync(path.join(near('Documents'), 'Boat.md'), 'TOPSECRET\n');
    git('config', 'core.worktree', near('Documents'));
    expect(git('diff')).toContain('TOPSECRET');
    expect(await repository.refusal()).toMatchObject({
      words: expect.stringContaining('core.worktree'),
      remedy: elsewhere,
    });
    git('config', '--unset', 'core.worktree');
    expect((await repository.look()).files).toEqual([]);
    git('config', 'extensions.worktreeConfig', 'true');
    repository.write('.git/config.worktree', `[Core]\n\tWorkTree = "${near('Documents')}" ; here\n`);
    expect((await repository.refusal()).words).toContain('core.worktree');
  });

  it('R232 says of a vault in a sub-folder of a repository that it has none of its own', async () => {
    rmSync(repository.at('.git'), { recursive: true });
    const run = (...parameters: string[]): string => git('-C', '..', ...parameters);
    run('init', '-q');
    writeFileSync(near('Outside.md'), 'TOPSECRET\n');
    run('add', '-A');
    const { words, remedy } = await repository.refusal();
    expect(words).toBe('This vault’s folder has no Git repository of its own.');
    expect(remedy).toContain('as a vault');
  });

  it('R232 says of a worktree and of a submodule that their repository is elsewhere', async () => {
    const worktree = new TestRepository();
    git('worktree', 'add', '-q', '--force', worktree.folder);
    expect(readFileSync(worktree.at('.git'), 'utf8')).toMatch(/^gitdir: /);
    expect(await worktree.refusal()).toMatchObject({ words: expect.stringContaining('a worktree'), remedy: elsewhere });
    worktree.remove();
    repository.write('.git/commondir', '../elsewhere\n');
    expect((await repository.refusal()).words).toContain('a worktree');
  });

  it('R232 reads no .git that leads outside, nor a part of it that does', async () => {
    const outside = 'This vault’s .git folder leads outside the vault.';
    for (const part of ['.git', '.git/objects', '.git/HEAD', '.git/index', '.git/refs/heads/main']) {
      const away = near(part.replaceAll('/', '-'));
      renameSync(repository.at(part), away);
      symlinkSync(away, repository.at(part));
      expect(await repository.refusal()).toMatchObject({ words: outside, remedy: elsewhere });
      rmSync(repository.at(part));
      renameSync(away, repository.at(part));
    }
    expect((await repository.look()).files).toEqual([]);
  });

  it('R232 reads no file through a link, and counts it', async () => {
    writeFileSync(near('taxes.md'), 'TOPSECRET\n');
    repository.write('Private/Diary.md', 'Nobody reads this.\n');
    repository.write('Other.md', 'Other.\n');
    repository.commit();
    rmSync(repository.at('Boat.md'));
    symlinkSync(near('taxes.md'), repository.at('Boat.md'));
    rmSync(repository.at('Other.md'));
    symlinkSync(repository.at('Private/Diary.md'), repository.at('Other.md'));
    expect(await repository.look()).toEqual({ staged: false, files: [], diffs: [], leftOut: 2 });
  });

  it('R232 reads no attributes through a link', async () => {
    writeFileSync(near('attributes'), '*.md binary\n');
    symlinkSync(near('attributes'), repository.at('.gitattributes'));
    repository.write('Boat.md', 'The keel is bent.\n');
    expect((await repository.look()).diffs[0]).toContain('+The keel is bent.');
  });

  it('R232 takes a commit, a folder or a name that is no such thing for damaged', async () => {
    const write = (kind: string, content: Uint8Array): string => {
      repository.write('object', content);
      return git('hash-object', '-t', kind, '--literally', '-w', 'object').trim();
    };
    const oid = Buffer.from(git('rev-parse', 'HEAD:Boat.md').trim(), 'hex');
    const commitOf = (tree: string): string =>
      write('commit', Buffer.from(`tree ${tree}\nauthor a <a@b> 0 +0000\ncommitter a <a@b> 0 +0000\n\nx\n`));
    const entry = (mode: string, name: string): Buffer => Buffer.concat([Buffer.from(`${mode} ${name}\0`), oid]);
    const folders: Buffer[] = [
      Buffer.from('no entries at all'),
      entry('100644', 'Boat.md').subarray(0, 20),
      ...['..', '.', '.git', 'a/b', ''].map((name) => entry('100644', name)),
      entry('40000', 'Folder that is a note'),
    ];
    for (const folder of folders) {
      repository.write('.git/HEAD', `${commitOf(write('tree', folder))}\n`);
      expect((await repository.refusal()).words).toContain('is damaged');
    }
    repository.write('.git/HEAD', `${commitOf(write('tree', entry('100644', 'x'.repeat(5_000))))}\n`);
    expect((await repository.refusal()).words).toContain('contains more than Docent reads');
    repository.write('.git/HEAD', `${oid.toString('hex')}\n`);
    expect((await repository.refusal()).words).toContain('is damaged');
  });

  it('R232 reads no file by a name as of Windows, and still reads the others', async () => {
    const blob = git('rev-parse', 'HEAD:Boat.md').trim();
    for (const name of ['a\\b.md', 'c:x.md', 'a\\..\\..\\x.md']) {
      git('update-index', '--add', '--cacheinfo', `100644,${blob},${name}`);
    }
    git('commit', '-q', '-m', 'names');
    repository.write('Boat.md', 'The keel is new.\n');
    const { files } = await repository.look();
    expect(files.map(({ path: changed }) => changed)).toEqual(['Boat.md']);
  });

  it('R232 takes a name that is no text for deleted neither in a folder nor by itself', async () => {
    const blob = Buffer.from(git('rev-parse', 'HEAD:Boat.md').trim(), 'hex');
    const treeOf = (...entries: (readonly [mode: string, name: Buffer, oid: Buffer])[]): string => {
      const bytes = entries.map(([mode, name, oid]) =>
        Buffer.concat([Buffer.from(`${mode} `), name, Buffer.from('\0'), oid]),
      );
      repository.write('object', Buffer.concat(bytes));
      return git('hash-object', '-t', 'tree', '-w', 'object').trim();
    };
    const name = Buffer.from('caf\xe9', 'latin1');
    const inside = treeOf(['100644', Buffer.from('Boat.md'), blob]);
    const tree = treeOf(
      ['100644', Buffer.from('Boat.md'), blob],
      ['100644', Buffer.concat([name, Buffer.from('.md')]), blob],
      ['40000', name, Buffer.from(inside, 'hex')],
    );
    repository.write('.git/HEAD', `${git('commit-tree', '-m', 'x', tree).trim()}\n`);
    git('read-tree', tree);
    expect(await repository.look()).toMatchObject({ staged: false, files: [] });
  });

  it('R232 counts the files of folders that contain one another ten times at each depth', async () => {
    repository.write('object', '');
    let tree = '';
    for (let depth = 0; depth < 9; depth += 1) {
      const name = tree === '' ? git('rev-parse', 'HEAD:Boat.md').trim() : tree;
      const mode = tree === '' ? '100644' : '40000';
      const entries = Array.from({ length: 10 }, (_, at) =>
        Buffer.concat([Buffer.from(`${mode} d${at}\0`), Buffer.from(name, 'hex')]),
      );
      repository.write('object', Buffer.concat(entries));
      tree = git('hash-object', '-t', 'tree', '-w', 'object').trim();
    }
    const text = `tree ${tree}\nauthor a <a@b> 0 +0000\ncommitter a <a@b> 0 +0000\n\nx\n`;
    repository.write('object', text);
    repository.write('.git/HEAD', `${git('hash-object', '-t', 'commit', '-w', 'object').trim()}\n`);
    expect((await repository.refusal()).words).toContain('contains more than Docent reads');
  }, 60_000);

  it('R232 follows no branch name that leads out of refs', async () => {
    writeFileSync(near('secret'), `${git('rev-parse', 'HEAD').trim()}\n`);
    for (const name of [
      '../../secret',
      'refs/../../../secret',
      'refs/heads/../../../../secret',
      'refs//x',
      '/etc/passwd',
    ]) {
      repository.write('.git/HEAD', `ref: ${name}\n`);
      expect((await repository.refusal()).words).toContain('is damaged');
    }
    repository.write('.git/HEAD', 'ref: refs/heads/a\n');
    repository.write('.git/refs/heads/a', 'ref: refs/heads/a\n');
    expect((await repository.refusal()).words).toContain('is damaged');
    expect(repository.read.some((each) => each.includes('..'))).toBe(false);
  });

  it('R232 names a repository that uses objects from one outside', async () => {
    const other = new TestRepository();
    rmSync(other.folder, { recursive: true });
    git('clone', '-q', '--shared', repository.folder, other.folder);
    expect(await other.refusal()).toMatchObject({
      words: expect.stringContaining('stored outside the vault'),
      remedy: elsewhere,
    });
    expect(other.read.some((each) => each.includes('..') || path.isAbsolute(each))).toBe(false);
    other.remove();
  });
});

describeWithGit('a repository of a form that is not read', () => {
  beforeEach(() => {
    repository = new TestRepository();
    repository.start({ 'Boat.md': 'The keel is sound.\n' });
  });
  afterEach(() => repository.remove());

  it.each<[string, () => void, RegExp]>([
    ['SHA-256', () => git('config', 'extensions.objectFormat', 'sha256'), /SHA-256/],
    ['a reftable', () => git('config', 'extensions.refStorage', 'reftable'), /reftable/],
    ['an unknown extension', () => git('config', 'extensions.newThing', '1'), /“newthing”/],
    ['index version 4', () => git('update-index', '--index-version', '4'), /has version 4, which/],
    ['a split index', () => git('update-index', '--split-index'), /split or sparse/],
    ['a missing HEAD', () => rmSync(repository.at('.git/HEAD')), /HEAD is damaged/],
  ])('R232 says of %s in one sentence what it is, and what to do', async (_name, make, said) => {
    make();
    const { words, remedy } = await repository.refusal();
    expect(words).toMatch(said);
    expect(words).toMatch(/^[A-Z][^\n]*\.$/);
    expect(remedy).toMatch(/^(Write|If you trust this vault, run) /);
  });

  it('R232 says it of a repository that git made with SHA-256', async () => {
    rmSync(repository.at('.git'), { recursive: true });
    git('init', '-q', '--object-format=sha256');
    repository.commit();
    expect((await repository.refusal()).words).toContain('SHA-256');
  });
});
