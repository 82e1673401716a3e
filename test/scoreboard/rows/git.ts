/** Repositories made to start a program or to have files outside the vault read, in a real folder made by git. */
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hasGit, TestRepository } from '../../unit/vault/repository/test-repository';
import { choose, type RowFigures, Tally, type Tries } from './row';

const secret = 'TOPSECRET';

interface GitCase {
  readonly id: string;
  make(place: Place): void;
}

interface Place {
  readonly repository: TestRepository;
  /** A program that leaves a file behind. */
  readonly program: string;
  /** A path next to the vault. */
  near(name: string): string;
}

const gitCases: readonly GitCase[] = [
  {
    id: 'a partial clone that names a program',
    make: ({ repository, program, near }) => {
      const oid = repository.git('rev-parse', 'HEAD:Boat.md').trim();
      for (const [key, value] of [
        ['core.repositoryformatversion', '1'],
        ['extensions.partialClone', 'origin'],
        ['remote.origin.url', `file://${near('nowhere')}`],
        ['remote.origin.promisor', 'true'],
        ['remote.origin.uploadpack', `${program} #`],
      ] as const)
        repository.git('config', key, value);
      rmSync(repository.at(`.git/objects/${oid.slice(0, 2)}/${oid.slice(2)}`));
      repository.write('Boat.md', 'The keel is bent.\n');
    },
  },
  {
    id: 'a submodule with a filter',
    make: ({ repository, program }) => {
      const other = new TestRepository();
      other.start({ 'Inner.md': 'Inner.\n' });
      repository.git('submodule', '--quiet', 'add', other.folder, 'Sub');
      other.remove();
      repository.commit();
      repository.git('-C', 'Sub', 'config', 'filter.x.clean', program);
      repository.write('Sub/.gitattributes', '*.md filter=x\n');
      repository.write('Sub/Inner.md', 'INNER.\n');
    },
  },
  {
    id: 'settings and attributes that name programs',
    make: ({ repository, program }) => {
      for (const key of ['diff.x.textconv', 'filter.x.clean', 'filter.x.process', 'core.fsmonitor', 'core.pager'])
        repository.git('config', key, program);
      repository.write('.gitattributes', '*.md diff=x filter=x\n');
      repository.write('Boat.md', 'THE keel is sound.\n');
    },
  },
  {
    id: 'a worktree elsewhere',
    make: ({ repository, near }) => {
      mkdirSync(near('Documents'));
      writeFileSync(path.join(near('Documents'), 'Boat.md'), `${secret}\n`);
      repository.git('config', 'core.worktree', near('Documents'));
    },
  },
  {
    id: 'a vault in a sub-folder of a repository',
    make: ({ repository, near }) => {
      rmSync(repository.at('.git'), { recursive: true });
      const run = (...parameters: string[]): string => repository.git('-C', '..', ...parameters);
      run('init', '-q');
      writeFileSync(near('Outside.md'), 'Outside.\n');
      run('add', '-A');
      run('commit', '-q', '-m', 'x');
      writeFileSync(near('Outside.md'), `${secret}\n`);
    },
  },
  {
    id: 'a folder of git that is a link',
    make: ({ repository, near }) => {
      repository.write('Boat.md', `${secret}\n`);
      repository.commit();
      repository.write('Boat.md', 'Nothing.\n');
      renameSync(repository.at('.git'), near('git'));
      symlinkSync(near('git'), repository.at('.git'));
    },
  },
  {
    id: 'a note that is a link to a file outside',
    make: ({ repository, near }) => {
      writeFileSync(near('taxes.md'), `${secret}\n`);
      // As git checks links out where the disk has none, and as a sync may put them back.
      repository.git('config', 'core.symlinks', 'false');
      rmSync(repository.at('Boat.md'));
      symlinkSync(near('taxes.md'), repository.at('Boat.md'));
    },
  },
];

/** Nothing is started, as a file shows that the program would leave, and nothing outside is read. The control is git. */
export async function measureGit(tries: Tries): Promise<RowFigures> {
  const tally = new Tally();
  for (const { id, make } of hasGit ? choose(gitCases, tries.cases) : []) {
    const repository = new TestRepository();
    const near = (name: string): string => path.join(path.dirname(repository.folder), name);
    const mark = near('started');
    const program = near('run.sh');
    writeFileSync(program, `#!/bin/sh\ntouch "${mark}"\n`, { mode: 0o755 });
    repository.start({ 'Boat.md': 'The keel is sound.\n' });
    make({ repository, program, near });
    rmSync(mark, { force: true });
    const read = JSON.stringify(await repository.changes());
    tally.add(id, [
      ...(existsSync(mark) ? ['started a program'] : []),
      ...(read.includes(secret) ? ['read a file outside'] : []),
    ]);
    if (tries.alone !== true) tally.addControl(gitDoes(repository) || existsSync(mark));
    repository.remove();
  }
  return tally.figures;
}

/** Whether git shows the text; what it starts shows afterwards. */
function gitDoes(repository: TestRepository): boolean {
  try {
    return repository.git('--no-optional-locks', 'diff', '--no-ext-diff').includes(secret);
  } catch {
    return false;
  }
}
