/** save_state: saves the progress of the work in a new note, so that it outlives the chat (R251). */
import * as z from 'zod/v4';
import { words } from '../../text';
import { stateFileName, statesFolder } from '../library/agent-folder';
import { fail } from '../ports/failure';
import { describeCreated, requireWrites } from './results';
import { tool } from './tool';

export const saveState = tool({
  name: 'save_state',
  agent: 'chat',
  description: 'Saves progress for a later chat in a note: goal, decisions, files, what is done, next steps.',
  parameters: () =>
    z.object({
      name: z.string(),
      state: z.string(),
    }),
  effect: 'writes',
  needs: 'W1',
  fromTier: 3,
  title: ({ name }) => words.status.saveTitle(name.trim()),
  async run({ name, state }, vault, _signal, place) {
    if (name.trim() === '') {
      return fail({ kind: 'invalid-input', words: words.status.nameEmpty, remedy: words.status.nameEmptyRemedy });
    }
    const writes = requireWrites(place);
    if (!writes.ok) return writes;
    const folder = statesFolder(place.agentFolder ?? '');
    const wanted = stateFileName(name);
    const isContextFile = writes.value.givesInstructions(`${folder}/${wanted}.md`);
    const base = isContextFile ? `State ${wanted}` : wanted;
    let path = `${folder}/${base}.md`;
    for (let copy = 2; vault.file(path) !== undefined; copy += 1) path = `${folder}/${base} ${copy}.md`;
    return describeCreated(writes.value, path, `${state.trimEnd()}\n`);
  },
});
