/** EditText: the proposed text of a hunk or a new note, in a box for the user's own edits. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { lineEndAt, withLineEnd } from '../../core/markdown/encoding';
import { textAfter, textBefore } from '../../core/writing/changeset/changeset';
import type { HunkView } from '../../core/writing/changeset/describe-changeset';
import { applyHunks } from '../../core/writing/changeset/diff';
import type { ReviewedChange } from '../../core/writing/review/review';
import { words } from '../../text';
import { fitHeight, isOfInputMethod, Name, useNameId, useOneAtATime } from '../components/controls';
import { type ReviewScene, useScene } from './review-keys';

interface EditTextProps {
  readonly text: string;
  /** The name of the note. */
  readonly name: string;
  /** Resolves to whether it was accepted; if not, the text stays in the box. */
  readonly onSave: (text: string) => Promise<boolean>;
  readonly onClose: () => void;
}

const say = words.review;

export function EditText({ text, name, onSave, onClose }: EditTextProps) {
  const { model, review } = useScene();
  const open = useRef(model.edits.peek().get(review.id)).current;
  const [draft, setDraft] = useState(open?.draft ?? text);
  const [isSaving, setSaving] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const id = useNameId();
  useLayoutEffect(() => fitHeight(box.current), [draft]);
  useLayoutEffect(() => {
    const element = box.current;
    // A box that is drawn again must not scroll to itself.
    if (open === undefined || open.draft !== undefined) return;
    open.draft = text;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, []);
  const save = useOneAtATime(async () => {
    setSaving(true);
    const isTaken = await onSave(draft);
    setSaving(false);
    // If the user has closed this box, another one may be open by now.
    if (isTaken && model.edits.peek().get(review.id) === open) onClose();
  });
  return (
    <div class="docent-review-edit">
      <Name id={id} text={say.editBox(name)} />
      <textarea
        ref={box}
        dir="auto"
        rows={2}
        aria-labelledby={id}
        value={draft}
        onInput={(event) => {
          setDraft(event.currentTarget.value);
          if (open !== undefined) open.draft = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (isOfInputMethod(event)) return;
          const isSave = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
          if (!isSave && event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          if (isSave) save();
          else onClose();
        }}
      />
      <div class="docent-review-buttons">
        <button type="button" class="mod-cta" disabled={isSaving} onClick={() => save()}>
          {say.save}
        </button>
        <button type="button" onClick={onClose}>
          {say.cancel}
        </button>
      </div>
    </div>
  );
}

/** Returns the content of the box: the proposed lines without the end of the last one. */
export function editableText({ hunks, change }: ReviewedChange, index: number | null): string {
  const text = index === null ? (change.text ?? '') : (hunks[index]?.added ?? '');
  return index === null ? text : text.replace(/\r?\n$/, '');
}

/**
 * Returns which hunk of the review as it is now was opened in the box; null if it is no longer among them, because the
 * proposal was changed in the meantime.
 */
function findOpened(now: ReviewedChange | undefined, opened: ReviewedChange, index: number): number | null {
  const hunk = opened.hunks[index];
  if (now === undefined || hunk === undefined) return null;
  const isSame = (each: HunkView): boolean => each.removed === hunk.removed && each.added === hunk.added;
  const [before, after] = [opened.hunks.filter(isSame), now.hunks.filter(isSame)];
  // Of several that read alike, the same one counts, if there are as many as before.
  return before.length === after.length ? (after[before.indexOf(hunk)]?.index ?? null) : null;
}

/** Saves an edited hunk, or the whole text of a new note, over the proposal that was opened and no other. */
export async function saveEdit(
  { review, model }: ReviewScene,
  opened: ReviewedChange,
  index: number | null,
  draft: string,
  name: string,
): Promise<boolean> {
  const { id } = opened.change;
  const now = review.changes.find(({ change }) => change.id === id);
  const isSameNote = now !== undefined && now.change.text === opened.change.text;
  const place = index === null ? null : findOpened(now, opened, index);
  if (now === undefined || (index === null ? !isSameNote : place === null)) {
    model.refuseEdit();
    return false;
  }
  return model.editText(id, textWithEdit(now, place, draft), name, textAfter(now.change));
}

/**
 * Returns the text of a note with one of its hunks edited.
 * @param index of the hunk; null for the whole of a new note
 * @param draft the content of the box, with line feeds only
 */
export function textWithEdit(reviewed: ReviewedChange, index: number | null, draft: string): string {
  const { change, hunks } = reviewed;
  // The box shows a blank line and no line at all alike, so an unchanged draft returns the proposal.
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
