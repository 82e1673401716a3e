/** Random writes and undos: whatever was applied can be taken back, to the very bytes (section 10 of the rules). */
import * as fc from 'fast-check';
import type { FileChange } from '../../src/core/writing/changeset';
import { undoChangeset, undoOperation } from '../../src/core/writing/undo';
import { type Disk, diskOf, textAt, treeOf } from '../unit/fakes/fault-adapter';
import {
  apply,
  changesetOf,
  createOf,
  deleteOf,
  editOf,
  moveOf,
  startOver,
  type WritingBench,
} from '../unit/fakes/writing-bench';
import { seed } from './hostile-text';

/** 5,000 with WRITING_SEQUENCES=5000. */
const sequences = Number(process.env['WRITING_SEQUENCES'] ?? 400);

const names = ['A', 'B', 'C', 'D', 'E'];
const line = fc.oneof(
  fc.constantFrom('', '# Heading', '- [ ] task', '$& and $1', '---', 'key: value', '\ttab', 'same', 'same'),
  fc.constantFrom(...names).map((name) => `to [[${name}]] and [[${name}|so]]`),
  fc.string({ maxLength: 12, unit: 'grapheme' }).map((text) => text.replace(/[\r\n\0]|\[\[|\p{Cs}/gu, '')),
);
const noteText = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), fc.boolean(), fc.boolean())
  .map(([lines, end, mark, closed]) => (mark ? '\ufeff' : '') + lines.join(end) + (closed ? end : ''));

interface Act {
  readonly kind: 'edit' | 'create' | 'move' | 'delete';
  readonly pick: number;
  readonly at: number;
  readonly lines: readonly string[];
  readonly cut: number;
  readonly folder: string;
}
const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom('edit', 'edit', 'edit', 'create', 'move', 'delete'),
  pick: fc.nat(20),
  at: fc.nat(20),
  lines: fc.array(line, { maxLength: 3 }),
  cut: fc.nat(4),
  folder: fc.constantFrom('', 'x/', 'x/y/'),
});
const vault = fc.array(noteText, { minLength: 2, maxLength: 5 });

function diskFrom(texts: readonly string[]): Disk {
  return diskOf(Object.fromEntries(texts.map((text, index) => [`${names[index]}.md`, text])));
}

let made = 0;

/** The change that an act means on what is on the disk now; null when there is nothing to do. */
function changeFor(disk: Disk, { kind, pick, at, lines, cut, folder }: Act): FileChange | null {
  const paths = [...disk.notes.keys()].sort();
  const path = paths[pick % Math.max(1, paths.length)];
  made += 1;
  if (kind === 'create') return createOf(`${folder}New ${made}.md`, lines.join('\n'));
  if (path === undefined) return null;
  if (kind === 'delete') return deleteOf(disk, path);
  if (kind === 'move') return moveOf(disk, path, `${folder}Moved ${made}.md`);
  const old = (textAt(disk, path) ?? '').replace(/^\ufeff/, '').split('\n');
  const start = at % (old.length + 1);
  const edited = [...old.slice(0, start), ...lines, ...old.slice(start + cut)].join('\n');
  return edited === old.join('\n') ? null : editOf(disk, path, edited);
}

/** Applies the acts, each as a changeset of its own, and answers with the ids of those that did something. */
async function applyAll({ disk, writer }: WritingBench, acts: readonly Act[]): Promise<string[]> {
  const applied: string[] = [];
  for (const each of acts) {
    const change = changeFor(disk, each);
    if (change === null) continue;
    const changeset = changesetOf(change);
    const report = await apply(writer, changeset);
    expect(report.failed).toEqual([]);
    applied.push(changeset.id);
  }
  return applied;
}

describe('F1 H8 random writes and undos', () => {
  it('undoing everything, newest first, gives the same hash tree; undoing that gives the other one', async () => {
    await fc.assert(
      fc.asyncProperty(vault, fc.array(act, { minLength: 1, maxLength: 8 }), async (texts, acts) => {
        const disk = diskFrom(texts);
        const before = treeOf(disk);
        const bench = await startOver(disk);
        const { journal } = bench.writer;
        const applied = await applyAll(bench, acts);
        const after = treeOf(disk);
        for (const changeset of [...applied].reverse()) {
          for (const { outcome } of await undoChangeset(bench.writer, changeset)) expect(outcome.ok).toBe(true);
        }
        expect(treeOf(disk)).toEqual(before);
        const undos = journal.operations().filter(({ call }) => call.undoes !== null);
        for (const { id } of [...undos].reverse()) expect((await undoOperation(bench.writer, id)).ok).toBe(true);
        expect(treeOf(disk)).toEqual(after);
        const redone = journal.operations().filter(({ id, call }) => call.undoes !== null && !journal.isUndone(id));
        for (const { id } of [...redone].reverse()) expect((await undoOperation(bench.writer, id)).ok).toBe(true);
        expect(treeOf(disk)).toEqual(before);
        // The app starts anew in between, and nothing is open.
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
        vault,
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
            expect(treeOf(disk)).toEqual(tree);
          }
          if (left.length > 0) {
            refused += 1;
            // Whatever was refused becomes possible again once the later undos are taken back, newest first.
            const undos = journal.operations().filter(({ call }) => call.undoes !== null);
            for (const { id } of [...undos].reverse()) expect((await undoOperation(writer, id)).ok).toBe(true);
            const all = journal.operations().filter(({ id, call }) => call.undoes === null && !journal.isUndone(id));
            for (const { id } of [...all].reverse()) expect((await undoOperation(writer, id)).ok).toBe(true);
          } else complete += 1;
          expect(treeOf(disk)).toEqual(before);
        },
      ),
      { numRuns: sequences, seed },
    );
    expect(refused).toBeGreaterThan(sequences / 50);
    expect(complete).toBeGreaterThan(sequences / 5);
  });
});
