/**
 * Checks the templates of modes: which step of the chain provides them, and whether they are within their budgets
 * (R005, R093, R259).
 */
import { words } from '../../../text';
import { bodyOf } from '../../markdown/properties';
import { grouped } from '../../markup/prose';
import { describeFailure } from '../../ports/failure';
import { isUsable, type ServedTemplate } from '../../prompt/tiered-prompt-store';
import { isBroken } from '../../prompt/user-text';
import { type ModeId, modeIds, type Tier, tiers } from '../../settings/mode';
import {
  aboutNote,
  agentNotes,
  type Check,
  type CheckPlace,
  type CheckResult,
  fine,
  openSettings,
  settleCounts,
  showTokens,
} from '../check';

const say = words.diagnostics.templates;
const nameOf = (mode: ModeId): string => words.settings.modes[mode];

/** A template that the user wrote as a note. */
interface OwnTemplate {
  readonly path: string;
  readonly tier: Tier;
  readonly text: string;
}

/** The result of reading a template; a note with any other name is a problem. */
interface ReadTemplate {
  readonly template?: OwnTemplate;
  readonly problem?: CheckResult;
}

export const templatesCheck: Check = {
  id: 'templates',
  label: say.label,
  run: async (place, signal) => {
    const { next, scope } = place;
    const notes = agentNotes(place, 'modes/user');
    const read = await Promise.all(notes.map((path) => readOwn(path, place, signal)));
    const own = read.flatMap(({ template }) => template ?? []);
    const pairs = modeIds.flatMap((mode) => tiers.map((tier) => ({ mode, tier })));
    const judged = scope === 'all' ? pairs : [{ mode: next.mode, tier: next.tier }];
    const served = judged.map(({ mode, tier }) => serve(mode, tier, own, place).text);
    await settleCounts([...served, ...own.map(({ text }) => text)], place.tokenizer);
    const problems = [
      ...judged.flatMap(({ mode, tier }) => judgeServed(mode, tier, own, place)),
      ...own.flatMap((template) => judgeOwn(template, place)),
      ...read.flatMap(({ problem }) => problem ?? []),
    ];
    const isFine = !problems.some(({ inUse }) => inUse === true);
    return [
      ...(isFine ? [inUseNow(own, place)] : []),
      ...problems,
      ...(problems.length === 0 && scope === 'all' ? [fine(say.allThere(pairs.length))] : []),
    ];
  },
};

/** Resolves a template as the orchestrator does: in the user's own mode, the user's notes come first. */
function serve(mode: ModeId, tier: Tier, own: readonly OwnTemplate[], { templates }: CheckPlace): ServedTemplate {
  const isOwn = mode === 'user' && own.length > 0;
  const text = own.find((each) => each.tier === tier)?.text;
  return templates.serve(mode, tier, isOwn ? (text !== undefined && isUsable(text) ? text : null) : undefined);
}

function inUseNow(own: readonly OwnTemplate[], place: CheckPlace): CheckResult {
  const { mode, tier } = place.next;
  const { text } = serve(mode, tier, own, place);
  const tokens = showTokens(text, place.tokenizer);
  return fine(say.inUse(nameOf(mode), tier, tokens, grouped(place.templateBudget(tier))));
}

function isNext(mode: ModeId, tier: Tier, { next }: CheckPlace): boolean {
  return next.mode === mode && next.tier === tier;
}

function judgeServed(mode: ModeId, tier: Tier, own: readonly OwnTemplate[], place: CheckPlace): CheckResult[] {
  const inUse = isNext(mode, tier, place);
  const served = serve(mode, tier, own, place);
  if (served.text.trim() === '') return [{ level: 'error', words: say.noneServed(nameOf(mode), tier), inUse }];
  const results: CheckResult[] = [];
  if (served.step === 'built-in') {
    // An existing but empty note has a report of its own.
    if (inUse && own.every((each) => each.tier !== tier))
      results.push({ level: 'warning', words: say.builtInServed(nameOf(mode), tier), inUse, actions: [openSettings] });
  } else if (served.step !== 'exact' && served.step !== 'own') {
    const message = say.otherServed(nameOf(mode), tier, nameOf(served.mode), served.tier);
    results.push({ level: 'warning', words: message, inUse });
  }
  // A problem of the user's own note is reported for that note.
  if (served.step !== 'own' && isOver(tier, served.text, place)) {
    results.push({ level: 'warning', words: overBudget(tier, served.text, place), inUse, actions: [openSettings] });
  }
  return results;
}

function judgeOwn({ path, tier, text }: OwnTemplate, place: CheckPlace): CheckResult[] {
  const inUse = isNext('user', tier, place);
  if (text === '') return [aboutNote(path, 'warning', say.empty, inUse)];
  if (isBroken(text)) return [aboutNote(path, 'warning', say.broken, inUse)];
  return isOver(tier, text, place) ? [aboutNote(path, 'warning', overBudget(tier, text, place), inUse)] : [];
}

/** Factor by which an estimate may be too high, so that nobody is asked to shorten a text that is within its budget. */
const estimateMargin = 1.2;

function isOver(tier: Tier, text: string, { tokenizer, templateBudget }: CheckPlace): boolean {
  return tokenizer.count(text) > templateBudget(tier) * (tokenizer.exact ? 1 : estimateMargin);
}

function overBudget(tier: Tier, text: string, { tokenizer, templateBudget }: CheckPlace): string {
  return say.overBudget(tier, showTokens(text, tokenizer), grouped(templateBudget(tier)));
}

async function readOwn(path: string, place: CheckPlace, signal: AbortSignal): Promise<ReadTemplate> {
  const tier = tierOf(path);
  if (tier === null) return { problem: aboutNote(path, 'warning', say.strangeName) };
  const outcome = await place.readNote(path, signal);
  if (outcome.ok) return { template: { path, tier, text: bodyOf(outcome.value.text) } };
  return { problem: aboutNote(path, 'error', describeFailure(outcome.failure), isNext('user', tier, place)) };
}

function tierOf(path: string): Tier | null {
  const digit = Number(/\/tier(\d)\.md$/.exec(path)?.[1]);
  return tiers.find((tier) => tier === digit) ?? null;
}
