/** load_state: reads a state that save_state saved, or lists all of them (R251). */
import * as z from 'zod/v4';
import { words } from '../../text';
import { below, compareText } from '../base/list-edits';
import { stateFileName, statesFolder } from '../library/agent-folder';
import { bodyOf } from '../markdown/properties';
import { fail, succeed } from '../ports/failure';
import { nameOf } from './resolve-path';
import { beginningOf } from './results';
import { tool } from './tool';

export const loadState = tool({
  name: 'load_state',
  agent: 'chat',
  description: 'Returns a saved state. Without a name, lists all, newest first.',
  parameters: () => z.object({ name: z.string().optional() }),
  effect: 'reads',
  fromTier: 3,
  title: ({ name = '' }) => words.status.loadTitle(name.trim()),
  async run({ name = '' }, vault, signal, { agentFolder = '' }) {
    const wanted = name.trim();
    const folder = statesFolder(agentFolder);
    const notes = below(vault.files(), `${folder}/`)
      .filter(({ kind }) => kind === 'note')
      .sort((a, b) => b.modified - a.modified || compareText(a.path, b.path));
    const names = notes.map(({ path }) => nameOf(path));
    if (wanted === '' && names.length > 0) {
      return succeed({ text: names.join('\n'), sources: [], named: notes.map(({ path }) => path) });
    }
    const keyOf = (given: string): string => stateFileName(given).toLowerCase();
    const note = notes.find(({ path }) => path === wanted || keyOf(nameOf(path)) === keyOf(wanted));
    if (note === undefined) {
      return fail({
        kind: 'not-found',
        words: words.status.stateMissing(wanted),
        remedy: words.status.stateMissingRemedy(names),
      });
    }
    const read = await vault.read(note.path, signal);
    if (!read.ok) return read;
    const text = beginningOf(bodyOf(read.value.text), note.path);
    return succeed({ text, sources: [{ path: note.path }], touched: [note.path] });
  },
});
