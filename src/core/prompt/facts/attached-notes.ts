/** Context notes, then mentioned notes and parts of notes, each once, read in parallel; a failure is told in its place. */
import { fingerprint } from '../../base/equality';
import { splitPart, takePart } from '../../markdown/structure';
import { outlineNote } from '../../markup/budget';
import { describeFailure } from '../../ports/failure';
import type { AttachedNote } from '../prompt-data';
import type { Fact } from '../section';
import type { World } from '../world';

export const attachedNotes: Fact<readonly AttachedNote[]> = {
  id: 'attached-notes',
  gather: async (world, signal) => {
    const apart = world.turn.notesApart === true;
    const pinned = new Set(world.turn.contextNotes.map((path) => world.vault.file(path)?.path ?? path));
    const whole = attachedPaths(world);
    const parts = mentionedParts(world).filter(({ path }) => !whole.has(path));
    return Promise.all([
      ...[...whole]
        .filter((path) => !apart || !pinned.has(path))
        .map(async (path) => onceOnly(world, inForm(world, await readWhole(world, path, signal)))),
      ...parts.map(async ({ path, part }) => {
        const note = await readWhole(world, path, signal);
        if (note.text !== null) return takePart(note.path, note.text, part);
        return { ...note, ...(part.startsWith('^') ? { block: part } : { heading: part }) };
      }),
    ]);
  },
};

/** Paths of the notes that stand in the prompt as a whole, context notes first. */
export function attachedPaths({ vault, turn }: Pick<World, 'vault' | 'turn'>): ReadonlySet<string> {
  const mentioned = turn.mentions.filter((mention) => mention.kind === 'note').map((mention) => mention.id);
  return new Set([...turn.contextNotes, ...mentioned].map((path) => vault.file(path)?.path ?? path));
}

/** Each part once; a mention without a part is left out. */
function mentionedParts({ vault, turn }: World) {
  const mentions = turn.mentions.filter(({ kind }) => kind === 'heading' || kind === 'block');
  const parts = mentions.map(({ id }) => {
    const { path, part } = splitPart(id, vault);
    return { path: vault.file(path)?.path ?? path, part };
  });
  return parts.filter(
    (each, index) =>
      each.part !== '' && parts.findIndex(({ path, part }) => path === each.path && part === each.part) === index,
  );
}

/** A note that was sent before and has not changed is named, so that its text stands in one place (R227). */
function onceOnly({ turn }: World, note: AttachedNote): AttachedNote {
  const known = turn.toldNotes?.get(note.path);
  return note.text !== null && known !== undefined && known === fingerprint(note.text)
    ? { path: note.path, text: null, asBefore: true }
    : note;
}

/** A context note as the user has it sent. */
export function inForm({ turn, vault }: World, note: AttachedNote): AttachedNote {
  const form = turn.noteForms?.[note.path];
  const stands = turn.contextNotes.some((path) => (vault.file(path)?.path ?? path) === note.path);
  if (form === undefined || note.text === null || !stands) return note;
  return form === 'pinned' ? { ...note, pinned: true } : { ...note, text: outlineNote(note.text), whole: note.text };
}

export async function readWhole(world: World, path: string, signal: AbortSignal): Promise<AttachedNote> {
  const outcome = await world.readNote(path, signal);
  return outcome.ok
    ? { path: outcome.value.path, text: outcome.value.text }
    : { path, text: null, problem: describeFailure(outcome.failure) };
}
