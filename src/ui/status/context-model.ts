/** ContextModel: what the pane lets a person do about a window that fills; the windows for it are opened by the view. */
import type { Chat } from '../../core/chat';
import type { SummaryDraft, SummaryWish } from '../../core/context/compaction/context-relief';
import type { ContextItem, ItemAct } from '../../core/context/compaction/list-items';
import { fail, type Outcome, succeed } from '../../core/failure';
import type { Snapshot } from '../../core/prompt/compression-prompt';
import type { RequestPlan } from '../../core/request/request-plan';
import { words } from '../../text';

export interface ContextWindows {
  showList(): void;
  /** Shows a summary to be changed; it resolves with the words to keep, or null. */
  editSnapshot(shown: ShownSnapshot): Promise<Snapshot | null>;
}

export interface ShownSnapshot {
  readonly snapshot: Snapshot;
  /** Tokens of the request before and after; null for a summary that is in force already. */
  readonly effect: { readonly before: number; readonly after: number } | null;
}

export class ContextModel {
  windows: ContextWindows | null = null;

  constructor(
    private readonly chat: () => Chat | null,
    /** Shows what went wrong, or that nothing did, and counts the next request again. */
    private readonly settle: (outcome: Outcome<unknown>) => void,
  ) {}

  items(plan: RequestPlan | null): readonly ContextItem[] {
    const chat = this.chat();
    return chat === null || plan === null ? [] : chat.relief.items(plan, chat.choices);
  }

  async act({ kind, target }: ContextItem, act: ItemAct): Promise<void> {
    const chat = this.chat();
    if (chat === null) return;
    if (act === 'summarise') return this.summarise({ upTo: target.slice(target.indexOf(':') + 1) });
    if (kind === 'section' || !target.startsWith(`${kind}:`)) {
      this.settle(await chat.choose(choiceOf(chat, kind, target, act)));
      return;
    }
    const form = act === 'unpin' ? 'whole' : act;
    this.settle(await chat.relief.change([{ target, form }]));
  }

  /** Has a summary written, shows it, and puts it in force in the words that the user leaves it. */
  async summarise(wish: SummaryWish): Promise<void> {
    const chat = this.chat();
    if (chat === null) return;
    const drafted = await chat.summarise(wish);
    if (!drafted.ok) return this.settle(drafted);
    this.settle(await this.offer(chat, drafted.value));
  }

  private async offer(chat: Chat, draft: SummaryDraft): Promise<Outcome<unknown>> {
    const { snapshot, before, after } = draft.body;
    const kept = await this.windows?.editSnapshot({ snapshot, effect: { before, after } });
    return kept === null || kept === undefined ? succeed(undefined) : chat.relief.accept(draft, kept);
  }

  async edit(summary: string): Promise<void> {
    const chat = this.chat();
    const current = chat?.relief.inForce;
    if (chat === null || current === null || current === undefined) return;
    if (current.id !== summary) return this.settle(outdated());
    const kept = await this.windows?.editSnapshot({ snapshot: current.snapshot, effect: null });
    if (kept !== null && kept !== undefined) this.settle(await chat.relief.edit(summary, kept));
  }

  async undo(summary: string): Promise<void> {
    const chat = this.chat();
    if (chat !== null) this.settle(await chat.relief.undo(summary));
  }

  /** Only the summary in force can be changed or taken back. */
  isInForce(summary: string): boolean {
    return this.chat()?.relief.inForce?.id === summary;
  }
}

function choiceOf(chat: Chat, kind: ContextItem['kind'], target: string, act: ItemAct) {
  const { contextNotes, sectionsOff } = chat.choices;
  if (kind === 'note') return { contextNotes: contextNotes.filter((path) => path !== target) };
  const others = sectionsOff.filter((id) => id !== target);
  return { sectionsOff: act === 'dropped' ? [...others, target] : others };
}

function outdated(): Outcome<never> {
  return fail({ kind: 'refused', words: words.status.outdated, remedy: words.status.outdatedRemedy });
}
