/** Failures: why acts of the user failed, each shown in the chat in which it was done. */
import { signal } from '@preact/signals';
import { describeFailure, type Failure, type Outcome } from '../../core/ports/failure';
import { words } from '../../text';

export class Failures {
  /** The one in view. */
  readonly shown = signal<Failure | null>(null);
  /** What tries an act again, by its failure. */
  private readonly again = new WeakMap<Failure, () => void>();
  /** Those of chats that were not in view, by the id of the chat. */
  private readonly elsewhere = new Map<string | null, Failure>();

  constructor(
    private readonly view: { readonly chatId: string | null; readonly ports: { report(said: string): void } },
  ) {}

  /**
   * Shows why an act failed; nothing after one that did not. If another chat is in view by now, a notice says it, and the
   * chat shows it once it is opened.
   */
  show(outcome: Outcome<unknown>, again?: () => void, chatId = this.view.chatId): boolean {
    const failure = outcome.ok ? null : outcome.failure;
    if (failure !== null && again !== undefined) this.again.set(failure, again);
    if (chatId === this.view.chatId) this.shown.value = failure;
    else if (failure === null) this.elsewhere.delete(chatId);
    else {
      this.elsewhere.set(chatId, failure);
      this.view.ports.report(words.chatView.elsewhere(describeFailure(failure)));
    }
    return failure === null;
  }

  /** Shows what failed in a chat before it came into view. */
  opened(chat: string): void {
    this.shown.value = this.elsewhere.get(chat) ?? null;
    this.elsewhere.delete(chat);
  }

  againAfter(failure: Failure): (() => void) | undefined {
    return this.again.get(failure);
  }
}
