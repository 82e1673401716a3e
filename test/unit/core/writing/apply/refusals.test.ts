/** A disk that refuses one write, or all from one on: nothing is lost, what failed is said, and a retry ends it. */
import type { Failure } from '../../../../../src/core/ports/failure';
import { recover } from '../../../../../src/core/writing/apply/recover';
import { undoOperation } from '../../../../../src/core/writing/apply/undo';
import { words } from '../../../../../src/text';
import { lost, scenarios, sweptVault } from '../../../../support/crashes';
import { diskOf, treeOf } from '../../../../support/fault-adapter';
import { apply, startOver } from '../../../../support/writing-bench';

const writes = ['append', 'writeBlob', 'process', 'create', 'makeFolders', 'rename', 'trash'];
const errors: Readonly<Record<string, Failure>> = Object.fromEntries(
  ['ENOSPC', 'EIO', 'EACCES'].map((code) => [code, { kind: 'storage', words: code, remedy: 'Try again.' }]),
);

describe.each(Object.keys(errors))('%s', (code) => {
  it.each(Object.keys(scenarios))('I1 I6 at every write of %s, once and from then on', async (name) => {
    const scenario = scenarios[name];
    if (scenario === undefined) throw new Error(name);
    for (const lasts of [false, true]) {
      for (let nth = 1; ; nth += 1) {
        const disk = diskOf(sweptVault);
        const before = [...disk.notes.values()];
        const treeBefore = treeOf(disk);
        let count = 0;
        let isFull = false;
        const refuse = (operation: string): Failure | undefined => {
          if (!writes.includes(operation)) return undefined;
          count += 1;
          if (count === nth || (lasts && count > nth)) isFull = true;
          return isFull && (lasts || count === nth) ? errors[code] : undefined;
        };
        const bench = await startOver(disk, { refuse });
        const { changeset } = scenario(disk);
        const report = await apply(bench.writer, changeset);
        expect(lost(disk, before)).toEqual([]);
        // Each change is applied, or its failure names what the disk said.
        expect(report.applied.length + report.failed.length).toBe(changeset.changes.length);
        for (const { failure } of report.failed) expect(`${failure.words} ${failure.remedy}`).toMatch(/\w/);
        if (report.failed.length === changeset.changes.length && !isInterrupted(report.failed)) {
          expect(report.failed.some(({ operations }) => operations.length > 0) || sameTree(disk, treeBefore)).toBe(
            true,
          );
        }
        // With space again, a start resolves all of it, and the same review ends.
        const next = await startOver(disk);
        expect((await recover(next.writer)).interrupted).toEqual([]);
        const again = await apply(next.writer, changeset);
        expect(again.failed).toEqual([]);
        for (const { id, state } of [...next.writer.journal.operations()].reverse()) {
          if (state === 'committed') expect((await undoOperation(next.writer, id)).ok).toBe(true);
        }
        expect(treeOf(disk)).toEqual(treeBefore);
        if (!isFull) break;
      }
    }
  });
});

it('leaves nothing begun of a write before which what was typed cannot be saved', async () => {
  const disk = diskOf(sweptVault);
  const before = treeOf(disk);
  let flushes = 0;
  const bench = await startOver(disk, {
    refuse: (operation) => (operation === 'flush' && (flushes += 1) === 2 ? errors['EACCES'] : undefined),
  });
  const report = await apply(bench.writer, (scenarios['edit'] ?? fail)(disk).changeset);
  expect(report.failed.map(({ failure }) => failure)).toEqual([errors['EACCES']]);
  expect(bench.writer.journal.operations().filter(({ state }) => state === 'begun')).toEqual([]);
  expect(treeOf(disk)).toEqual(before);
});

it('counts a write as done whose end the disk refused, undoes it in the same session, and says so until then', async () => {
  const disk = diskOf(sweptVault);
  let appends = 0;
  const bench = await startOver(disk, {
    refuse: (operation) => (operation === 'append' && (appends += 1) === 3 ? errors['ENOSPC'] : undefined),
  });
  const { changeset } = (scenarios['edit'] ?? fail)(disk);
  const report = await apply(bench.writer, changeset);
  expect([report.failed, bench.writer.journal.unrecordedEnds]).toEqual([[], 1]);
  const [operation] = bench.writer.journal.operations();
  expect(operation?.state).toBe('committed');
  expect((await undoOperation(bench.writer, operation?.id ?? '')).ok).toBe(true);
  expect(bench.writer.journal.unrecordedEnds).toBe(0);
  const next = await startOver(disk);
  expect(next.writer.journal.operations().map(({ state }) => state)).toEqual(['committed', 'committed']);
});

it.each(['edit', 'create'])(
  'does not say of the %s of a note, which a plugin changed, that nothing was changed',
  async (name) => {
    const disk = diskOf(sweptVault);
    let copies = 0;
    const isFull = (operation: string): boolean =>
      operation === 'writeBlob' && (copies += 1) > (name === 'edit' ? 2 : 1);
    const bench = await startOver(disk, {
      refuse: (operation) => (isFull(operation) ? errors['ENOSPC'] : undefined),
      rewriteOnSave: (text) => `${text}Saved.\n`,
    });
    const { changeset } = (scenarios[name] ?? fail)(disk);
    const { failed } = await apply(bench.writer, changeset);
    expect(failed.map(({ failure }) => failure.words)).toEqual([
      words.writing.endUnknown(changeset.changes[0]?.to ?? ''),
    ]);
  },
);

function isInterrupted(failed: readonly { readonly failure: Failure }[]): boolean {
  return failed.some(({ failure }) => /doesn’t know what it contains now/.test(failure.words));
}

function sameTree(disk: Parameters<typeof treeOf>[0], tree: Record<string, string>): boolean {
  return JSON.stringify(treeOf(disk)) === JSON.stringify(tree);
}

function fail(): never {
  throw new Error('no such scenario');
}
