/** run_subagent: runs one self-contained task in a subagent and returns its report (R137). */
import * as z from 'zod/v4';
import { words } from '../../text';
import { startWithEllipsis } from '../base/cut';
import { cutToTokens } from '../markup/budget';
import { oneLine } from '../markup/prose';
import { succeed } from '../ports/failure';
import { resultTokens } from './results';
import { tool } from './tool';

/** Characters of the task shown in the title of its call. */
const shownTask = 60;
/** Tokens reserved for the notice about cut text. */
const noticeTokens = 50;

export const runSubagent = tool({
  name: 'run_subagent',
  agent: 'chat',
  description:
    'Gives a listed subagent one task and returns its report. It only reads, and sees nothing of this chat. ' +
    'Say what to find, where, and how to report it. Send independent tasks together.',
  parameters: () =>
    z.object({
      name: z.string(),
      task: z.string().trim().min(1),
    }),
  effect: 'chat',
  fromTier: 3,
  title: ({ name, task }) => {
    return words.subagents.title(name.trim(), startWithEllipsis(oneLine(task), shownTask));
  },
  async run({ name, task }, _vault, signal, { subagents }) {
    const outcome = await subagents.run(name.trim(), task, signal);
    if (!outcome.ok) return outcome;
    const { text, cut } = cutToTokens(outcome.value.text, resultTokens - noticeTokens);
    return cut ? succeed({ ...outcome.value, text: `${text}\n[Cut here: ask for a shorter report.]` }) : outcome;
  },
});
