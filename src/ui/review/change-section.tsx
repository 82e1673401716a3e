/** ChangeSection: one note of a review: what happens to it, what to check, and its hunks. */
import { useRef } from 'preact/hooks';
import type { ReviewedChange } from '../../core/writing/review/review';
import { words } from '../../text';
import { NoteText } from '../components/changed-text';
import { firstPress, Icon, IconButton, Named } from '../components/controls';
import { memo } from '../components/memo';
import { folderOf, isOutdated, isWaiting, nameOf, partsOf } from '../state/review-state';
import { ChangeBody } from './change-body';
import { type Finding, findingsOf } from './findings';
import { lineCount } from './hunk-rows';
import { PartCheck } from './hunk-section';
import { stopOf, focusProps, useScene } from './review-keys';

const say = words.review;
const icons = { create: 'file-plus', edit: 'pencil-line', move: 'folder-input', delete: 'trash-2' } as const;

export const ChangeSection = memo(function ChangeSection({ reviewed }: { readonly reviewed: ReviewedChange }) {
  const scene = useScene();
  const { review, model, editing } = scene;
  const { change, state } = reviewed;
  // A change does not fold while its text is being edited.
  const isEdited = editing?.startsWith(`${change.id}/`) === true;
  // While its text is being edited, the proposal stays as it was opened: another one must not slip under the box.
  const opened = useRef(model.openedOf(review, reviewed));
  if (!isEdited || reviewed.hunks === opened.current.hunks) opened.current = reviewed;
  const isOpen = isEdited || model.isOpen(review, reviewed);
  const isRejected = isWaiting(review) ? countAccepted(reviewed) === 0 : state === 'rejected';
  const findings = findingsOf(reviewed);
  return (
    <li class={`docent-review-change is-${stepOf(reviewed)} ${isRejected ? 'is-rejected' : ''} is-${state}`}>
      <ChangeHead reviewed={reviewed} isOpen={isOpen} isRejected={isRejected} />
      {!isOpen && findings.length > 0 && <Pills findings={findings} />}
      {isWaiting(review) && (reviewed.missing || isOutdated(reviewed)) ? (
        <NoteChanged reviewed={reviewed} />
      ) : (
        reviewed.failure !== null &&
        !reviewed.missing && (
          <div class="docent-review-failure" role="alert">
            <Icon icon="triangle-alert" />
            <span>
              {reviewed.failure.words} <span class="docent-review-remedy">{reviewed.failure.remedy}</span>
            </span>
          </div>
        )
      )}
      {isOpen && (
        <ChangeBody reviewed={opened.current} findings={findings} isEditing={editing === stopOf(change.id, 'all')} />
      )}
    </li>
  );
});

/** NoteChanged: says that the note of a change was deleted, moved, or edited since, with what can be done about it. */
function NoteChanged({ reviewed }: { readonly reviewed: ReviewedChange }) {
  const { review, model, send } = useScene();
  const { change, steps, missing } = reviewed;
  const [path, name] = [change.from ?? '', nameOf(reviewed)];
  const isBusy = review.state === 'applying' || model.isRunning.value;
  const ask = (): void => send(say.askAgainMessage(path));
  return (
    <div class="docent-review-failure" role="alert">
      <Icon icon="triangle-alert" />
      <div>
        <NoteText text={whatChanged(reviewed, path)} />
        <div class="docent-review-buttons">
          {missing && steps.includes('edit') && (
            <button
              type="button"
              aria-label={say.createAgainOf(name)}
              disabled={isBusy}
              onClick={() => void model.createAgain(change.id, name)}
            >
              {say.createAgain}
            </button>
          )}
          {!missing && (
            <button
              type="button"
              aria-label={say.askAgainOf(name)}
              disabled={isBusy}
              onClick={() => void model.askAgain(change.id, name, ask)}
            >
              {say.askAgain}
            </button>
          )}
          {countAccepted(reviewed) > 0 && (
            <button
              type="button"
              aria-label={say.rejectOf(name)}
              disabled={isBusy}
              onClick={() => model.decide(change.id, 'all', false, name)}
            >
              {say.reject}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

function whatChanged({ missing, steps, hunks }: ReviewedChange, path: string): string {
  const isDeletion = steps.includes('delete');
  if (missing) return isDeletion ? say.missingDeletion(path) : say.missing(path);
  if (isDeletion) return say.outdatedDeletion(path);
  return hunks.length > 1 ? `${say.outdated(path)} ${say.outdatedParts}` : say.outdated(path);
}

/** Returns what happens to the note: the last step of its change. */
function stepOf({ steps }: ReviewedChange): ReviewedChange['steps'][number] {
  return steps.at(-1) ?? 'edit';
}

function countAccepted(reviewed: ReviewedChange): number {
  return partsOf(reviewed).filter(({ isAccepted }) => isAccepted).length;
}

interface ChangeHeadProps {
  readonly reviewed: ReviewedChange;
  readonly isOpen: boolean;
  readonly isRejected: boolean;
}

/**
 * ChangeHead: the part of a change that is always visible: its check box, its name, and the buttons for the whole note.
 */
function ChangeHead({ reviewed, isOpen, isRejected }: ChangeHeadProps) {
  const scene = useScene();
  const { review, model, editing, edit, openNote } = scene;
  const { change } = reviewed;
  const waits = isWaiting(review);
  const name = nameOf(reviewed);
  const step = stepOf(reviewed);
  const stop = stopOf(change.id, 'all');
  const label = say.changeOf(say.steps[step], name);
  const parts = partsOf(reviewed).length;
  const accepted = countAccepted(reviewed);
  const isNewNote = waits && step === 'create';
  const path = openablePath(reviewed, waits);
  return (
    <Named
      class="docent-review-change-head"
      role="group"
      name={label}
      {...focusProps(scene, change.id, 'all')}
      {...(isNewNote ? { 'data-editable': '' } : {})}
    >
      {waits && (
        <PartCheck
          label={label}
          isAccepted={accepted === parts ? true : accepted === 0 ? false : null}
          isReachable={scene.current === stop}
          isDisabled={review.state === 'applying'}
          onChange={(accept) => model.decide(change.id, 'all', accept, label)}
        />
      )}
      <ChangeName reviewed={reviewed} name={name} isOpen={isOpen} />
      {isRejected && <span class="docent-review-mark">{say.rejectedMark}</span>}
      {isNewNote && (
        <IconButton
          icon="pencil"
          label={say.editOf(name)}
          class="docent-review-act"
          disabled={review.state === 'applying' || editing !== null}
          onClick={() => {
            model.fold(review, reviewed, true);
            edit(stop);
          }}
        />
      )}
      {path !== null && (
        <IconButton
          icon="arrow-up-right"
          label={say.openNote(name)}
          class="docent-review-act"
          onClick={() => openNote(path)}
        />
      )}
      <UndoButton reviewed={reviewed} name={name} />
    </Named>
  );
}

/** Returns the path at which the note exists now; null if there is nothing to open. */
function openablePath({ change, state, missing }: ReviewedChange, waits: boolean): string | null {
  if (missing) return null;
  if (state === 'applied') return change.to;
  return state === 'undone' || waits ? change.from : null;
}

interface ChangeNameProps {
  readonly reviewed: ReviewedChange;
  readonly name: string;
  readonly isOpen: boolean;
}

/** ChangeName: names the note, its step, and its line counts; a click unfolds the change. */
function ChangeName({ reviewed, name, isOpen }: ChangeNameProps) {
  const { review, model, current } = useScene();
  const step = stepOf(reviewed);
  const folder = folderOf(reviewed);
  const figures = figuresOf(reviewed.hunks);
  return (
    <button
      type="button"
      class="docent-review-name"
      aria-expanded={isOpen}
      title={say.unfold(name)}
      tabIndex={current === stopOf(reviewed.change.id, 'all') ? 0 : -1}
      onClick={() => model.fold(review, reviewed, !isOpen)}
    >
      <Icon icon="chevron-right" class="docent-review-arrow" />
      <Icon icon={icons[step]} class="docent-review-step" />
      <span class="docent-review-title" dir="auto">
        <NoteText text={name} />
        {folder !== '' && (
          <>
            {' '}
            <span class="docent-review-folder">
              <NoteText text={folder} />
            </span>
          </>
        )}
      </span>
      <span class="docent-review-what">{say.steps[step]}</span>
      {figures !== null && (
        <span class="docent-review-figures" aria-label={say.figuresSaid(figures.added, figures.removed)}>
          {say.figures(figures.added, figures.removed)}
        </span>
      )}
    </button>
  );
}

/** Pills: the findings of a folded change, so that none of them is hidden. */
function Pills({ findings }: { readonly findings: readonly Finding[] }) {
  return (
    <div class="docent-review-pills">
      {findings.map(({ severity, words: said }, index) => (
        <span key={index} class={`docent-review-pill is-${severity}`}>
          <NoteText text={said} />
        </span>
      ))}
    </div>
  );
}

function UndoButton({ reviewed, name }: { readonly reviewed: ReviewedChange; readonly name: string }) {
  const { review, model } = useScene();
  const { state, change } = reviewed;
  if (isWaiting(review) || (state !== 'applied' && state !== 'undone')) return null;
  // What this device found done already is undone where it was done.
  if (reviewed.isFound === true && reviewed.isUndoable !== true) return null;
  const isApplied = state === 'applied';
  return (
    <button
      type="button"
      class="docent-review-undo"
      aria-label={isApplied ? say.undoOf(name) : say.redoOf(name)}
      onClick={firstPress(() => void (isApplied ? model.undo(review.id, change.id) : model.redo(review.id, change.id)))}
    >
      {isApplied ? say.undo : say.redo}
    </button>
  );
}

function figuresOf(hunks: ReviewedChange['hunks']): { readonly added: number; readonly removed: number } | null {
  if (hunks.length === 0) return null;
  return {
    added: hunks.reduce((sum, { added }) => sum + lineCount(added), 0),
    removed: hunks.reduce((sum, { removed }) => sum + lineCount(removed), 0),
  };
}
