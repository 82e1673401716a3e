/**
 * Selects the reference texts of a turn: as they were sent before, or rewritten where that costs nothing (design 5, 6).
 */
import { fingerprint, isEqual } from '../base/equality';
import type { ModelDescription } from '../ports/model';
import type { Block } from '../ports/request-plan';
import { type AssembledPrompt, joinSystem } from '../prompt/assemble-prompt';
import type { PendingReview, SentReference, ReferenceSent, SentItem } from '../session/entry';
import { requestLayout } from './fit';
import {
  blocksOf,
  type Counter,
  type FreshItem,
  freshItems,
  isReference,
  type ReferenceChanges,
  noReferenceChanges,
  rearrangeItems,
  seedItems,
  formatReferenceChanges,
} from './reference-blocks';

/** The minimum number of tokens that providers cache, for models that do not state it. */
export const usualMinimum = 1024;
/** Tiers are filled a little over the provider's minimum, since counts differ. */
const margin = 1.1;

function cacheTargetOf({ cacheMinimum = usualMinimum }: Pick<ModelDescription, 'cacheMinimum'>): number {
  return Math.ceil(Math.max(usualMinimum, cacheMinimum) * margin);
}

export interface ReferenceQuestion {
  readonly prompt: AssembledPrompt;
  readonly model: ModelDescription;
  /** A fingerprint of the tools, which come before everything else. */
  readonly tools: string;
  readonly tokenizer: Counter;
  /** What was sent before; null for a new chat. */
  readonly kept: SentReference | null;
  /** Why rewriting everything costs nothing now: `compaction`, `list` or `cold`; null if it does. */
  readonly free: string | null;
  /** Whether items move above L3 after the start of a chat. */
  readonly promotes?: boolean;
  /** The changes that wait for the user, which the texts show as made; none if absent. */
  readonly proposed?: ProposedFiles | null;
}

export interface ProposedFiles {
  readonly files: PendingReview['files'];
  /** Whether a file is new, changed, or missing only by them. */
  has(path: string): boolean;
}

export interface SelectedReference {
  /** The blocks of the prompt with the reference texts in place. */
  readonly blocks: readonly Block[];
  readonly system: string;
  /** The entry to store before the request is sent; null if nothing changed. */
  readonly sent: ReferenceSent | null;
  readonly changes: ReferenceChanges;
}

interface Selection {
  readonly question: ReferenceQuestion;
  readonly selected: SelectedReference;
}

/** The last selection for the blocks of a prompt, which are the same while nothing changes. */
const selections = new WeakMap<readonly Block[], Selection>();

/**
 * Returns the blocks and the system prompt of the turn. Pure: the chat's sent texts and the fresh ones decide every
 * byte.
 */
export function selectReference(question: ReferenceQuestion): SelectedReference {
  const { blocks } = question.prompt;
  const last = selections.get(blocks);
  if (last !== undefined && isSameQuestion(last.question, question)) return last.selected;
  const selected = select(question);
  // Estimates of tokens are counted again.
  if (question.tokenizer.exact === true) selections.set(blocks, { question, selected });
  return selected;
}

/** @param a asked about the same blocks */
function isSameQuestion(a: ReferenceQuestion, b: ReferenceQuestion): boolean {
  return (
    a.prompt.system === b.prompt.system &&
    a.model === b.model &&
    a.tools === b.tools &&
    a.tokenizer === b.tokenizer &&
    a.kept === b.kept &&
    a.free === b.free &&
    a.promotes === b.promotes &&
    isEqual(a.proposed?.files, b.proposed?.files)
  );
}

function select(question: ReferenceQuestion): SelectedReference {
  const { prompt, model, kept: before, tokenizer } = question;
  const head = headPrint(question);
  const reason = before === null ? 'start' : before.head !== head ? 'head' : question.free;
  const fresh = freshItems(prompt.blocks);
  if (before !== null && reason === null) {
    const sections = new Set(prompt.blocks.map(({ section }) => section));
    return settled(
      question,
      fresh,
      before.items,
      null,
      formatReferenceChanges(before, fresh, sections, (path) => question.proposed?.has(path) ?? false),
    );
  }
  const items = before === null ? seedItems(fresh, cacheTargetOf(model), tokenizer) : again(question, before, fresh);
  const isAsBefore =
    before !== null && before.head === head && sameTexts(before.items, items) && before.told.size === 0;
  const sent: ReferenceSent = { kind: 'reference-sent', head, reason: reason ?? 'start', items };
  return settled(question, fresh, items, isAsBefore ? null : sent, noReferenceChanges);
}

function again(question: ReferenceQuestion, before: SentReference, fresh: readonly FreshItem[]): readonly SentItem[] {
  const { model, tokenizer, promotes = false } = question;
  const options = { cacheTarget: cacheTargetOf(model), promotes, cold: true };
  return rearrangeItems(before.items, before.turns, fresh, options, tokenizer).items;
}

function settled(
  { prompt, tokenizer }: ReferenceQuestion,
  fresh: readonly FreshItem[],
  items: readonly SentItem[],
  sent: ReferenceSent | null,
  changes: ReferenceChanges,
): SelectedReference {
  const others = prompt.blocks.filter((block) => !isReference(block));
  const isHead = ({ zone }: Block): boolean => zone === 'instructions';
  const changeBlocks = changes.parts.map(({ section, text }): Block => ({
    section,
    zone: 'turn',
    place: 'before-message',
    text,
    tokens: tokenizer.count(text),
    outcome: 'full',
    madeVisible: 0,
  }));
  const blocks = [
    ...others.filter(isHead),
    ...withFit(blocksOf(items, tokenizer), fresh),
    ...changeBlocks,
    ...others.filter((block) => !isHead(block)),
  ];
  const system = joinSystem(blocks, requestLayout.joiner);
  return { blocks, system, sent, changes };
}

/** Adds how the budgets fitted each text, and what is invisible in it or was, which is not stored with what was sent. */
function withFit(blocks: readonly Block[], fresh: readonly FreshItem[]): Block[] {
  const fits = new Map(
    fresh.map(({ key, block: { outcome, reason, madeVisible, invisible } }) => [
      key,
      {
        ...{ outcome, madeVisible },
        ...(reason === undefined ? {} : { reason }),
        ...(invisible === undefined ? {} : { invisible }),
      },
    ]),
  );
  return blocks.map((block) => ({ ...block, ...fits.get(block.item ?? '') }));
}

function headPrint({ prompt, model, tools }: ReferenceQuestion): string {
  const head = prompt.blocks.filter(
    ({ zone, place, text }) => zone === 'instructions' && place === 'system' && text !== '',
  );
  return fingerprint([model.id, tools, ...head.map(({ text }) => text)].join('\n'));
}

function sameTexts(before: readonly SentItem[], after: readonly SentItem[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ key, text, tier }, index) => {
      const other = after[index];
      return other?.key === key && other.text === text && other.tier === tier;
    })
  );
}
