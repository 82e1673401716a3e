/** exit_plan_mode: presents the plan; the user approves it or requests changes (R078). */
import * as z from 'zod/v4';
import { words } from '../../text';
import { succeed } from '../ports/failure';
import { cleanPath, resolveFile } from './resolve-path';
import { tool } from './tool';

export const exitPlanMode = tool({
  name: 'exit_plan_mode',
  agent: 'chat',
  description:
    'Presents the finished plan to the user for approval and ends the turn; the decision is the next message.',
  brief: { description: 'Presents the finished plan to the user for approval and ends the turn.' },
  parameters: () => z.object({ path: z.string().optional().describe('The plan note.') }),
  effect: 'chat',
  modes: ['plan'],
  fromTier: 2,
  title: () => words.writing.planTitle,
  async run({ path = '' }, vault, signal, { permission }) {
    if (permission !== 'plan') {
      return succeed({ text: 'The permission mode is not Plan, so no approval is needed. Do the task.', sources: [] });
    }
    if (cleanPath(path) === '') {
      return succeed({ text: 'Presented.', sources: [], endsTurn: true, view: { kind: 'plan', path: null } });
    }
    const note = await resolveFile(vault, path, signal);
    if (!note.ok) return note;
    const { path: plan } = note.value;
    return succeed({
      text: 'Presented.',
      sources: [{ path: plan }],
      endsTurn: true,
      view: { kind: 'plan', path: plan },
    });
  },
});
