/** ask_user: asks a question with choices and ends the turn; the answer is the user's next message (R075). */
import * as z from 'zod/v4';
import { words } from '../../text';
import { fail, succeed } from '../ports/failure';
import { tool } from './tool';

export const askUser = tool({
  name: 'ask_user',
  agent: 'chat',
  description: 'Asks the user one question and ends the turn. Give two to five options if you can.',
  brief: { description: 'Asks the user one question and ends the turn. Give options if you can.' },
  parameters: () =>
    z.object({
      question: z.string(),
      options: z.array(z.string()).optional(),
      several: z.boolean().optional().describe('Allow more than one option.'),
    }),
  effect: 'chat',
  fromTier: 2,
  title: ({ question }) => words.writing.askTitle(question.trim()),
  run: ({ question, options = [], several = false }) => {
    const text = question.trim();
    const choices = [...new Set(options.map((option) => option.trim()).filter((option) => option !== ''))];
    return Promise.resolve(
      text === ''
        ? fail({
            kind: 'invalid-input',
            words: words.writing.questionEmpty,
            remedy: words.writing.questionEmptyRemedy,
          })
        : succeed({
            text: 'Asked.',
            sources: [],
            endsTurn: true,
            view: { kind: 'question', question: text, options: choices, several },
          }),
    );
  },
});
