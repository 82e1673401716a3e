/** write_todos: shows the user the to-dos of a task; each call replaces the whole list. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { succeed } from '../ports/failure';
import { todoStates } from '../session/entry';
import { tool } from './tool';

export const writeTodos = tool({
  name: 'write_todos',
  agent: 'chat',
  description:
    'Shows the user a to-do list. Use it for tasks of three or more steps. Send the whole list each time, with the ' +
    'current step as doing.',
  parameters: () => z.object({ todos: z.array(z.object({ text: z.string(), state: z.enum(todoStates) })) }),
  effect: 'chat',
  fromTier: 3,
  title: ({ todos }) => words.writing.todosTitle(todos.filter(({ state }) => state === 'done').length, todos.length),
  run: ({ todos }) => Promise.resolve(succeed({ text: 'Shown.', sources: [], view: { kind: 'todos', items: todos } })),
});
