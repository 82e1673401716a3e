/** The note of the user's lasting wishes: whether it can be read, and how much of each request it takes. */
import { words } from '../../../text';
import { memoryPath } from '../../library/context-files';
import { bodyOf } from '../../markdown/properties';
import { describeFailure } from '../../ports/failure';
import type { Check } from '../check';
import { aboutNote, fine, settleCounts, showTokens } from '../results';

const say = words.diagnostics.memory;

/** Share of the window above which it leaves too little for everything else. */
const largeShare = 0.1;

export const memoryCheck: Check = {
  id: 'memory',
  label: say.label,
  run: async ({ vault, agentFolder, readNote, tokenizer, next }, signal) => {
    const path = memoryPath(agentFolder());
    if (vault.file(path) === undefined) return [fine(say.none(path))];
    const outcome = await readNote(path, signal);
    if (!outcome.ok) return [aboutNote(path, 'error', describeFailure(outcome.failure), true)];
    const text = bodyOf(outcome.value.text);
    if (text === '') return [aboutNote(path, 'note', say.empty)];
    await settleCounts([text], tokenizer);
    const tokens = showTokens(text, tokenizer);
    const share = next.contextWindow === null ? 0 : tokenizer.count(text) / next.contextWindow;
    if (share > largeShare) return [aboutNote(path, 'warning', say.large(tokens, Math.round(share * 100)), true)];
    return [{ ...fine(say.fine(tokens)), path }];
  },
};
