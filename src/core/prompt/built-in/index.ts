/** THE list of prompts that ship with Docent. A new prompt is one file, one line here, and its words. */
import { words } from '../../../text';
import type { RegisteredPrompt } from '../../library/prompt-registry';
import { toolNames } from '../../markup/variables';
import { rewriteTag } from '../background-prompts';
import connect from './connect.md';
import correct from './correct.md';
import openTasks from './open-tasks.md';
import questionMe from './question-me.md';
import shorten from './shorten.md';
import summarise from './summarise.md';

const { searchNotes, readNote } = toolNames;

export const builtInPrompts: readonly RegisteredPrompt[] = [
  describe('summarise', summarise, { requiredTools: [readNote] }),
  describe('connect', connect, { requiredTools: [searchNotes, readNote] }),
  describe('open-tasks', openTasks, { requiredTools: [searchNotes] }),
  describe('question-me', questionMe, {}),
  describe('shorten', shorten, { tags: [rewriteTag] }),
  describe('correct', correct, { tags: [rewriteTag] }),
];

function describe(
  name: keyof typeof words.prompts.builtIn,
  content: string,
  more: Pick<RegisteredPrompt, 'requiredTools' | 'tags'>,
): RegisteredPrompt {
  const id = `built-in/${name}`;
  return { id, ...words.prompts.builtIn[name], content: content.trim(), source: 'static', registeredAt: 0, ...more };
}
