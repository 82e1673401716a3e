/** RowsView: lines of a hunk or a note with their numbers, and the way to those that are not drawn yet. */
import { words } from '../../text';
import { ChangedText } from '../components/changed-text';
import type { Left } from './cut-parts';
import type { TextRow } from './hunk-rows';

interface RowsViewProps {
  readonly rows: readonly TextRow[];
  readonly left: Left;
  readonly onMore: () => void;
}

const signs: Readonly<Record<TextRow['kind'], string>> = {
  context: '',
  same: '',
  changed: '±',
  removed: '−',
  added: '+',
};
const say = words.review;

export function RowsView({ rows, left, onMore }: RowsViewProps) {
  const isAll = left.lines === 0 && left.characters === 0;
  return (
    <div class="docent-review-rows">
      {rows.map((row, index) => (
        <Row key={index} row={row} />
      ))}
      {!isAll && (
        <button type="button" class="docent-review-more" onClick={onMore}>
          {left.lines > 0 ? say.moreLines(left.lines) : say.moreCharacters(left.characters)}
        </button>
      )}
    </div>
  );
}

function Row({ row: { kind, line, parts } }: { readonly row: TextRow }) {
  const text = <ChangedText parts={parts} />;
  return (
    <div class={`docent-review-row is-${kind}`}>
      <span class="docent-review-number" aria-hidden="true">
        {line}
      </span>
      <span class="docent-review-sign" aria-hidden="true">
        {signs[kind]}
      </span>
      <span class="docent-review-text" dir="auto">
        {text}
      </span>
    </div>
  );
}
