/** PropertyTable: properties with their values before and after. */
import type { PropertyChange } from '../../core/writing/changeset/describe-changeset';
import { words } from '../../text';
import { NoteText } from '../components/changed-text';

const say = words.review;
/** Characters of a value that are shown; its lines have the rest. */
const longestValue = 500;

export function PropertyTable({ rows }: { readonly rows: readonly PropertyChange[] }) {
  return (
    <table class="docent-review-properties">
      <thead>
        <tr>
          <th scope="col">{say.property}</th>
          <th scope="col">{say.before}</th>
          <th scope="col">{say.after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, before, after }) => (
          <tr key={key}>
            <th scope="row" dir="auto">
              <NoteText text={key} />
            </th>
            <td dir="auto">
              <Value value={before} other={after} change="removed" />
            </td>
            <td dir="auto">
              <Value value={after} other={before} change="added" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ValueProps {
  readonly value: unknown;
  readonly other: unknown;
  readonly change: 'removed' | 'added';
}

/** Of a list, only the items that the other side lacks are marked. */
function Value({ value, other, change }: ValueProps) {
  if (value === undefined) return <span class="docent-review-none">{say.none}</span>;
  if (value === null || value === '') return <span class="docent-review-none">{say.emptyValue}</span>;
  const others: readonly unknown[] | null = Array.isArray(other) ? other : null;
  if (!Array.isArray(value)) return <Marked text={textOf(value)} change={change} />;
  const items = value.map(textOf);
  const kept = new Set(others?.map(textOf) ?? []);
  return (
    <>
      {items.map((item, index) => (
        <span key={index} class="docent-review-item">
          <Marked text={item} change={kept.has(item) ? null : change} />
        </span>
      ))}
    </>
  );
}

function Marked({ text, change }: { readonly text: string; readonly change: 'removed' | 'added' | null }) {
  const drawn = <NoteText text={text.length > longestValue ? `${text.slice(0, longestValue)}…` : text} />;
  if (change === null) return drawn;
  return change === 'removed' ? <del>{drawn}</del> : <ins>{drawn}</ins>;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? say.yes : say.no;
  return JSON.stringify(value) ?? '';
}
