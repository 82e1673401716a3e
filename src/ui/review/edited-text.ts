/** The text of a note with one of its hunks in other words. */
import { lineEndAt, withLineEnd } from '../../core/markdown/encoding';
import { textAfter, textBefore } from '../../core/writing/changeset/changeset';
import { applyHunks } from '../../core/writing/changeset/diff';
import type { ReviewedChange } from '../../core/writing/review/review';

/** What stands in the box: the proposed lines without the end of the last one. */
export function editableText({ hunks, change }: ReviewedChange, index: number | null): string {
  const text = index === null ? (change.text ?? '') : (hunks[index]?.added ?? '');
  return index === null ? text : text.replace(/\r?\n$/, '');
}

/**
 * @param index of the hunk; null for all of a new note
 * @param draft as it stands in the box, with plain newlines
 */
export function textWithEdit(reviewed: ReviewedChange, index: number | null, draft: string): string {
  const { change, hunks } = reviewed;
  // A blank line reads like nothing at all in the box.
  if (draft === editableText(reviewed, index)) return textAfter(change);
  const before = textBefore(change);
  const lineEnd = lineEndAt(before === '' ? (change.text ?? '') : before, 0);
  const written = withLineEnd(draft, lineEnd);
  if (index === null) return written;
  const hunk = hunks[index];
  const endsLine = hunk !== undefined && /\n$/.test(hunk.added === '' ? hunk.removed : hunk.added);
  const added = written === '' || !endsLine ? written : `${written}${lineEnd}`;
  return applyHunks(
    before,
    hunks.map((each) => (each.index === index ? { ...each, added } : each)),
    () => true,
  );
}
