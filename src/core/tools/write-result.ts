/** What a write tells the model: what becomes of it, and the lines as they now stand, so that it need not read again. */
import { words } from '../../text';
import { fail, type Outcome, succeed } from '../ports/failure';
import type { NoteWrites } from '../writing/stage/note-writes';
import type { StagedWrite } from '../writing/stage/staged-base';
import type { ToolPlace, ToolResult } from './tool';

/** Characters of a write that are told back. */
const longestEcho = 1_200;

/** The writes of this call, or why there are none. */
export function writesIn({ writes }: ToolPlace): Outcome<NoteWrites> {
  return writes === undefined
    ? fail({ kind: 'refused', words: words.writing.noWrites, remedy: words.writing.deniedRemedy })
    : succeed(writes);
}

/** Makes a file and tells of it without its text, which the model has just written. */
export async function tellCreated(writes: NoteWrites, path: string, text: string): Promise<Outcome<ToolResult>> {
  const made = await writes.create(path, text);
  if (!made.ok) return made;
  const { path: place } = made.value;
  return succeed({ text: `${place}: ${writes.outlook(made.value)}`, sources: [{ path: place }] });
}

/** Carries a write out and tells of it. */
export async function tellWrite(
  place: ToolPlace,
  write: (writes: NoteWrites) => Promise<Outcome<StagedWrite>>,
): Promise<Outcome<ToolResult>> {
  const writes = writesIn(place);
  if (!writes.ok) return writes;
  const written = await write(writes.value);
  if (!written.ok) return written;
  const { path, lines, startLine } = written.value;
  const outlook = writes.value.outlook(written.value);
  const echo = lines.length > longestEcho ? `${lines.slice(0, longestEcho)}…` : lines;
  const text = echo === '' ? `${path}: ${outlook}` : `${path}: ${outlook} From line ${startLine} it reads:\n\n${echo}`;
  return succeed({ text, sources: [{ path }] });
}
