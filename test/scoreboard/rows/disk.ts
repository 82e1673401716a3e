/** Paths and links that try to leave the vault, versions lost in a crash, and what undo restores. */
import * as fc from 'fast-check';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { recover } from '../../../src/core/writing/apply/recover';
import { checkRealPath, guardExistingPath, guardNewPath } from '../../../src/core/writing/guard/path-guard';
import { openRealPaths } from '../../../src/desktop/open';
import { anyPath, configDir, escapes, naiveGuard } from '../../property/hostile-paths';
import { seed } from '../../property/hostile-text';
import { act, applyAll, diskFrom, vaultTexts } from '../../property/writing-sequences';
import { crashesOf, lost, scenarios, sweptVault, undone } from '../../support/crashes';
import { Crash, diskOf, tornVariants, treeOf } from '../../support/fault-adapter';
import { startOver, undoChangeset } from '../../support/writing-bench';
import { choose, type RowFigures, Tally, type Tries } from './row';

/** Random hostile paths. The control is a guard that looks for dots alone. */
export function measurePaths(tries: Tries): RowFigures {
  const numRuns = tries.alone === true ? 2_000 : 100_000;
  const all = fc.sample(fc.tuple(anyPath, configDir), { numRuns, seed });
  const indexed = { file: (asked: string) => ({ path: asked, kind: 'note' as const, size: 0, modified: 0 }) };
  const tally = new Tally();
  for (const [asked, config] of all) {
    const isOut = escapes(asked, config) !== null;
    const isAccepted = guardNewPath(asked, config).ok || guardExistingPath(asked, indexed, config).ok;
    tally.add(asked, isAccepted && isOut ? ['leads out'] : []);
    if (isOut) tally.addControl(naiveGuard(asked));
  }
  return tally.figures;
}

/** Real links in a real folder. The control is a guard that looks at names alone. */
export async function measureLinks(): Promise<RowFigures> {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'docent-links-')));
  const vault = path.join(base, 'vault');
  try {
    await mkdir(path.join(vault, 'Notes/Deep'), { recursive: true });
    await mkdir(path.join(base, 'vault-beside/Deep'), { recursive: true });
    await writeFile(path.join(base, 'vault-beside/Outside.md'), 'Outside.\n');
    await writeFile(path.join(vault, 'Notes/Inside.md'), 'Inside.\n');
    const links: [at: string, to: string][] = [
      ['Out', '../vault-beside'],
      ['Notes/Deep/Up', '../../../vault-beside'],
      ['Absolute', path.join(base, 'vault-beside')],
      ['Root', '/'],
      ['Chain', 'Out'],
      ['Out.md', '../vault-beside/Outside.md'],
      ['Within', 'Notes'],
    ];
    for (const [at, to] of links) await symlink(to, path.join(vault, at));
    const below = ['New.md', 'Deep/New.md', 'Missing/New.md', 'Outside.md'];
    const asked = [
      'Out.md',
      ...links.filter(([at]) => at !== 'Out.md').flatMap(([at]) => below.map((each) => `${at}/${each}`)),
    ];
    const realPaths = openRealPaths({ isDesktop: true } as never, { vaultRoot: vault } as never);
    if (realPaths === null) throw new Error('A computer has no paths.');
    const tally = new Tally();
    for (const each of asked) {
      const isOut = !each.startsWith('Within/');
      const isAllowed = (await checkRealPath(each, realPaths)).ok;
      tally.add(each, isAllowed === isOut ? [isOut ? 'leads out' : 'is refused'] : []);
      if (isOut) tally.addControl(guardNewPath(each, '.obsidian').ok);
    }
    return tally.figures;
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

/**
 * A crash at every operation of the disk, in every way that a disk is left: no version of a note is lost. The control
 * is plain overwriting.
 */
export async function measureCrashes(tries: Tries): Promise<RowFigures> {
  const tally = new Tally();
  const all = Object.entries({ ...scenarios, ...undone }).map(([id, scenario]) => ({ id, scenario }));
  for (const { id, scenario } of choose(all, tries.cases)) {
    for (const variant of tornVariants) {
      for await (const { disk, before } of crashesOf(scenario, variant)) {
        await recover((await startOver(disk)).writer);
        tally.add(`${id}, ${variant}`, lost(disk, before).length > 0 ? ['lost a version'] : []);
      }
    }
  }
  for (const variant of tornVariants) {
    const disk = diskOf(sweptVault);
    const before = [...disk.notes.values()];
    const { adapter } = await startOver(disk, { crashAt: 1, variant });
    await adapter.files
      .process('Plan.md', () => 'new text')
      .catch((thrown: unknown) => {
        if (!(thrown instanceof Crash)) throw thrown;
      });
    tally.addControl(lost(disk, before).length > 0);
  }
  return tally.figures;
}

/** Random edits, moves, creations and deletions, all taken back, the newest first. The control is what had changed. */
export async function measureUndo(tries: Tries): Promise<RowFigures> {
  const numRuns = tries.alone === true ? 20 : Number(process.env['WRITING_SEQUENCES'] ?? 1_000);
  const all = fc.sample(fc.tuple(vaultTexts, fc.array(act, { minLength: 1, maxLength: 8 })), { numRuns, seed });
  const tally = new Tally();
  for (const [index, [texts, acts]] of all.entries()) {
    const disk = diskFrom(texts);
    const before = JSON.stringify(treeOf(disk));
    const bench = await startOver(disk);
    const applied = await applyAll(bench, acts);
    tally.addControl(JSON.stringify(treeOf(disk)) !== before);
    for (const changeset of applied.reverse()) await undoChangeset(bench.writer, changeset);
    const isSame = JSON.stringify(treeOf(disk)) === before;
    tally.add(`sequence ${index}`, isSame ? [] : ['is not as it was']);
  }
  return tally.figures;
}
