/** Reads a snapshot out of what a model wrote: the parts that were asked for, or the older names of them (R234, R235, K24). */
import { type Snapshot, type SnapshotPart, snapshotParts } from '../../session/entry';

export const snapshotPartNames = Object.keys(snapshotParts) as readonly SnapshotPart[];

/** Names under which models know some parts from elsewhere. */
const otherNames: Readonly<Partial<Record<SnapshotPart, string>>> = { task_state: 'current_plan' };

/** Parts without which a snapshot cannot stand for the messages; the older form lacks the others. */
const needed: readonly SnapshotPart[] = [
  'overall_goal',
  'key_knowledge',
  'file_system_state',
  'recent_actions',
  'task_state',
];

/** Stands for a part with nothing to say. */
const nothing = 'none';

export type ReadSnapshot =
  | { readonly ok: true; readonly snapshot: Snapshot }
  | { readonly ok: false; readonly missing: readonly SnapshotPart[] };

/** Only the last snapshot counts, and nothing outside it: a scratchpad is never kept (R236). */
export function readSnapshot(answer: string): ReadSnapshot {
  const body = insideLast(
    answer.replace(/<scratchpad>[\s\S]*?(?:<\/scratchpad>|(?=<state_snapshot>)|$)/g, ''),
    'state_snapshot',
  );
  if (body === null) return { ok: false, missing: needed };
  const found = snapshotPartNames.map((name): [SnapshotPart, string | null] => [name, partOf(body, name)]);
  const missing = found.filter(([name, text]) => needed.includes(name) && (text === null || text === ''));
  if (missing.length > 0) return { ok: false, missing: missing.map(([name]) => name) };
  const parts = found.map(([name, text]) => [name, text === null || text === '' ? nothing : text]);
  return { ok: true, snapshot: Object.fromEntries(parts) as Record<SnapshotPart, string> };
}

function partOf(body: string, name: SnapshotPart): string | null {
  const other = otherNames[name];
  return insideLast(body, name) ?? (other === undefined ? null : insideLast(body, other));
}

/** The text of the last element of this name; null for one without an end, as when the answer was cut. */
function insideLast(text: string, tag: string): string | null {
  const open = `<${tag}>`;
  const start = text.lastIndexOf(open);
  if (start === -1) return null;
  const from = start + open.length;
  const end = text.indexOf(`</${tag}>`, from);
  return end === -1 ? null : text.slice(from, end).trim();
}
