/** The full text of context notes and mentioned notes (R166-R168). */
import { attachedNotes } from '../facts';
import { element } from '../markup';
import { section } from '../section';

/** Stands in place of a note that could not be read; an empty note is an empty body instead (R167, R265). */
export const unavailable = '[File content unavailable]';

export const filesSection = section({
  id: 'files',
  tag: 'files',
  zone: 'turn',
  flatOrder: 75,
  priority: 80,
  trim: 'tail',
  needs: { notes: attachedNotes },
  when: ({ notes }) => notes.length > 0,
  full: ({ notes }) =>
    notes.flatMap(({ path, text, problem }, index) => [
      ...(index === 0 ? [] : ['\n']),
      element('note', { path }, text ?? (problem === undefined ? unavailable : `${unavailable} ${problem}`)),
    ]),
  brief: ({ notes }) => [notes.map(({ path }) => path).join('\n')],
});
