/** The guard before a write, against real links in a real folder. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RealPaths } from '../../../../../src/core/writing/changeset/ports';
import { createWriteGuard } from '../../../../../src/core/writing/guard/path-guard';

let folder: string;
let vault: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'guard-'));
  vault = join(folder, 'vault');
  for (const each of ['vault/inside', 'outside/deep', 'vault-twin']) mkdirSync(join(folder, each), { recursive: true });
  for (const each of ['vault/A.md', 'vault/inside/B.md', 'outside/secret.md']) writeFileSync(join(folder, each), 'x');
  const link = (target: string, path: string): void => symlinkSync(join(folder, target), join(vault, path));
  link('outside', 'out');
  link('outside/secret.md', 'secret.md');
  link('vault/inside', 'in');
  link('vault-twin', 'twin');
  link('nowhere', 'dangling');
  symlinkSync('../outside', join(vault, 'relative'));
  symlinkSync('..', join(vault, 'up'));
  symlinkSync('out', join(vault, 'chain'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const realPaths: RealPaths = {
  realPath: async (path) => {
    try {
      return realpathSync(join(vault, path));
    } catch {
      return null;
    }
  },
};
const everything = { file: (path: string) => ({ path, kind: 'note' as const, size: 1, modified: 1 }) };
const guard = (withLinks = true) => createWriteGuard(everything, '.obsidian', withLinks ? realPaths : null);

const leadOut = [
  'out/x.md',
  'out/deep/x.md',
  'out/new/folder/x.md',
  'secret.md',
  'relative/x.md',
  'up/x.md',
  'up/outside/secret.md',
  'chain/deep/x.md',
  'twin/x.md',
];

describe('H1 real links', () => {
  it.each(leadOut)('H1 nothing is written to %s, which leads out of the vault', async (path) => {
    expect((await guard().fresh(path)).ok).toBe(false);
    expect((await guard().existing(path)).ok).toBe(false);
  });

  it.each(leadOut)('H1 the control: the rules for names alone let %s through', async (path) => {
    expect((await guard(false).fresh(path)).ok).toBe(true);
  });

  it.each(['A.md', 'new.md', 'inside/B.md', 'in/B.md', 'in/new/deep.md', 'new/folder/x.md'])(
    'lets %s through, which stays inside',
    async (path) => {
      expect((await guard().fresh(path)).ok).toBe(true);
      expect((await guard().existing(path)).ok).toBe(true);
    },
  );

  it('H1 refuses everything when the vault itself cannot be found', async () => {
    const lost: RealPaths = { realPath: async () => null };
    expect((await createWriteGuard(everything, '.obsidian', lost).fresh('A.md')).ok).toBe(false);
  });
});

describe('H1 a path right before it is written to', () => {
  it('must be the very path that was approved, not its twin', async () => {
    const twin = { file: () => ({ path: 'Real.md', kind: 'note' as const, size: 1, modified: 1 }) };
    const checked = createWriteGuard(twin, '.obsidian', null);
    expect((await checked.existing('Real.md')).ok).toBe(true);
    expect((await checked.existing('REAL.md')).ok).toBe(false);
  });

  it('H2 keeps the rules for names', async () => {
    for (const path of ['../x.md', '.obsidian/x.md', 'a/.git/x', 'C:/x.md', 'x\0.md']) {
      expect((await guard().fresh(path)).ok).toBe(false);
      expect((await guard().existing(path)).ok).toBe(false);
    }
  });
});
