/**
 * Checks the user's own instructions: whether the override can be read, what happens to its tags, and what is turned
 * off (R032, R252).
 */
import { words } from '../../../text';
import { bodyOf } from '../../markdown/properties';
import { readOwnTags } from '../../markup/markup';
import { tags } from '../../markup/tags';
import { describeFailure, type FailureAction } from '../../ports/failure';
import { findOverride, readOverride } from '../../prompt/override';
import { systemExtraPath } from '../../prompt/sections/user-instructions';
import { isBroken } from '../../prompt/user-text';
import {
  aboutNote,
  agentNotes,
  type Check,
  type CheckAction,
  type CheckPlace,
  type CheckResult,
  fine,
  openNote,
  openSettings,
  settleCounts,
  showTokens,
} from '../check';

const say = words.ownPrompt.check;

/** Maximum share of the context window before too little is left for everything else. */
const largeShare = 0.25;

export const systemPromptCheck: Check = {
  id: 'system-prompt',
  label: say.label,
  run: async (place, signal) => {
    const [base, notes] = await Promise.all([judgeOverride(place, signal), judgeNotes(place, signal)]);
    return [...base, ...notes, ...switchedOff(place)];
  },
};

async function judgeOverride(place: CheckPlace, signal: AbortSignal): Promise<CheckResult[]> {
  const override = findOverride(place.override);
  const target = override.place;
  if (target.kind === 'off') {
    if (target.warning === undefined) return [fine(say.builtIn)];
    const message = (target.warning === 'no-home' ? say.noHome : say.onlyOnDesktop)(target.written ?? '');
    return [{ level: 'warning', words: message, inUse: true, actions: [openSettings] }];
  }
  const { path } = target;
  const read = await readOverride(override, place.override, place, signal);
  if (!read.ok) {
    const actions = [...(read.failure.actions ?? []).flatMap(nextServerStep), openSettings];
    return [{ level: 'error', words: describeFailure(read.failure), path, inUse: true, actions }];
  }
  const text = bodyOf(read.value);
  const actions = target.kind === 'vault' ? [openNote(path)] : [openSettings];
  if (text === '') return [{ level: 'warning', words: say.empty, path, inUse: true, actions }];
  if (isBroken(text)) return [{ level: 'warning', words: say.broken, path, inUse: true, actions }];
  await settleCounts([text], place.tokenizer);
  const tokens = showTokens(text, place.tokenizer);
  const share = place.next.contextWindow === null ? 0 : place.tokenizer.count(text) / place.next.contextWindow;
  const results: CheckResult[] = [{ ...fine(say.inUse(path, tokens)), path, actions }];
  if (share > largeShare) {
    results.push({ level: 'warning', words: say.large(tokens, Math.round(share * 100)), path, inUse: true, actions });
  }
  return [...results, ...judgeTags(path, text, true)];
}

/** Checks the other texts in which tags may remain. */
async function judgeNotes(place: CheckPlace, signal: AbortSignal): Promise<CheckResult[]> {
  const extra = systemExtraPath(place.agentFolder());
  const hasExtra = place.vault.file(extra) !== undefined;
  const paths = [...(hasExtra ? [extra] : []), ...agentNotes(place, 'modes/user')];
  const found = await Promise.all(
    paths.map(async (path) => {
      const read = await place.readNote(path, signal);
      const inUse = path === extra || (place.next.mode === 'user' && path.endsWith(`/tier${place.next.tier}.md`));
      if (!read.ok) return path === extra ? [aboutNote(path, 'error', describeFailure(read.failure), true)] : [];
      return judgeTags(path, bodyOf(read.value.text), inUse);
    }),
  );
  return found.flat();
}

function judgeTags(path: string, text: string, inUse: boolean): CheckResult[] {
  const found = readOwnTags(text, tags);
  if (found.kind !== 'escaped') return [];
  const describe = found.reason === 'reserved' ? say.tagsReserved : say.tagsMalformed;
  return [aboutNote(path, 'warning', describe(found.tag), inUse)];
}

function switchedOff({ settings }: CheckPlace): CheckResult[] {
  const names = settings().sectionsOff.map((id) => words.sections[id]?.name ?? id);
  return names.length === 0 ? [] : [{ level: 'note', words: say.switchedOff(names), actions: [openSettings] }];
}

function nextServerStep(action: FailureAction): CheckAction[] {
  switch (action) {
    case 'create-system-prompt':
    case 'turn-off-system-prompt':
    case 'allow-outside-file':
      return [{ id: action, label: words.ownPrompt.actions[action] }];
    default:
      return [];
  }
}
