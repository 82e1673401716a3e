/** HunkSection: one run of changed lines, with the lines around it and its actions. */
import { memo } from 'preact/compat';
import { useMemo, useState } from 'preact/hooks';
import { textBefore } from '../../core/writing/changeset/changeset';
import type { HunkView } from '../../core/writing/changeset/describe-changeset';
import type { ReviewedChange } from '../../core/writing/review/review';
import { words } from '../../text';
import { IconButton } from '../components/controls';
import { isHunkAccepted, isWaiting, nameOf, partsOf } from '../state/review-state';
import { EditText, editableText, saveEdit } from './edit-text';
import { contextOf, initialLimit, lineCount, raiseLimit, RowsView, rowsOfHunk } from './hunk-rows';
import { type PropertyRows, PropertyTable } from './properties';
import { stopOf, focusProps, useScene } from './review-keys';
import { TableView, tableOf } from './table';

interface HunkSectionProps {
  readonly reviewed: ReviewedChange;
  readonly hunk: HunkView;
  readonly properties: PropertyRows | undefined;
}

const say = words.review;
/** Characters of a hunk above which it cannot be edited in a box. */
const maxEditLength = 200_000;

export function HunkSection({ reviewed, hunk, properties }: HunkSectionProps) {
  const scene = useScene();
  const { review, model, editing, edit } = scene;
  const { change } = reviewed;
  const { index } = hunk;
  const stop = stopOf(change.id, index);
  const waits = isWaiting(review);
  const isAccepted = isHunkAccepted(index, reviewed.decision);
  // The check box of the note is that of its only part.
  const isOnly = partsOf(reviewed).length === 1;
  const line = lineWords(hunk);
  const label = say.lineIn(line, nameOf(reviewed));
  const isEditable = waits && hunk.added.length <= maxEditLength;
  return (
    <section
      class={`docent-review-hunk ${waits && !isAccepted ? 'is-rejected' : ''}`}
      role="group"
      aria-label={label}
      {...focusProps(scene, change.id, index)}
      {...(isEditable ? { 'data-editable': '' } : {})}
    >
      <div class="docent-review-part-head">
        {waits && !isOnly && (
          <PartCheck
            label={label}
            isAccepted={isAccepted}
            isReachable={scene.current === stop}
            isDisabled={review.state === 'applying'}
            onChange={(accept) => model.decide(change.id, { hunk: index }, accept, label)}
          />
        )}
        <span class="docent-review-line">{line}</span>
        {waits && !isAccepted && !isOnly && <span class="docent-review-mark">{say.rejectedMark}</span>}
        {isEditable && (
          <IconButton
            icon="pencil"
            label={say.editOf(label)}
            class="docent-review-act"
            disabled={review.state === 'applying' || editing !== null}
            onClick={() => edit(stop)}
          />
        )}
      </div>
      {editing === stop ? (
        <EditText
          text={editableText(reviewed, index)}
          name={label}
          onSave={(draft) => saveEdit(scene, reviewed, index, draft, label)}
          onClose={() => edit(null)}
        />
      ) : (
        <HunkBody before={textBefore(change)} hunks={reviewed.hunks} hunk={hunk} properties={properties} />
      )}
    </section>
  );
}

interface HunkBodyProps {
  readonly before: string;
  readonly hunks: readonly HunkView[];
  readonly hunk: HunkView;
  readonly properties: PropertyRows | undefined;
}

/** HunkBody: redrawn only when its text changes, since a decision does not change it. */
const HunkBody = memo(function HunkBody({ before, hunks, hunk, properties }: HunkBodyProps) {
  const [limit, setLimit] = useState(initialLimit);
  const table = useMemo(() => (properties === undefined ? tableOf(before, hunk) : null), [before, hunk, properties]);
  const { rows, left } = useMemo(() => rowsOfHunk(hunk, limit), [hunk, limit]);
  const context = useMemo(() => contextOf(before, hunks, hunk.index), [before, hunks, hunk]);
  if (table !== null) return <TableView table={table} />;
  const isWhole = left.lines + left.characters === 0;
  const around = properties === undefined ? context : noContext;
  const lines = (
    <RowsView
      rows={[...around.before, ...rows, ...(isWhole ? around.after : [])]}
      left={left}
      onMore={() => setLimit(raiseLimit(limit))}
    />
  );
  if (properties === undefined) return lines;
  return (
    <>
      <PropertyTable rows={properties.rows} />
      <details class="docent-review-raw" open={!properties.isAll}>
        <summary>{say.asText}</summary>
        {lines}
      </details>
    </>
  );
});

const noContext = { before: [], after: [] };

function lineWords({ line, newLine, removed, added }: HunkView): string {
  const [from, count] = added === '' ? [line, lineCount(removed)] : [newLine, lineCount(added)];
  return say.line(from, from + count - 1);
}

interface PartCheckProps {
  readonly label: string;
  /** Null if only some of its parts are accepted. */
  readonly isAccepted: boolean | null;
  readonly isReachable: boolean;
  readonly isDisabled: boolean;
  readonly onChange: (accept: boolean) => void;
}

/** PartCheck: the check box that says whether a change, or a part of one, will be applied. */
export function PartCheck({ label, isAccepted, isReachable, isDisabled, onChange }: PartCheckProps) {
  return (
    <label class="docent-review-check">
      <input
        type="checkbox"
        aria-label={words.review.acceptOf(label)}
        tabIndex={isReachable ? 0 : -1}
        disabled={isDisabled}
        checked={isAccepted === true}
        ref={(element) => {
          if (element !== null) element.indeterminate = isAccepted === null;
        }}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  );
}
