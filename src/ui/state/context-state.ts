/** ContextState: what the user can do about a context window that fills up; the view supplies the modals. */
import type { Chat } from '../../core/chat/chat';
import type { SummaryDraft, SummaryInstructions } from '../../core/context/compaction/context-reducer';
import type { ContextItem, ItemAct } from '../../core/context/compaction/list-items';
import { fail, type Outcome, succeed } from '../../core/ports/failure';
import type { RequestPlan } from '../../core/ports/request-plan';
import type { ChatChoices, Snapshot } from '../../core/session/entry';
import { isPinnedItem } from '../../core/session/log-state';
import { words } from '../../text';

export interface ContextWindows {
  showList(): void;
  /** Lets the user edit a summary; resolves to the result, or null if the modal was closed. */
  editSnapshot(shown: EditableSummary): Promise<Snapshot | null>;
}

export interface EditableSummary {
  readonly snapshot: Snapshot;
  /** Tokens of the request before and after; null for a summary that is already in use. */
  readonly effect: { readonly before: number; readonly after: number } | null;
  /** Notices shown with the summary. */
  readonly notices: readonly string[];
}

export class ContextState {
  windows: ContextWindows | null = null;

  constructor(
    private readonly chat: () => Chat | null,
    /** Shows a failure in its chat or clears the last one, and counts the next request again. */
    private readonly settle: (outcome: Outcome<unknown>, chat: Chat) => void,
  ) {}

  items(plan: RequestPlan | null): readonly ContextItem[] {
    const chat = this.chat();
    return chat === null || plan === null ? [] : chat.contextEvents.items(plan, chat.choices);
  }

  async act({ kind, target, form, label }: ContextItem, act: ItemAct): Promise<void> {
    const chat = this.chat();
    if (chat === null) return;
    if (act === 'summarise') return this.summarise({ upTo: target.slice(target.indexOf(':') + 1) });
    const choice = choiceOf(chat, { kind, target, label }, form, act);
    if (choice !== null) {
      const chosen = await chat.choose(choice);
      if (!chosen.ok || act === 'dropped') return this.settle(chosen, chat);
    }
    this.settle(await chat.contextEvents.change([{ target, form: act === 'unpin' ? 'whole' : act }]), chat);
  }

  /** Requests a summary, lets the user edit it, and puts the result into use. */
  async summarise(instructions: SummaryInstructions): Promise<void> {
    const chat = this.chat();
    if (chat === null) return;
    const drafted = await chat.summarise(instructions);
    const done = drafted.ok ? await this.confirmDraft(chat, drafted.value) : drafted;
    // Another chat that was opened since has a failure of its own.
    if (!done.ok || this.isShown(chat)) this.settle(done, chat);
  }

  private isShown({ id }: Chat): boolean {
    return this.chat()?.id === id;
  }

  private async confirmDraft(chat: Chat, draft: SummaryDraft): Promise<Outcome<unknown>> {
    const { snapshot, before, after, by, topic, notices = [] } = draft.body;
    const about = [
      ...(this.isShown(chat) ? [] : [words.status.snapshotElsewhere]),
      ...(topic === undefined ? [] : [words.status.remainingTopic(topic)]),
      ...(by === 'extraction' ? [words.status.byExtraction] : []),
      ...notices,
    ];
    const edited = await this.windows?.editSnapshot({ snapshot, effect: { before, after }, notices: about });
    return edited === null || edited === undefined ? succeed(undefined) : chat.contextEvents.accept(draft, edited);
  }

  async edit(summary: string): Promise<void> {
    const chat = this.chat();
    const current = chat?.contextEvents.inForce;
    if (chat === null || current === null || current === undefined) return;
    if (current.id !== summary) return this.settle(outdated(), chat);
    const edited = await this.windows?.editSnapshot({ snapshot: current.snapshot, effect: null, notices: [] });
    if (edited !== null && edited !== undefined) this.settle(await chat.contextEvents.edit(summary, edited), chat);
  }

  async undo(summary: string): Promise<void> {
    const chat = this.chat();
    if (chat !== null) this.settle(await chat.contextEvents.undo(summary), chat);
  }

  /** Whether this summary is the one in use; only that one can be edited or undone. */
  isInForce(summary: string): boolean {
    return this.chat()?.contextEvents.inForce?.id === summary;
  }
}

/** Returns the choice of sections and pinned notes that an act makes; null if it makes none. */
function choiceOf(
  chat: Chat,
  { kind, target, label }: Pick<ContextItem, 'kind' | 'target' | 'label'>,
  form: ContextItem['form'],
  act: ItemAct,
): ChatChoices | null {
  if (!isPinnedItem(target)) return null;
  const { contextNotes, sectionsOff } = chat.choices;
  if (kind === 'note')
    return act === 'dropped' ? { contextNotes: contextNotes.filter((path) => path !== label) } : null;
  const others = sectionsOff.filter((id) => id !== label);
  if (act === 'dropped') return { sectionsOff: [...others, label] };
  return form === 'dropped' && others.length < sectionsOff.length ? { sectionsOff: others } : null;
}

function outdated(): Outcome<never> {
  return fail({ kind: 'refused', words: words.status.outdated, remedy: words.status.outdatedRemedy });
}
