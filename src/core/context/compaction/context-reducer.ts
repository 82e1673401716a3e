/**
 * ContextReducer: what a chat and its user can do when the context window fills. All of it is log entries, and nothing
 * is lost.
 */
import { words } from '../../../text';
import { cutMiddle, tokensByRule } from '../../markup/budget';
import { type Failure, fail, type Outcome, succeed } from '../../ports/failure';
import { toolCallsOf } from '../../ports/message';
import { type Model, tinyWindow } from '../../ports/model';
import type { RequestPlan } from '../../ports/request-plan';
import { foldLog, visibleEntries } from '../../request/history';
import { formatFramed } from '../../request/history-text';
import {
  type EntryBody,
  type FormChange,
  isUserEntry,
  type SessionEntry,
  type Snapshot,
  type SummaryBody,
  type SummaryRefusal,
} from '../../session/entry';
import { usableWindow } from '../context-window';
import { coveredBy, coveredIn, isPinnedItem, type SummaryEntry, summaryInForce } from '../../session/log-state';
import { findLast } from '../../session/running-fold';
import type { OutputPort } from '../../tools/tool';
import { recordSummary, measure, type ReducedChat } from './compact-history';
import { freeContext, freeContextAfterTurn, planToFit, type FreedContext } from './free-context';
import { type ContextItem, type ItemsInput, listItems } from './list-items';
import { runCompaction } from './run-compaction';

/** A summary that is not in force yet. */
export interface SummaryDraft {
  readonly body: SummaryBody;
}

/** What the user asks of a summary. */
export interface SummaryInstructions {
  readonly focus?: string;
  /** The user entry of the last exchange to cover; the default cut without it. */
  readonly upTo?: string;
}

export class ContextReducer {
  constructor(private readonly chat: ReducedChat) {}

  readonly before = (room: FreedContext): Promise<Outcome<boolean>> => freeContext(this.chat, room);
  readonly after = (model: Model, signal: AbortSignal): Promise<Outcome<unknown>> =>
    freeContextAfterTurn(this.chat, model, signal);
  readonly plan = (room: FreedContext, further?: EntryBody): Promise<RequestPlan> =>
    planToFit(this.chat, room, further);

  /** The summary in force; null while the whole history is sent. */
  get inForce(): SummaryEntry | null {
    return summaryInForce(this.chat.log.entries);
  }

  /** Returns how to read a cleared result by its handle, and the maximum tokens of one result. */
  outputs(caps: ResultCaps): OutputPort {
    const { log } = this.chat;
    return {
      get tokens() {
        return caps.tokens;
      },
      get matching() {
        const question = findLast(log.entries, isUserEntry)?.text ?? '';
        return caps.isTiny ? { question, tokens: caps.matchingTokens } : undefined;
      },
      isShown: (text) => {
        const isSame = (entry: SessionEntry): boolean => entry.kind === 'tool-result' && entry.text === text;
        return caps.isTiny && visibleEntries(log.entries).some(isSame);
      },
      read: (handle: string) => {
        const entry = log.entries.find(({ id, kind }) => kind === 'tool-result' && id === handle);
        return entry?.kind === 'tool-result' ? entry : null;
      },
    };
  }

  /** Drafts a summary for the user to review; it has no effect before it is accepted (R240). */
  async draft(
    model: Model,
    { focus = '', upTo }: SummaryInstructions,
    signal: AbortSignal,
  ): Promise<Outcome<SummaryDraft>> {
    const { context, log } = this.chat;
    const prepared = await context.prepare(model.description, [], signal);
    const plan = await prepared.plan(foldLog(log.entries));
    const order = { trigger: 'manual', focus, upTo: upTo ?? null, model, prepared, plan, signal } as const;
    const compacted = await runCompaction(this.chat, order);
    if (compacted === 'closed') return refuse('too-little');
    return compacted.ok ? succeed({ body: compacted.body }) : refuse(compacted.reason);
  }

  /** Puts a draft in force, with the user's edits; refuses if the history it covers has changed. */
  async accept(draft: SummaryDraft, snapshot: Snapshot = draft.body.snapshot): Promise<Outcome<unknown>> {
    const { entries } = this.chat.log;
    const known = new Set(entries.map(({ id }) => id));
    const { covers, continues } = draft.body;
    const isKnown = covers.every((id) => known.has(id)) && (continues === undefined || known.has(continues));
    const covered = coveredBy(entries, draft.body);
    const fits = isKnown && [...coveredIn(entries)].every((id) => covered.has(id));
    if (!fits) {
      return fail({ kind: 'refused', words: words.status.outdated, remedy: words.status.outdatedRemedy });
    }
    return recordSummary(this.chat, { ...draft.body, snapshot });
  }

  /** Returns the tokens that the next request would have with this summary. */
  async measure(model: Model, body: SummaryBody, signal: AbortSignal): Promise<number> {
    const prepared = await this.chat.context.prepare(model.description, [], signal);
    const measured = await measure({ entries: this.chat.log.entries, plan: (asked) => prepared.plan(asked) }, body);
    return measured.after;
  }

  edit(summary: string, snapshot: Snapshot): Promise<Outcome<unknown>> {
    return this.keep({ kind: 'summary-edited', summary, snapshot });
  }

  /** Undoes the summary, so that its messages are sent again. Only the summary in force can be undone. */
  async undo(summary: string): Promise<Outcome<unknown>> {
    if (this.inForce?.id !== summary) return succeed(undefined);
    return this.keep({ kind: 'summary-undone', summary });
  }

  /**
   * Changes how parts of the request are sent from now on. Token counts stay valid while the history stays as it was
   * sent.
   */
  change(forms: readonly FormChange[]): Promise<Outcome<unknown>> {
    const body = { kind: 'context-forms', forms, by: 'user' } as const;
    return forms.every(({ target }) => isPinnedItem(target)) ? this.chat.record(body) : this.keep(body);
  }

  /** Lists what the context contains, item by item. */
  items(plan: RequestPlan, choices: ItemsInput['choices']): ContextItem[] {
    const { log, ports } = this.chat;
    return listItems({ entries: log.entries, choices, plan, tokenizer: ports.tokenizer });
  }

  private async keep(body: EntryBody): Promise<Outcome<unknown>> {
    const stored = await this.chat.record(body);
    if (stored.ok) this.chat.context.forgetSent();
    return stored;
  }
}

function refuse(reason: SummaryRefusal): Outcome<never> {
  const failure: Failure = {
    kind: reason === 'stopped' ? 'aborted' : 'refused',
    words: words.status.refused[reason],
    remedy: words.status.refusedRemedy,
  };
  return fail(failure);
}

/**
 * Limits of one result, in tokens and as a share of the context window; the smaller one applies. Where a window holds a
 * few messages, a smaller share leaves space for what follows.
 */
const maxCap = 8_000;
const windowShare = 0.15;
const tinyWindowShare = 0.08;
/** In such a window a result takes at most this share of the free tokens, and at least the second share of the window. */
const freeShare = 0.2;
const minShare = 0.03;
/** The share of the window for lines that match the question or the search, and the tokens of a short paragraph. */
const matchingShare = 0.016;
const minMatching = 66;
/** A line of a note and what is said above it. */
const minTokens = 100;

/** How much of each tool result of a turn is sent: the log stores all of it, the model gets its start and end (R243, K35). */
export class ResultCaps {
  /** Tokens that the conversation can still grow by before something must be cleared; unknown before the first request. */
  private free = Infinity;
  /** Results that the newest answer asks for. */
  private results = 1;

  /** @param window tokens of the context window */
  constructor(private readonly window: number) {}

  /** Whether a result holds a few lines. */
  get isTiny(): boolean {
    return this.window <= tinyWindow;
  }

  /** The maximum tokens of each result of the newest answer: the same while its calls run and when they are stored. */
  get tokens(): number {
    if (!this.isTiny) return Math.min(maxCap, Math.floor(this.window * windowShare));
    const min = Math.max(minTokens, Math.floor(this.window * minShare));
    // As if each result took its share of what the one before left, and then split equally.
    const share = (1 - (1 - freeShare) ** this.results) / this.results;
    return Math.max(min, Math.floor(Math.min(this.window * tinyWindowShare, this.free * share)));
  }

  /** The maximum tokens of lines that were chosen because they match: about one passage. */
  get matchingTokens(): number {
    return Math.min(this.tokens, Math.max(minMatching, Math.floor(this.window * matchingShare)));
  }

  /** Takes note of the request that is about to be sent. */
  planned({ totals }: Pick<RequestPlan, 'totals'>): void {
    this.free = usableWindow(totals) - totals.all;
    this.results = 1;
  }

  /** Sets how much of a tool result is sent; other entries pass through. */
  cap(body: EntryBody): EntryBody {
    if (body.kind === 'assistant') this.results = Math.max(1, toolCallsOf(body.parts).length);
    if (body.kind !== 'tool-result') return body;
    // Escaping makes some texts longer, so they are measured as they will be sent.
    const count = (part: string): number => tokensByRule(formatFramed(part, body.frame));
    const shown = cutMiddle(body.text, this.tokens, { count });
    return shown === null ? body : { ...body, shown };
  }
}
