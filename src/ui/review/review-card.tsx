/** ReviewCard: all changes of a turn in one place, with the decisions on them. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Review } from '../../core/writing/review/review';
import { words } from '../../text';
import { firstPress, Icon, leaveAtEscape, Named, takeFocus } from '../components/controls';
import type { OpenChatState } from '../state/chat-state';
import { countParts, isWaiting, type ReviewState } from '../state/review-state';
import { ChangeSection } from './change-section';
import { legendOf, ReviewSceneProvider, useReviewKeys } from './review-keys';

interface ReviewCardProps {
  readonly review: Review;
  readonly model: ReviewState;
  readonly openNote: (path: string) => void;
  /** Sends a message to the chat. */
  readonly send: (text: string) => void;
}

const say = words.review;
const icons = {
  waiting: 'file-diff',
  applying: 'file-diff',
  applied: 'check',
  undone: 'undo-2',
  rejected: 'x',
} as const;

export function ReviewCard({ review, model, openNote, send }: ReviewCardProps) {
  const stops = useReviewKeys(review, model);
  const { root, current, edit, focusFirst } = stops;
  const waits = isWaiting(review);
  const editing = waits ? stops.editing : null;
  // Reading the signal here redraws the changes when one of them folds.
  const folds = model.folds.value;
  const scene = useMemo(
    () => ({ review, model, current, editing, edit, openNote, send }),
    [review, model, current, editing, folds],
  );
  useLayoutEffect(() => {
    if (!waits) return;
    model.show = focusFirst;
    return () => {
      model.show = null;
    };
  });
  const failure = model.failure.value?.review === review.id ? model.failure.value.failure : null;
  // What is left of the same changes may wait in a card of its own, which then says it.
  const isSaid =
    failure !== null &&
    model.reviews.value.some(({ changes }) => changes.some((change) => change.failure?.words === failure.words));
  return (
    <Named
      own={root}
      class={`docent-review is-${review.state}${stops.hasKeys ? ' has-keys' : ''}`}
      role="group"
      name={say.region}
      aria-live="off"
      onKeyDown={stops.onKeyDown}
      onFocusIn={stops.onFocusIn}
      onFocusOut={stops.onFocusOut}
    >
      <div class="docent-review-head">
        <Icon icon={icons[review.state]} />
        <span class="docent-review-headline">{headlineOf(review)}</span>
        {!waits && <TakeAllBack review={review} model={model} />}
      </div>
      {review.unasked && <div class="docent-review-note">{say.appliedUnasked}</div>}
      {review.reason !== '' && (
        <div class="docent-review-note" dir="auto">
          {say.reason(review.reason)}
        </div>
      )}
      <ReviewSceneProvider value={scene}>
        <ul class="docent-review-changes">
          {review.changes.map((reviewed) => (
            <ChangeSection key={reviewed.change.id} reviewed={reviewed} />
          ))}
        </ul>
      </ReviewSceneProvider>
      {failure !== null && !isSaid && (
        <div class="docent-review-failure" role="alert">
          <Icon icon="triangle-alert" />
          <span>
            {failure.words} <span class="docent-review-remedy">{failure.remedy}</span>
          </span>
        </div>
      )}
      {waits && <Foot review={review} model={model} />}
      <Legend review={review} />
    </Named>
  );
}

/** Foot: the buttons for the whole review, and whether they are visible: if not, ReviewBar replaces them. */
function Foot({ review, model }: Pick<ReviewCardProps, 'review' | 'model'>) {
  const buttons = useRef<HTMLDivElement>(null);
  const [isRejecting, setRejecting] = useState(false);
  const [reason, setReason] = useState('');
  useEffect(() => {
    const element = buttons.current;
    const Observer = element?.ownerDocument.defaultView?.IntersectionObserver;
    if (element === null || Observer === undefined) return;
    const observer = new Observer((seen) => {
      model.isInSight.value = seen.at(-1)?.isIntersecting === true;
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      model.isInSight.value = false;
    };
  }, [model]);
  const { all, accepted, applicable } = countParts(review.changes);
  const unopened = model.unopened.length;
  const isApplying = review.state === 'applying';
  const applyLabel = applicable === 0 ? say.applyNothing : say.apply(applicable, all);
  return (
    <div class="docent-review-foot">
      {unopened > 0 && <div class="docent-review-note is-warning">{say.openFirst(unopened)}</div>}
      {model.isRunning.value && <div class="docent-review-note">{say.running}</div>}
      {model.isEditing && <div class="docent-review-note">{say.editFirst}</div>}
      {model.isStuck && <div class="docent-review-note">{say.nothingApplies(accepted)}</div>}
      <div class="docent-review-buttons" ref={buttons}>
        {isRejecting ? (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void model.rejectAll(reason);
            }}
          >
            <input
              type="text"
              dir="auto"
              placeholder={say.why}
              aria-label={say.why}
              value={reason}
              ref={takeFocus}
              onInput={(event) => setReason(event.currentTarget.value)}
              onKeyDown={leaveAtEscape(() => setRejecting(false))}
            />
            <button type="submit" class="mod-warning" disabled={!model.canReject}>
              {say.rejectAllOf(all)}
            </button>
            <button type="button" onClick={() => setRejecting(false)}>
              {say.cancel}
            </button>
          </form>
        ) : (
          <>
            <button
              type="button"
              class={accepted === 0 ? 'mod-warning' : 'mod-cta'}
              disabled={!model.canApply}
              onClick={() => void model.apply()}
            >
              {isApplying ? say.applying : accepted === 0 ? say.rejectAllOf(all) : applyLabel}
            </button>
            {accepted < all && !isApplying && (
              <button type="button" onClick={() => model.acceptAll()}>
                {say.acceptAll}
              </button>
            )}
            {accepted > 0 && (
              <button type="button" disabled={!model.canReject} onClick={() => setRejecting(true)}>
                {say.rejectAll}
              </button>
            )}
          </>
        )}
      </div>
    </div>
  );
}

/** TakeAllBack: undoes several notes at once; a single one has its own button next to its name. */
function TakeAllBack({ review, model }: Pick<ReviewCardProps, 'review' | 'model'>) {
  const count = (state: 'applied' | 'undone'): number => review.changes.filter((each) => each.state === state).length;
  const [applied, undone] = [count('applied'), count('undone')];
  return (
    <>
      {applied > 1 && (
        <button type="button" class="docent-review-undo" onClick={firstPress(() => void model.undo(review.id))}>
          {say.undoAll}
        </button>
      )}
      {applied === 0 && undone > 1 && (
        <button type="button" class="docent-review-undo" onClick={firstPress(() => void model.redo(review.id))}>
          {say.redoAll}
        </button>
      )}
    </>
  );
}

function Legend({ review }: Pick<ReviewCardProps, 'review'>) {
  return (
    <Named tag="dl" class="docent-review-keys" name={say.keysLabel}>
      {legendOf(review).map(([keys, does]) => (
        <div key={does}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </Named>
  );
}

function headlineOf({ state, changes }: Review): string {
  const notes = (wanted: string): number => changes.filter((each) => each.state === wanted).length;
  switch (state) {
    case 'waiting':
    case 'applying':
      return say.waiting(countParts(changes).all, changes.length);
    case 'applied': {
      const [applied, undone, rejected] = [notes('applied'), notes('undone'), notes('rejected')];
      const isFound = changes.every((each) => each.state !== 'applied' || each.isFound === true);
      if (isFound && undone + rejected === 0) return say.appliedElsewhere(applied);
      const done = undone === 0 ? say.applied(applied) : say.appliedPartly(applied, undone);
      return rejected === 0 ? done : `${done}. ${say.alsoRejected(rejected)}`;
    }
    case 'undone':
      return say.undone(notes('undone'));
    case 'rejected':
      return say.rejected(changes.length);
  }
}

/**
 * ReviewBar: one line above the composer while changes wait and their buttons are out of view; it also announces each
 * act.
 */
export function ReviewBar({ model: { review: model } }: { readonly model: OpenChatState }) {
  return (
    <>
      <WaitingLine model={model} />
      {/* Here and not in the cards, of which a chat has many, so that it is announced once. */}
      <div class="docent-said" role="status">
        {model.said.value}
      </div>
    </>
  );
}

function WaitingLine({ model }: { readonly model: ReviewState }) {
  const review = model.waiting.value;
  // While a change is edited, nothing can be applied, and the line would cover what is written.
  if (review === null || !model.isOutOfSight || model.isEditing) return null;
  const { all, applicable } = countParts(review.changes);
  return (
    <div class="docent-review-bar">
      <Icon icon="file-diff" />
      <span class="docent-review-bar-words">{say.bar(all)}</span>
      <div class="docent-review-bar-buttons">
        <button type="button" onClick={() => model.show?.()}>
          {say.show}
        </button>
        {applicable > 0 && (
          <button type="button" class="mod-cta" disabled={!model.canApply} onClick={() => void model.apply()}>
            {review.state === 'applying' ? say.applying : say.applyShort(applicable, all)}
          </button>
        )}
      </div>
    </div>
  );
}
