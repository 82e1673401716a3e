/** The changes of the open chat, part by part, and what the user does with them. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { ChatState } from '../../core/chat/chat-view-state';
import { type Failure, fail, type Outcome, unexpectedFailure } from '../../core/ports/failure';
import { pathOf } from '../../core/writing/changeset/changeset';
import type { DecisionPart, Review, ReviewActs, ReviewedChange } from '../../core/writing/review/review';
import { words } from '../../text';

const say = words.review;

/**
 * Milliseconds that a request for approval must be visible before it can be answered, so that no key or tap meant for
 * something else approves it (rules 6.2).
 */
export const approvalDelay = 500;

/** A box in which a proposed text is edited. */
interface OpenEdit {
  /** Where it is in its review. */
  readonly stop: string;
  /** The proposal that it was opened with. */
  readonly opened: ReviewedChange;
  /** Absent until the box is drawn. */
  draft?: string;
}

/** ReviewState: the reviews of the open chat, the user's acts on them, and the last failure. */
export class ReviewState {
  readonly reviews: ReadonlySignal<readonly Review[]>;
  /** The review that waits for the user, or is being applied. */
  readonly waiting: ReadonlySignal<Review | null>;
  /** Whether an answer is in progress: then nothing can be applied. */
  readonly isRunning: ReadonlySignal<boolean>;
  /** Why an act failed, with the review it is about. */
  readonly failure = signal<{ readonly review: string; readonly failure: Failure } | null>(null);
  /** The last act, for screen readers. */
  readonly said = signal('');
  /** Whether the buttons of the waiting review are visible. */
  readonly isInSight = signal(false);
  /** Whether the waiting review has been visible long enough to be applied (rules 6.2). */
  readonly isSettled = signal(true);
  /** The open box of each review, also while the review is not in the page. */
  readonly edits = signal<ReadonlyMap<string, OpenEdit>>(new Map());
  /** What the user folded or unfolded, by change. */
  readonly folds = signal<ReadonlyMap<string, boolean>>(new Map());
  private readonly underWay = new Set<string>();
  /** Scrolls to the waiting review and focuses it; null until it is drawn. */
  show: (() => void) | null = null;

  constructor(
    state: ReadonlySignal<Pick<ChatState, 'reviews' | 'running'> | null>,
    private readonly acts: () => ReviewActs | null,
    after?: (milliseconds: number, act: () => void) => () => void,
  ) {
    this.reviews = computed(() => state.value?.reviews ?? []);
    this.waiting = computed(() => this.reviews.value.find(isWaiting) ?? null);
    this.isRunning = computed(() => state.value?.running ?? false);
    const shown = computed(() => (this.isRunning.value ? null : proposalsIn(this.waiting.value)));
    if (after !== undefined) {
      effect(() => {
        this.isSettled.value = shown.value === null;
        if (shown.value === null) return;
        return after(approvalDelay, () => {
          this.isSettled.value = true;
        });
      });
    }
  }

  /** Whether a review waits for the user while its buttons are not visible. */
  get isOutOfSight(): boolean {
    return this.waiting.value !== null && !this.isInSight.value && !this.isRunning.value;
  }

  /** Changes that have to be opened before anything is applied. */
  get unopened(): readonly ReviewedChange[] {
    const review = this.waiting.value;
    if (review === null) return [];
    return taintedChanges(review).filter(({ change }) => !this.folds.value.has(foldKeyOf(review, change.id)));
  }

  /** Whether a proposed text is being edited: what is written there would be lost. */
  get isEditing(): boolean {
    return this.edits.value.has(this.waiting.value?.id ?? '');
  }

  /** Whether nothing of what is accepted can be applied to the notes as they are. */
  get isStuck(): boolean {
    const { accepted, applicable } = countParts(this.waiting.value?.changes ?? []);
    return accepted > 0 && applicable === 0;
  }

  get canApply(): boolean {
    return this.canReject && this.isSettled.value && !this.isEditing && this.unopened.length === 0 && !this.isStuck;
  }

  get canReject(): boolean {
    return this.waiting.value?.state === 'waiting' && !this.isRunning.value;
  }

  /** The newest review that is applied at least in part. */
  get undoable(): Review | null {
    return this.reviews.value.filter(({ state }) => state === 'applied').at(-1) ?? null;
  }

  decide(change: string, part: DecisionPart, accept: boolean, what: string): void {
    this.acts()?.decide(change, part, accept);
    this.said.value = accept ? say.said.accepted(what) : say.said.rejected(what);
  }

  /** Accepts all waiting changes. */
  acceptAll(): void {
    for (const { change } of this.waiting.value?.changes ?? []) this.acts()?.decide(change.id, 'all', true);
  }

  /** Sets the reason of a rejected part; accepted parts stay accepted. */
  giveReason({ change }: ReviewedChange, part: DecisionPart, reason: string): void {
    this.acts()?.decide(change.id, part, false, reason);
  }

  /** @param over the proposed text that was edited */
  async editText(change: string, text: string, what: string, over: string): Promise<boolean> {
    const id = this.waiting.value?.id ?? '';
    return this.carryOut(id, (acts) => acts.editText(change, text, over), say.said.edited(what));
  }

  /** Opens the box for a proposed text, or closes that of the review. */
  edit({ id, changes }: Review, stop: string | null): void {
    const edits = new Map(this.edits.value);
    const opened = changes.find(({ change }) => stop?.startsWith(`${change.id}/`));
    if (stop === null || opened === undefined) edits.delete(id);
    else edits.set(id, { stop, opened });
    this.edits.value = edits;
  }

  /** Returns a change as it was when its box was opened; without a box, as it is. */
  openedOf({ id }: Review, reviewed: ReviewedChange): ReviewedChange {
    const opened = this.edits.peek().get(id)?.opened;
    return opened?.change.id === reviewed.change.id ? opened : reviewed;
  }

  /** Says that an edit was made of lines that are no longer proposed. */
  refuseEdit(): void {
    const review = this.waiting.value?.id ?? '';
    const failure = { kind: 'refused', words: say.editOutdated, remedy: say.editOutdatedRemedy } as const;
    this.failure.value = { review, failure };
    this.said.value = '';
  }

  async createAgain(change: string, what: string): Promise<void> {
    const id = this.waiting.value?.id ?? '';
    const create = () => this.carryOut(id, (acts) => acts.createAgain(change), say.said.createdAgain(what));
    await this.once(`create ${change}`, create);
  }

  /**
   * Rejects a change whose lines were edited since.
   * @param ask asks the model for it again, if it was rejected
   */
  async askAgain(change: string, what: string, ask: () => void): Promise<void> {
    const id = this.waiting.value?.id ?? '';
    await this.once(`ask ${change}`, async () => {
      const reject = (acts: ReviewActs) => acts.rejectAll(say.askAgainReason, change);
      if (await this.carryOut(id, reject, say.said.askedAgain(what))) ask();
    });
  }

  /** Applies the accepted changes; if there are none, rejects all of them. */
  async apply(): Promise<void> {
    const review = this.waiting.value;
    if (review === null || !this.isSettled.value) return;
    if (!this.canApply) {
      const { unopened } = this;
      const other = this.isEditing
        ? say.editFirst
        : this.isStuck
          ? say.nothingApplies(countParts(review.changes).accepted)
          : say.running;
      this.said.value = unopened.length > 0 ? say.openFirst(unopened.length) : other;
      return;
    }
    if (countParts(review.changes).accepted === 0) return this.rejectAll('');
    await this.carryOut(review.id, (acts) => acts.apply(), say.said.applied);
  }

  /** Grants or revokes applying further edits of this note in this chat without review. */
  grant(change: string, granted: boolean): void {
    this.acts()?.grant(change, granted);
  }

  async rejectAll(reason: string): Promise<void> {
    const review = this.waiting.value;
    if (review === null || !this.canReject) return;
    const given = reason.trim() === '' ? reasonIn(review) : reason.trim();
    await this.carryOut(review.id, (acts) => acts.rejectAll(given), say.said.rejectedAll);
  }

  async undo(review: string, change?: string): Promise<void> {
    const undo = () => this.carryOut(review, (acts) => acts.undo(review, change), say.said.undone);
    await this.once(`undo ${review} ${change ?? ''}`, undo);
  }

  async redo(review: string, change?: string): Promise<void> {
    const redo = () => this.carryOut(review, (acts) => acts.redo(review, change), say.said.redone);
    await this.once(`redo ${review} ${change ?? ''}`, redo);
  }

  async undoLast(): Promise<void> {
    const { undoable } = this;
    if (undoable !== null) await this.undo(undoable.id);
  }

  isOpen(review: Review, { change }: ReviewedChange): boolean {
    return this.folds.value.get(foldKeyOf(review, change.id)) ?? opensByItself(review, change);
  }

  fold(review: Review, { change }: ReviewedChange, open: boolean): void {
    this.folds.value = new Map(this.folds.value).set(foldKeyOf(review, change.id), open);
  }

  /** Does nothing while the same act is under way: another press would fail, since its change is made by then. */
  private async once(key: string, act: () => Promise<unknown>): Promise<void> {
    if (this.underWay.has(key)) return;
    this.underWay.add(key);
    await act().finally(() => this.underWay.delete(key));
  }

  private async carryOut(
    review: string,
    act: (acts: ReviewActs) => Promise<Outcome<void>>,
    said: string,
  ): Promise<boolean> {
    const acts = this.acts();
    if (acts === null) return false;
    this.failure.value = null;
    // The same words twice would be announced once.
    this.said.value = '';
    const outcome = await act(acts).catch((thrown: unknown) => fail(unexpectedFailure(thrown)));
    if (!outcome.ok) this.failure.value = { review, failure: outcome.failure };
    this.said.value = outcome.ok ? said : '';
    return outcome.ok;
  }
}

/** Returns a key that changes when the model has proposed more, as on another device; null without a waiting review. */
function proposalsIn(review: Review | null): string | null {
  if (review === null) return null;
  return JSON.stringify(review.changes.map(({ change: { id, calls } }) => [id, ...calls.map((call) => call.id)]));
}

/** Returns a key that changes when a review ends: a review that has ended folds, even if it was unfolded before. */
function foldKeyOf(review: Review, change: string): string {
  return `${isWaiting(review) ? 'waiting' : 'settled'} ${change}`;
}

/**
 * Whether a change unfolds by itself. One made after reading untrusted text does not: opened by hand, it is not
 * overlooked.
 */
function opensByItself(review: Review, { taint }: ReviewedChange['change']): boolean {
  return isWaiting(review) && taint === null;
}

function reasonIn({ changes }: Review): string {
  return changes.map(({ decision }) => decision.reason ?? '').find((reason) => reason !== '') ?? '';
}

/** What of a change can be accepted or rejected on its own. */
export interface ReviewPart {
  readonly part: DecisionPart;
  readonly isAccepted: boolean;
}

/** In display order; a new note and a deletion are one part. */
export function partsOf({ steps, hunks, decision }: ReviewedChange): ReviewPart[] {
  const parts: ReviewPart[] = [];
  if (steps.includes('move')) parts.push({ part: 'move', isAccepted: decision.move });
  if (steps.includes('edit') && hunks.length > 0) {
    parts.push(...hunks.map(({ index }) => ({ part: { hunk: index }, isAccepted: isHunkAccepted(index, decision) })));
  } else if (parts.length === 0 || steps.includes('edit')) {
    parts.push({ part: 'all', isAccepted: decision.hunks === 'all' });
  }
  return parts;
}

export function isHunkAccepted(index: number, { hunks }: ReviewedChange['decision']): boolean {
  return hunks === 'all' || (hunks !== 'none' && hunks.includes(index));
}

/** Whether the user has yet to decide, or it is being applied right now. */
export function isWaiting({ state }: Review): boolean {
  return state === 'waiting' || state === 'applying';
}

/** Whether a change could not be applied because its note was edited since so that it no longer fits. */
export function isOutdated({ failure }: ReviewedChange): boolean {
  return failure?.action === 'ask-again';
}

export interface PartCount {
  readonly all: number;
  readonly accepted: number;
  /** What is accepted, without changes that are known to be refused. */
  readonly applicable: number;
}

export function countParts(changes: readonly ReviewedChange[]): PartCount {
  const parts = changes.flatMap(partsOf);
  const acceptedIn = (counted: readonly ReviewPart[]): number => counted.filter(({ isAccepted }) => isAccepted).length;
  const applicable = acceptedIn(changes.filter((change) => !isRefused(change)).flatMap(partsOf));
  return { all: parts.length, accepted: acceptedIn(parts), applicable };
}

/** Whether a change cannot be applied to its note as it is; an outdated one may be without some of its parts. */
function isRefused(reviewed: ReviewedChange): boolean {
  return reviewed.missing || (isOutdated(reviewed) && partsOf(reviewed).every(({ isAccepted }) => isAccepted));
}

/** Returns accepted changes, whole or in part, that were made after reading untrusted text. */
function taintedChanges({ changes }: Review): ReviewedChange[] {
  return changes.filter(
    (change) => change.change.taint !== null && partsOf(change).some(({ isAccepted }) => isAccepted),
  );
}

/** Returns the file name without its folder, and without the extension for a note. */
export function nameOf({ change }: Pick<ReviewedChange, 'change'>): string {
  const path = pathOf(change);
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
}

/** Empty for the root of the vault. */
export function folderOf({ change }: Pick<ReviewedChange, 'change'>): string {
  const path = pathOf(change);
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
