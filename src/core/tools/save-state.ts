/** save_state: keeps where the work stands in a note, so that it outlasts the conversation (R251). */
import * as z from 'zod/v4';
import { words } from '../../text';
import { fail, succeed } from '../failure';
import { tool } from './tool';

export const saveState = tool({
  name: 'save_state',
  agent: 'chat',
  description: 'Saves where the work stands to a note that load_state reads, also in another chat.',
  parameters: z.object({
    name: z.string().describe('A few words.'),
    state: z.string().describe('Goal, decisions, files, what is done and the next steps.'),
  }),
  effect: 'chat',
  fromTier: 2,
  title: ({ name }) => words.status.saveTitle(name.trim()),
  async run({ name, state }, _vault, _signal, { states }) {
    if (name.trim() === '' || states === undefined) {
      return fail({ kind: 'invalid-input', words: words.status.nameEmpty, remedy: words.status.nameEmptyRemedy });
    }
    const saved = await states.save(name.trim(), state);
    return saved.ok ? succeed({ text: `Saved as ${saved.value}.`, sources: [{ path: saved.value }] }) : saved;
  },
});
