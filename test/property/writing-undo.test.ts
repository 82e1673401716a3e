/** Random writes and undos: every applied change can be undone, byte for byte (section 10 of the rules). */
import * as fc from 'fast-check';
import { undoOperation } from '../../src/core/writing/apply/undo';
import { expectSame } from 'obsidian-workbench/testing/expect-same';
import { treeOf } from '../support/fault-adapter';
import { startOver, undoChangeset } from '../support/writing-bench';
import { seed } from './hostile-text';
import { act, applyAll, diskFrom, vaultTexts } from './writing-sequences';

/** 5,000 with WRITING_SEQUENCES=5000. */
const sequences = Number(process.env['WRITING_SEQUENCES'] ?? 400);

describe('F1 H8 random writes and undos', () => {
  it('undoing everything, newest first, gives the same hash tree; undoing that gives the other one', async () => {
    await fc.assert(
      fc.asyncProperty(vaultTexts, fc.array(act, { minLength: 1, maxLength: 8 }), async (texts, acts) => {
        const disk = diskFrom(texts);
        const before = treeOf(disk);
        const bench = await startOver(disk);
        const { journal } = bench.writer;
        const applied = await applyAll(bench, acts);
        const after = treeOf(disk);
        for (const changeset of [...applied].reverse()) {
          for (const { outcome } of await undoChangeset(bench.writer, changeset)) expectSame(outcome.ok, true);
        }
        expectSame(treeOf(disk), before);
        const undos = journal.operations().filter(({ call }) => call.undoes !== null);
        for (const { id } of [...undos].reverse()) expectSame((await undoOperation(bench.writer, id)).ok, true);
        expectSame(treeOf(disk), after);
        const redone = journal.operations().filter(({ id, call }) => call.undoes !== null && !journal.isUndone(id));
        for (const { id } of [...redone].reverse()) expectSame((await undoOperation(bench.writer, id)).ok, true);
        expectSame(treeOf(disk), before);
        // The app restarts in between, and no operation is left open.
        const again = await startOver(disk);
        expect(again.writer.journal.operations().map(({ state }) => state)).not.toContain('begun');
      }),
      { numRuns: sequences, seed },
    );
  });

  it('undoing in any order takes back each change or says why not, and in the end gives the same hash tree', async () => {
    let refused = 0;
    let complete = 0;
    await fc.assert(
      fc.asyncProperty(
        vaultTexts,
        fc.array(act, { minLength: 2, maxLength: 8 }),
        fc.array(fc.nat(100), { minLength: 8, maxLength: 8 }),
        async (texts, acts, order) => {
          const disk = diskFrom(texts);
          const before = treeOf(disk);
          const bench = await startOver(disk);
          const { writer } = bench;
          await applyAll(bench, acts);
          const { journal } = writer;
          const due = journal.operations().map(({ id }) => id);
          const left: string[] = [];
          for (let round = 0; due.length > 0; round += 1) {
            const [id = ''] = due.splice((order[round % order.length] ?? 0) % due.length, 1);
            const tree = treeOf(disk);
            const outcome = await undoOperation(writer, id);
            if (outcome.ok) continue;
            left.push(id);
            expect(outcome.failure.words).toMatch(/\w/);
            expectSame(treeOf(disk), tree);
          }
          if (left.length > 0) {
            refused += 1;
            // A refused undo becomes possible once the later undos are reverted, newest first.
            const undos = journal.operations().filter(({ call }) => call.undoes !== null);
            for (const { id } of [...undos].reverse()) expectSame((await undoOperation(writer, id)).ok, true);
            const all = journal.operations().filter(({ id, call }) => call.undoes === null && !journal.isUndone(id));
            for (const { id } of [...all].reverse()) expectSame((await undoOperation(writer, id)).ok, true);
          } else complete += 1;
          expectSame(treeOf(disk), before);
        },
      ),
      { numRuns: sequences, seed },
    );
    expect(refused).toBeGreaterThan(sequences / 50);
    expect(complete).toBeGreaterThan(sequences / 5);
  });
});
