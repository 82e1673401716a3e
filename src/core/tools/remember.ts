/** remember: adds a lasting fact about the user to the memory note, which is part of every chat's prompt (R202). */
import * as z from 'zod/v4';
import { words } from '../../text';
import { fail } from '../ports/failure';
import { describeWrite } from './results';
import { tool } from './tool';

export const remember = tool({
  name: 'remember',
  agent: 'chat',
  description:
    'Saves in one sentence a lasting fact or preference that the user stated, for all chats. Save nothing else.',
  parameters: () => z.object({ fact: z.string() }),
  effect: 'writes',
  needs: 'S',
  fromTier: 3,
  title: ({ fact }) => words.writing.rememberTitle(fact.trim()),
  async run({ fact }, vault, _signal, place) {
    const line = fact
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/^[-*]\s+/, '');
    if (line === '')
      return fail({ kind: 'invalid-input', words: words.writing.factEmpty, remedy: words.writing.factEmptyRemedy });
    const path = `${place.agentFolder ?? ''}/memory.md`;
    const note = vault.file(path);
    return describeWrite(place, (writes) =>
      note === undefined ? writes.create(path, `- ${line}\n`) : writes.append(note.path, `- ${line}`),
    );
  },
});
