/** Changed properties: their rows, and their table with the values before and after. */
import { startWithEllipsis } from '../../core/base/cut';
import { propertiesBlockOf } from '../../core/markdown/properties';
import { textAfter, textBefore } from '../../core/writing/changeset/changeset';
import type { HunkView, PropertyChange } from '../../core/writing/changeset/describe-changeset';
import { countLines } from '../../core/writing/changeset/diff';
import type { ReviewedChange } from '../../core/writing/review/review';
import { words } from '../../text';
import { NoteText } from '../components/changed-text';
import { ColumnHeads } from '../components/controls';
import { lineCount } from './hunk-rows';

/** The changed properties of one hunk. */
export interface PropertyRows {
  readonly rows: readonly PropertyChange[];
  /** Whether the rows show everything that its lines do, so that the lines need not be shown as well. */
  readonly isAll: boolean;
}

/** Returns rows by hunk index. A hunk that also changes text, or whose lines name no changed property, has none. */
export function propertyRowsOf({ change, hunks, properties }: ReviewedChange): ReadonlyMap<number, PropertyRows> {
  const found = new Map<number, PropertyRows>();
  if (properties === null || properties.length === 0) return found;
  const [before, after] = [blockOf(textBefore(change)), blockOf(textAfter(change))];
  for (const hunk of hunks) {
    const { index, removed, added } = hunk;
    const [old, next] = [keysIn(before, hunk.line, removed), keysIn(after, hunk.newLine, added)];
    if (old === null || next === null) continue;
    const touched = new Set([...old, ...next]);
    const rows = properties.filter(({ key }) => touched.has(key));
    if (rows.length === 0) continue;
    const isAll = rows.length === touched.size && rows.every(fitsRow) && !hasComment(hunk);
    found.set(index, { rows, isAll });
  }
  return found;
}

interface Block {
  /** One-based lines of the delimiters that open and close it. */
  readonly opens: number;
  readonly closes: number;
  /** The key that each line in between belongs to. */
  readonly keys: readonly string[];
}

function blockOf(text: string): Block | null {
  const block = propertiesBlockOf(text);
  if (block === null || block === 'unclosed') return null;
  const opens = countLines(text.slice(0, block.start));
  const lines = text.slice(block.start, block.end).split('\n');
  if (lines.at(-1) === '') lines.pop();
  let current = '';
  const keys = lines.map((line) => {
    const [, quoted, plain] = /^(?:["']([^"']+)["']|([^\s#:'"-][^:]*?))\s*:(?:\s|$)/.exec(line) ?? [];
    const goesOn = /^(?:[\s#]|-(?:\s|$)|$)/.test(line);
    // A key in a form that is not read here is no part of the value before it, whose row would pass for both.
    current = quoted ?? plain ?? (goesOn ? current : line);
    return current;
  });
  return { opens, closes: opens + lines.length + 1, keys };
}

/** Returns null when the lines reach beyond the properties. */
function keysIn(block: Block | null, from: number, text: string): readonly string[] | null {
  const count = lineCount(text);
  if (count === 0) return [];
  if (block === null || from < block.opens || from + count - 1 > block.closes) return null;
  return block.keys.slice(Math.max(0, from - block.opens - 1), from + count - 1 - block.opens);
}

function hasComment({ removed, added }: HunkView): boolean {
  return /(?:^|\s)#/.test(`${removed}\n${added}`);
}

const say = words.review;
/** Maximum characters of a value; its lines show the rest. */
const maxValueLength = 500;

function fitsRow({ before, after }: PropertyChange): boolean {
  return [before, after].flat().every((value) => textOf(value).length <= maxValueLength);
}

export function PropertyTable({ rows }: { readonly rows: readonly PropertyChange[] }) {
  return (
    <table class="docent-review-properties">
      <ColumnHeads names={[say.property, say.before, say.after]} />
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

/** Value: marks, of a list, only the items that the other side lacks. */
function Value({ value, other, change }: ValueProps) {
  if (value === undefined) return <span class="docent-review-none">{say.none}</span>;
  if (value === null || value === '') return <span class="docent-review-none">{say.emptyValue}</span>;
  const others: readonly unknown[] | null = Array.isArray(other) ? other : null;
  if (!Array.isArray(value)) return <Marked text={textOf(value)} change={change} />;
  const items = value.map(textOf);
  const otherItems = new Set(others?.map(textOf) ?? []);
  return (
    <>
      {items.map((item, index) => (
        <span key={index} class="docent-review-item">
          <Marked text={item} change={otherItems.has(item) ? null : change} />
        </span>
      ))}
    </>
  );
}

function Marked({ text, change }: { readonly text: string; readonly change: 'removed' | 'added' | null }) {
  const drawn = <NoteText text={startWithEllipsis(text, maxValueLength)} />;
  if (change === null) return drawn;
  return change === 'removed' ? <del>{drawn}</del> : <ins>{drawn}</ins>;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? say.yes : say.no;
  return JSON.stringify(value) ?? '';
}
