/** WordChanges: two wordings of a passage as one text, with the words that go and the words that come. */
import { useMemo } from 'preact/hooks';
import { wordsOf } from '../../core/writing/diff-text';

interface WordChangesProps {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}

export function WordChanges({ before, after, label }: WordChangesProps) {
  const parts = useMemo(
    () =>
      wordsOf(before, after) ?? [
        { kind: 'removed' as const, text: before },
        { kind: 'added' as const, text: after },
      ],
    [before, after],
  );
  return (
    <div class="docent-word-changes" dir="auto" role="region" aria-label={label} tabIndex={0}>
      {parts.map(({ kind, text }, index) => {
        if (kind === 'same') return <span key={index}>{text}</span>;
        return kind === 'removed' ? <del key={index}>{text}</del> : <ins key={index}>{text}</ins>;
      })}
    </div>
  );
}
