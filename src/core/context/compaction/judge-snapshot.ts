/** Judges what a model wrote as a snapshot: its form, and whether the notes it names were ever spoken of (research 6.2). */
import type { Snapshot } from '../../session/entry';
import { readSnapshot } from './read-snapshot';

export type Judgement =
  | { readonly ok: true; readonly snapshot: Snapshot }
  /** What is wrong, for the model to mend. */
  | { readonly ok: false; readonly problem: string; readonly repaired: Snapshot | null };

/** Parts in which notes are named that the work was done on. */
const namingParts = ['artifact_trail', 'file_system_state'] as const;

const fileName = /[^\s"'`“”‘’()[\]{}<>,;:|*]+\.(?:md|canvas|base|csv|txt|pdf|png|jpe?g)\b/gi;

/** @param known all texts that the covered messages hold */
export function judgeSnapshot(answer: string, known: string): Judgement {
  const read = readSnapshot(answer);
  if (!read.ok) return { ok: false, problem: `These parts are missing: ${read.missing.join(', ')}.`, repaired: null };
  const { snapshot } = read;
  const unknown = [...new Set(namingParts.flatMap((part) => unknownFiles(snapshot[part], known)))];
  if (unknown.length === 0) return { ok: true, snapshot };
  const repaired = namingParts.reduce<Snapshot>(
    (all, part) => ({ ...all, [part]: withoutLines(all[part], unknown) }),
    snapshot,
  );
  return { ok: false, problem: `The conversation does not speak of ${unknown.join(', ')}.`, repaired };
}

function unknownFiles(text: string, known: string): string[] {
  return (text.match(fileName) ?? []).filter((name) => !known.includes(name));
}

function withoutLines(text: string, names: readonly string[]): string {
  const kept = text.split('\n').filter((line) => !names.some((name) => line.includes(name)));
  return kept.join('\n').trim() || 'none';
}
