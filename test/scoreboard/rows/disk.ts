/**
 * The figures that are measured in addition to the attacks: paths that try to leave the vault, bytes lost in a crash,
 * and what undo restores.
 */
import * as fc from 'fast-check';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { recover } from '../../src/core/writing/apply/recover';
import { checkRealPath, guardExistingPath, guardNewPath } from '../../src/core/writing/guard/path-guard';
import { openRealPaths } from '../../src/desktop/open';
import { anyPath, configDir, escapes, naiveGuard } from '../property/hostile-paths';
import { seed } from '../property/hostile-text';
import { act, applyAll, diskFrom, vaultTexts } from '../property/writing-sequences';
import { crashesOf, lost, scenarios, sweptVault, undone } from '../support/crashes';
import { Crash, diskOf, tornVariants, treeOf } from '../support/fault-adapter';
import { startOver, undoChangeset } from '../support/writing-bench';

export function measurePaths(cases: number) {
  const all = fc.sample(fc.tuple(anyPath, configDir), { numRuns: cases, seed });
  const indexed = { file: (asked: string) => ({ path: asked, kind: 'note' as const, size: 0, modified: 0 }) };
  const figures = { path_cases: cases, path_accepted: 0, path_escapes: 0, path_naive_escapes: 0 };
  for (const [asked, config] of all) {
    const isOut = escapes(asked, config) !== null;
    const accepted = guardNewPath(asked, config).ok || guardExistingPath(asked, indexed, config).ok;
    if (accepted) figures.path_accepted += 1;
    if (accepted && isOut) figures.path_escapes += 1;
    if (isOut && naiveGuard(asked)) figures.path_naive_escapes += 1;
  }
  return figures;
}

/** Real links in a real folder; a guard that looks at names alone lets each of those that lead out through. */
export async function measureLinks() {
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
    const figures = { link_cases: asked.length, link_allowed: 0, link_escapes: 0, link_naive_escapes: 0 };
    for (const each of asked) {
      const isOut = !each.startsWith('Within/');
      const allowed = (await checkRealPath(each, realPaths)).ok;
      if (allowed) figures.link_allowed += 1;
      if (allowed && isOut) figures.link_escapes += 1;
      if (isOut && guardNewPath(each, '.obsidian').ok) figures.link_naive_escapes += 1;
    }
    return figures;
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

/** Versions of notes that are nowhere to be found after a crash, over every operation and every way a disk is left. */
export async function measureCrashes() {
  const figures = { crash_points: 0, crash_versions_lost: 0, crash_versions_lost_by_overwriting: 0 };
  for (const scenario of Object.values({ ...scenarios, ...undone })) {
    for (const variant of tornVariants) {
      for await (const { disk, before } of crashesOf(scenario, variant)) {
        figures.crash_points += 1;
        await recover((await startOver(disk)).writer);
        figures.crash_versions_lost += lost(disk, before).length;
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
    figures.crash_versions_lost_by_overwriting += lost(disk, before).length;
  }
  return figures;
}

/** Random edits, moves, creations and deletions, all taken back, the newest first. */
export async function measureUndo(sequences: number) {
  const all = fc.sample(fc.tuple(vaultTexts, fc.array(act, { minLength: 1, maxLength: 8 })), {
    numRuns: sequences,
    seed,
  });
  const figures = { undo_sequences: sequences, undo_sequences_identical: 0, undo_sequences_that_changed: 0 };
  for (const [texts, acts] of all) {
    const disk = diskFrom(texts);
    const before = JSON.stringify(treeOf(disk));
    const bench = await startOver(disk);
    const applied = await applyAll(bench, acts);
    if (JSON.stringify(treeOf(disk)) !== before) figures.undo_sequences_that_changed += 1;
    for (const changeset of applied.reverse()) await undoChangeset(bench.writer, changeset);
    if (JSON.stringify(treeOf(disk)) === before) figures.undo_sequences_identical += 1;
  }
  return figures;
}
