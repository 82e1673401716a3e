/** Notes that stand in every request of a chat, each a part of its own that keeps its place (R206, R219). */
import { element } from '../../markup/markup';
import { contextNotes } from '../facts';
import type { AttachedNote } from '../prompt-data';
import { section } from '../section';
import { shortenNotes } from './files';

/** A note that cannot be read is left out here (R219, R223). */
const readable = (notes: readonly AttachedNote[]): (AttachedNote & { readonly text: string })[] =>
  notes.filter((note): note is AttachedNote & { readonly text: string } => note.text !== null);

const show = ({ path, text }: AttachedNote & { readonly text: string }) => element('note', { path }, text);

export const contextNotesSection = section({
  id: 'context-notes',
  zone: 'reference',
  flatOrder: 76,
  priority: 80,
  trim: 'tail',
  needs: { notes: contextNotes },
  when: ({ notes }) => readable(notes).length > 0,
  full: ({ notes }) => readable(notes).flatMap((note, index) => [index === 0 ? '' : '\n\n', show(note)]),
  brief: ({ notes }) => [
    readable(notes)
      .map(({ path }) => path)
      .join('\n'),
  ],
  shorten: ({ notes }, tokens, measure) =>
    notes.some(({ pinned }) => pinned === true) ? shortenNotes(readable(notes), [], tokens, measure) : null,
  items: ({ notes }) => readable(notes).map((note) => ({ key: `file:${note.path}`, content: [show(note)] })),
});
