/** The user's words on what a summary keeps (`compaction.md`), or why they cannot be used; ours then serve (R263). */
import { words } from '../../../text';
import { promptFiles } from '../../library/agent-folder';
import { bodyOf } from '../../markdown/properties';
import { tokensByRule } from '../../markup/budget';
import { describeFailure } from '../../ports/failure';
import type { World } from '../../prompt/world';
import { snapshotParts } from '../../session/entry';

/** Tokens; longer words would take the room that the messages need. */
const mostTokens = 1_000;
/** Elements that the form of a summary is read by. */
const formTags = new RegExp(`</?(?:state_snapshot|scratchpad|${Object.keys(snapshotParts).join('|')})>`, 'i');

export interface OwnInstructions {
  /** Null for none. */
  readonly own: string | null;
  /** Why the note is there and cannot be used; null when all is well. */
  readonly problem: string | null;
}

export async function readOwnInstructions(
  { vault, agentFolder, readNote }: Pick<World, 'vault' | 'agentFolder' | 'readNote'>,
  signal: AbortSignal,
): Promise<OwnInstructions> {
  const path = `${agentFolder}/${promptFiles.compaction}`;
  if (vault.file(path) === undefined) return { own: null, problem: null };
  const note = await readNote(path, signal);
  if (!note.ok) return { own: null, problem: words.status.ownUnusable(path, describeFailure(note.failure)) };
  const own = bodyOf(note.value.text).trim();
  const reason = problemOf(own);
  if (reason !== null) return { own: null, problem: words.status.ownUnusable(path, reason) };
  return { own: own === '' ? null : own, problem: null };
}

function problemOf(text: string): string | null {
  const tag = formTags.exec(text)?.[0];
  if (tag !== undefined) return words.status.ownHoldsForm(tag);
  return tokensByRule(text) > mostTokens ? words.status.ownTooLong(mostTokens) : null;
}
