/** HunkSection: one run of changed lines, with the lines around it and its actions. */
import { useMemo, useState } from 'preact/hooks';
import { textBefore } from '../../core/writing/changeset/changeset';
import type { HunkView } from '../../core/writing/changeset/describe-changeset';
import { type WordPart, wordsOf } from '../../core/writing/changeset/diff';
import type { ReviewedChange } from '../../core/writing/review/review';
import { words } from '../../text';
import { ChangedText, NoteText } from '../components/changed-text';
import { IconButton, Named } from '../components/controls';
import { memo } from '../components/memo';
import { isHunkAccepted, isWaiting, nameOf, partsOf } from '../state/review-state';
import { editableText, EditText, saveEdit } from './edit-text';
import { contextOf, initialLimit, lineCount, raiseLimit, rowsOfHunk, RowsView } from './hunk-rows';
import { type PropertyRows, PropertyTable } from './properties';
import { focusProps, stopOf, useScene } from './review-keys';

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
    <Named
      tag="section"
      class={`docent-review-hunk ${waits && !isAccepted ? 'is-rejected' : ''}`}
      role="group"
      name={label}
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
    </Named>
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

// Changed Markdown tables: their rows, and their view cell by cell.

interface CellChange {
  readonly parts: readonly WordPart[];
  readonly isChanged: boolean;
}

interface TableRow {
  readonly kind: 'changed' | 'removed' | 'added';
  /** One-based: the old number for a removed row, the new one for all others. */
  readonly line: number;
  readonly cells: readonly CellChange[];
}

interface TableChange {
  /** Empty if the table has no head. */
  readonly head: readonly string[];
  readonly rows: readonly TableRow[];
}

const maxRows = 100;
const maxCells = 30;
const maxCharacters = 20_000;
/** Characters above a hunk in which the head of its table is searched. */
const maxHeadDistance = 20_000;

/** Compares the rows of a Markdown table cell by cell; null for a change that reads better as lines. */
export function tableOf(text: string, hunk: HunkView): TableChange | null {
  const { removed, added, start, line, newLine } = hunk;
  if (removed.length + added.length > maxCharacters) return null;
  const old = linesOf(removed);
  const next = linesOf(added);
  const all = [...old, ...next];
  if (all.length === 0 || all.length > maxRows || !all.every(isRow) || all.some(isDelimiter)) return null;
  const head = headAbove(text, start);
  if (head === null) return null;
  const rows = pairsOf(old.map(cellsOf), next.map(cellsOf)).map(([before, after]): TableRow => ({
    kind: before === null ? 'added' : after === null ? 'removed' : 'changed',
    line: after === null ? line + (before?.index ?? 0) : newLine + after.index,
    cells: compareCells(before?.cells ?? null, after?.cells ?? null),
  }));
  const isSeen = rows.every(({ cells }) => cells.length <= maxCells && cells.some(({ isChanged }) => isChanged));
  return isSeen ? { head, rows } : null;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

function isRow(line: string): boolean {
  return /^\s{0,3}\|/.test(line);
}

function isDelimiter(line: string): boolean {
  return line.includes('-') && /^[\s:|-]+$/.test(line);
}

function headAbove(text: string, start: number): readonly string[] | null {
  const above = text.slice(Math.max(0, start - maxHeadDistance), start).split(/\r?\n/);
  above.pop();
  while (above.length > 0) {
    const line = above.pop() ?? '';
    if (isDelimiter(line)) {
      const head = above.pop();
      return head === undefined ? null : cellsOf(head);
    }
    if (!isRow(line)) return null;
  }
  return null;
}

/** Returns the cells of a row; a bar after a backslash is text. */
export function cellsOf(row: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isEscaped = false;
  for (const character of row.trim()) {
    if (character === '|' && !isEscaped) {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
    isEscaped = character === '\\' && !isEscaped;
  }
  if (cell.trim() !== '') cells.push(cell.trim());
  return cells.slice(row.trim().startsWith('|') ? 1 : 0);
}

interface PlacedRow {
  readonly index: number;
  readonly cells: readonly string[];
}

type RowPair = readonly [before: PlacedRow | null, after: PlacedRow | null];

/** Pairs old and new rows: by position if there are equally many, else by their first cell. */
function pairsOf(old: readonly (readonly string[])[], next: readonly (readonly string[])[]): RowPair[] {
  const before = old.map((cells, index) => ({ index, cells }));
  const after = next.map((cells, index) => ({ index, cells }));
  if (before.length === after.length) return before.map((row, index): RowPair => [row, after[index] ?? null]);
  const pairs: RowPair[] = [];
  let at = 0;
  for (const row of after) {
    const found = before.findIndex(({ index, cells }) => index >= at && cells[0] === row.cells[0]);
    if (found === -1) {
      pairs.push([null, row]);
      continue;
    }
    pairs.push(...before.slice(at, found).map((unpaired): RowPair => [unpaired, null]), [before[found] ?? null, row]);
    at = found + 1;
  }
  return [...pairs, ...before.slice(at).map((unpaired): RowPair => [unpaired, null])];
}

function compareCells(before: readonly string[] | null, after: readonly string[] | null): CellChange[] {
  const count = Math.max(before?.length ?? 0, after?.length ?? 0);
  return Array.from({ length: count }, (_, index) => {
    const [old = '', next = ''] = [before?.[index], after?.[index]];
    if (old === next) return { parts: [{ kind: 'same', text: next }], isChanged: false };
    const whole: WordPart[] = [
      { kind: 'removed', text: old },
      { kind: 'added', text: next },
    ];
    const parts = before === null || after === null ? whole : (wordsOf(old, next) ?? whole);
    return { parts: parts.filter(({ text }) => text !== ''), isChanged: true };
  });
}

/** TableView: the changed rows of a Markdown table, cell by cell. */
function TableView({ table: { head, rows } }: { readonly table: TableChange }) {
  return (
    <div class="docent-review-table">
      <table>
        <thead>
          <tr>
            <td />
            {head.map((cell, index) => (
              <th key={index} scope="col" dir="auto">
                <NoteText text={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ kind, line, cells }, index) => (
            <tr key={index} class={`is-${kind}`}>
              <td class="docent-review-number">{line}</td>
              {cells.map(({ parts, isChanged }, column) => (
                <td key={column} class={isChanged ? 'is-changed' : ''} dir="auto">
                  <ChangedText parts={parts} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
