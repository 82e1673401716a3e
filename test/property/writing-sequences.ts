/** Random vaults and sequences of writes over them, for tests that take everything back. */
import * as fc from 'fast-check';
import type { FileChange } from '../../src/core/writing/changeset/changeset';
import { type Disk, diskOf, textAt } from '../support/fault-adapter';
import { apply, changesetOf, createOf, deleteOf, editOf, moveOf, type WritingBench } from '../support/writing-bench';

const names = ['A', 'B', 'C', 'D', 'E'];
const line = fc.oneof(
  fc.constantFrom('', '# Heading', '- [ ] task', '$& and $1', '---', 'key: value', '\ttab', 'same', 'same'),
  fc.constantFrom(...names).map((name) => `to [[${name}]] and [[${name}|so]]`),
  fc.string({ maxLength: 12, unit: 'grapheme' }).map((text) => text.replace(/[\r\n\0]|\[\[|\p{Cs}/gu, '')),
);
const noteText = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), fc.boolean(), fc.boolean())
  .map(([lines, end, mark, closed]) => (mark ? '\ufeff' : '') + lines.join(end) + (closed ? end : ''));

export interface Act {
  readonly kind: 'edit' | 'create' | 'move' | 'delete';
  readonly pick: number;
  readonly at: number;
  readonly lines: readonly string[];
  readonly cut: number;
  readonly folder: string;
}
export const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom('edit', 'edit', 'edit', 'create', 'move', 'delete'),
  pick: fc.nat(20),
  at: fc.nat(20),
  lines: fc.array(line, { maxLength: 3 }),
  cut: fc.nat(4),
  folder: fc.constantFrom('', 'x/', 'x/y/'),
});
export const vaultTexts = fc.array(noteText, { minLength: 2, maxLength: 5 });

export function diskFrom(texts: readonly string[]): Disk {
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
export async function applyAll({ disk, writer }: WritingBench, acts: readonly Act[]): Promise<string[]> {
  const applied: string[] = [];
  for (const each of acts) {
    const change = changeFor(disk, each);
    if (change === null) continue;
    const changeset = changesetOf(change);
    const report = await apply(writer, changeset);
    if (report.failed.length > 0) throw new Error(`A change could not be applied: ${JSON.stringify(report.failed)}`);
    applied.push(changeset.id);
  }
  return applied;
}
