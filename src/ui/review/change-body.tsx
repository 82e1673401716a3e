/** ChangeBody: what is shown of an unfolded change. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { textBefore } from '../../core/writing/changeset/changeset';
import type { ReviewedChange } from '../../core/writing/review/review';
import { words } from '../../text';
import { isOfInputMethod, Named } from '../components/controls';
import { NoteText } from '../components/changed-text';
import { isWaiting, nameOf, partsOf } from '../state/review-state';
import { EditText, editableText, saveEdit } from './edit-text';
import { type Finding, FindingsView } from './findings';
import { initialLimit, raiseLimit, RowsView, rowsOfText } from './hunk-rows';
import { HunkSection, PartCheck } from './hunk-section';
import { propertyRowsOf } from './properties';
import { stopOf, focusProps, useScene } from './review-keys';

interface ChangeBodyProps {
  readonly reviewed: ReviewedChange;
  readonly findings: readonly Finding[];
  /** Whether the whole text of a new note is being edited. */
  readonly isEditing: boolean;
}

const say = words.review;
/** Hunks that are drawn at first. */
const firstHunks = 12;

export function ChangeBody({ reviewed, findings, isEditing }: ChangeBodyProps) {
  const scene = useScene();
  const { edit, editing } = scene;
  const { change, steps, hunks } = reviewed;
  const [shown, setShown] = useState(hunksToShow(editing));
  const properties = useMemo(() => propertyRowsOf(reviewed), [hunks, reviewed.properties]);
  const name = nameOf(reviewed);
  return (
    <div class="docent-review-body">
      <FindingsView findings={findings} />
      <ApplyResult reviewed={reviewed} />
      {steps.includes('move') && <MoveSection reviewed={reviewed} />}
      {isEditing && (
        <EditText
          text={editableText(reviewed, null)}
          name={name}
          onSave={(draft) => saveEdit(scene, reviewed, null, draft, name)}
          onClose={() => edit(null)}
        />
      )}
      {steps.includes('create') && !isEditing && <WholeText kind="added" text={change.text ?? ''} />}
      {steps.includes('delete') && (
        <>
          <div class="docent-review-note">{say.toTrash}</div>
          {change.base?.text === null ? (
            <div class="docent-review-note">{say.notText}</div>
          ) : (
            <WholeText kind="removed" text={textBefore(change)} />
          )}
        </>
      )}
      {steps.includes('edit') && hunks.length === 0 && <div class="docent-review-note">{say.onlyInvisible}</div>}
      {steps.includes('edit') &&
        hunks
          .slice(0, shown)
          .map((hunk) => (
            <HunkSection key={hunk.index} reviewed={reviewed} hunk={hunk} properties={properties.get(hunk.index)} />
          ))}
      {steps.includes('edit') && hunks.length > shown && (
        <button type="button" class="docent-review-more" onClick={() => setShown(shown + firstHunks * 4)}>
          {say.moreHunks(hunks.length - shown)}
        </button>
      )}
      <Why reviewed={reviewed} />
      <Grant reviewed={reviewed} />
    </div>
  );
}

/** Returns how many hunks are drawn, up to the one whose text is being edited. */
function hunksToShow(editing: string | null): number {
  return Math.max(firstHunks, 1 + (Number(editing?.split('/').at(-1)) || 0));
}

/** Grant: the auto-edit grant for this note; offered only where the policy would respect it. */
function Grant({ reviewed }: { readonly reviewed: ReviewedChange }) {
  const { review, model } = useScene();
  const { change, granted = null } = reviewed;
  if (granted === null || !isWaiting(review)) return null;
  // A user who rejects all of it is not asked to allow more of it.
  if (!granted && partsOf(reviewed).every(({ isAccepted }) => !isAccepted)) return null;
  return (
    <label class="docent-review-grant">
      <input
        type="checkbox"
        checked={granted}
        disabled={review.state === 'applying'}
        onChange={(event) => model.grant(change.id, event.currentTarget.checked)}
      />
      <span>{say.grant}</span>
    </label>
  );
}

function MoveSection({ reviewed }: { readonly reviewed: ReviewedChange }) {
  const scene = useScene();
  const { review, model } = scene;
  const { change, linkedFrom, namedIn, decision, rewritten } = reviewed;
  const waits = isWaiting(review);
  const title = say.movedTo(change.to ?? '');
  const isOneOfSeveral = waits && partsOf(reviewed).length > 1;
  const count = linkedFrom.length;
  const canvases = linkedFrom.filter((path) => /\.canvas$/i.test(path)).length;
  const isBreaking = waits && count > 0 && !review.linksFollowMoves;
  return (
    <Named
      tag="section"
      class={`docent-review-hunk docent-review-move ${waits && !decision.move ? 'is-rejected' : ''}`}
      role="group"
      name={title}
      {...focusProps(scene, change.id, 'move')}
    >
      <div class="docent-review-part-head">
        {isOneOfSeveral && (
          <PartCheck
            label={say.move}
            isAccepted={decision.move}
            isReachable={scene.current === stopOf(change.id, 'move')}
            isDisabled={review.state === 'applying'}
            onChange={(accept) => model.decide(change.id, 'move', accept, say.move)}
          />
        )}
        <span class="docent-review-place" dir="auto">
          <NoteText text={title} />
        </span>
        {isOneOfSeveral && !decision.move && <span class="docent-review-mark">{say.rejectedMark}</span>}
      </div>
      {isBreaking && <div class="docent-review-note is-warning">{say.linksBreak(count)}</div>}
      {count > 0 && (
        <details class="docent-review-raw">
          <summary>{isBreaking ? say.linkedFrom : say.linksFollow(count, canvases)}</summary>
          <Paths paths={linkedFrom} />
        </details>
      )}
      {namedIn.length > 0 && (
        <details class="docent-review-raw" open>
          <summary>{say.namedIn(namedIn.length)}</summary>
          <Paths paths={namedIn} />
        </details>
      )}
      {rewritten.length > 0 && (
        <details class="docent-review-raw">
          <summary>{say.linksUpdated(rewritten.length)}</summary>
          <Paths paths={rewritten} />
        </details>
      )}
    </Named>
  );
}

/** Paths that a list shows at first. */
const firstPaths = 200;

function Paths({ paths }: { readonly paths: readonly string[] }) {
  const [shown, setShown] = useState(firstPaths);
  return (
    <ul class="docent-review-paths" tabIndex={0}>
      {paths.slice(0, shown).map((path) => (
        <li key={path} dir="auto">
          <NoteText text={path} />
        </li>
      ))}
      {paths.length > shown && (
        <li>
          <button type="button" class="docent-review-more" onClick={() => setShown(shown + firstPaths * 5)}>
            {say.morePaths(paths.length - shown)}
          </button>
        </li>
      )}
    </ul>
  );
}

/** ApplyResult: what happened when the change was applied, beyond what was proposed. */
function ApplyResult({ reviewed: { merged, altered, isFound, isUndoable } }: { readonly reviewed: ReviewedChange }) {
  return (
    <>
      {isFound === true && (
        <div class="docent-review-note">{isUndoable === true ? say.foundWithJournal : say.found}</div>
      )}
      {merged && <div class="docent-review-note">{say.merged}</div>}
      {altered && <div class="docent-review-note is-warning">{say.altered}</div>}
    </>
  );
}

function WholeText({ kind, text }: { readonly kind: 'added' | 'removed'; readonly text: string }) {
  const [limit, setLimit] = useState(initialLimit);
  const { rows, left } = useMemo(() => rowsOfText(kind, text, limit), [kind, text, limit]);
  if (text === '') return <div class="docent-review-note">{say.emptyNote}</div>;
  return <RowsView rows={rows} left={left} onMore={() => setLimit(raiseLimit(limit))} />;
}

/** Why: the reason of a rejection. It belongs to the note, since the model gets one rejection per note. */
function Why({ reviewed }: { readonly reviewed: ReviewedChange }) {
  const { review, model } = useScene();
  const { decision } = reviewed;
  const rejected = partsOf(reviewed).find(({ isAccepted }) => !isAccepted);
  const [text, setText] = useState(decision.reason ?? '');
  useEffect(() => setText(decision.reason ?? ''), [decision.reason]);
  if (!isWaiting(review) || rejected === undefined) return null;
  const keep = (): void => {
    if (text.trim() !== (decision.reason ?? '')) model.giveReason(reviewed, rejected.part, text.trim());
  };
  return (
    <input
      type="text"
      class="docent-review-why"
      dir="auto"
      placeholder={say.why}
      aria-label={say.whyOf(nameOf(reviewed))}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (isOfInputMethod(event) || (event.key !== 'Enter' && event.key !== 'Escape')) return;
        event.preventDefault();
        event.stopPropagation();
        keep();
        event.currentTarget
          .closest('.docent-review-change')
          ?.querySelector<HTMLElement>('[data-stop][tabindex="0"], [data-stop]')
          ?.focus();
      }}
    />
  );
}
