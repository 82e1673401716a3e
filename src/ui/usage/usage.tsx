/** Usage: tokens and money of all chats as a table whose rows have bars, by day, model, or chat. */
import { Notice } from 'obsidian';
import { render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ChatIndex } from '../../core/chat/chat-index';
import {
  cacheShare,
  groupUsage,
  totalUsage,
  type UsageBy,
  type UsageGroup,
  type UsageSum,
  usageTable,
} from '../../core/chat/usage';
import { describeFailure, type Outcome } from '../../core/ports/failure';
import { words } from '../../text';
import { titleOf } from '../chats/chat-list';
import { ColumnHeads, useOneAtATime } from '../components/controls';

export interface UsageHost {
  readonly index: ChatIndex;
  /** Returns the day of a time where the user is, as year-month-day. */
  day(time: number): string;
  /** US dollars that one chat may cost; null for no limit. */
  limit(): number | null;
  /** Calls the listener when the settings change. */
  onChange(listener: () => void): () => void;
  openChat(chat: string): void;
  /** Saves a table in the vault and returns its path. */
  save(table: string): Promise<Outcome<string>>;
}

type Range = 'week' | 'month' | 'all';
type Measure = 'money' | 'tokens';

const days: Readonly<Record<Exclude<Range, 'all'>, number>> = { week: 7, month: 30 };
const dayLength = 86_400_000;
/** Rows that are drawn at first, and that are added at a time. */
const rowsAtOnce = 60;
/** The limit is drawn up to so many times the longest bar; a farther one would leave no bars. */
const farthestLimit = 4;

/** Draws the usage into an element; the returned function removes it. */
export function mountUsage(element: HTMLElement, host: UsageHost): () => void {
  render(<UsagePage host={host} />, element);
  return () => render(null, element);
}

function UsagePage({ host }: { readonly host: UsageHost }) {
  const say = words.usage;
  const { index } = host;
  const [changes, setChanges] = useState(0);
  const [range, setRange] = useState<Range>('month');
  const [by, setBy] = useState<Exclude<UsageBy, 'month'>>('day');
  const [measure, setMeasure] = useState<Measure>('money');
  const [rows, setRows] = useState(rowsAtOnce);
  useEffect(() => {
    const changed = (): void => setChanges((count) => count + 1);
    const releases = [index.subscribe(changed), host.onChange(changed), index.show()];
    return () => releases.forEach((release) => release());
  }, [host]);
  const grouped: UsageBy = by === 'day' && range === 'all' ? 'month' : by;
  const since = sinceOf(range, host);
  const groups = useMemo(() => {
    const all = groupUsage(index.used, grouped, since);
    const isTime = grouped === 'day' || grouped === 'month';
    // Models and chats come by cost; where the bars are tokens, the longest is first as well.
    return isTime || measure === 'money' ? all : [...all].sort((a, b) => lengthOf(b, measure) - lengthOf(a, measure));
  }, [index, changes, grouped, since, measure]);
  const total = totalUsage(groups);
  const save = useOneAtATime(async () => {
    const titled = index.used.map((chat) => ({ ...chat, title: titleOf(chat) }));
    const saved = await host.save(usageTable(titled, since, say.heads));
    new Notice(saved.ok ? say.saved(saved.value) : describeFailure(saved.failure));
  });
  const choose = <Value,>(set: (value: Value) => void) => {
    return (value: Value): void => {
      setRows(rowsAtOnce);
      set(value);
    };
  };
  return (
    <div class="docent-usage">
      <div class="docent-usage-choices">
        <Choice label={say.range} names={say.ranges} value={range} onChoose={choose(setRange)} />
        <Choice
          label={say.by}
          names={{ day: say.groups[range === 'all' ? 'month' : 'day'], model: say.groups.model, chat: say.groups.chat }}
          value={by}
          onChoose={choose(setBy)}
        />
        <Choice label={say.measure} names={say.measures} value={measure} onChoose={choose(setMeasure)} />
      </div>
      <div class="docent-usage-total" role="status">
        {index.failure !== null && <p>{describeFailure(index.failure)}</p>}
        {index.progress !== null && <p>{words.chats.reading(index.progress.read, index.progress.all)}</p>}
        <p>{groups.length === 0 ? say.none : totalWords(total)}</p>
      </div>
      {groups.length > 0 && (
        <>
          <Table
            groups={groups.slice(0, rows)}
            {...{ by: grouped, measure, host }}
            scale={scaleOf(groups, measure, host)}
          />
          {groups.length > rows && (
            <button type="button" onClick={() => setRows(rows + rowsAtOnce)}>
              {say.more}
            </button>
          )}
          <button type="button" class="docent-usage-save" onClick={() => save()}>
            {say.save}
          </button>
        </>
      )}
      <p class="docent-usage-note">{say.notCounted}</p>
    </div>
  );
}

/** Counts from noon, so that a clock that is set forward or back in between moves no day. */
function sinceOf(range: Range, host: UsageHost): string | null {
  return range === 'all' ? null : host.day(new Date().setHours(12, 0, 0, 0) - (days[range] - 1) * dayLength);
}

function totalWords(total: UsageSum): string {
  const say = words.usage;
  const share = cacheShare(total);
  return [
    say.total(total.input, total.output, total.requests),
    ...(total.cost === null ? [] : [say.totalCost(words.spending.dollars(total.cost))]),
    ...(share === null ? [] : [say.totalCached(say.percent(share))]),
    ...(total.unpriced === 0 ? [] : [say.totalUnpriced(total.unpriced)]),
    ...(total.unreported === 0 ? [] : [say.totalUnreported(total.unreported)]),
  ].join(' ');
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly names: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
}

function Choice<Value extends string>({ label, names, value, onChoose }: ChoiceProps<Value>) {
  return (
    <select
      class="dropdown"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value as Value)}
    >
      {(Object.entries(names) as [Value, string][]).map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** What a bar of full width means, and the limit; null without one. */
interface Scale {
  readonly full: number;
  readonly limit: number | null;
  readonly isBeyond: boolean;
}

function scaleOf(groups: readonly UsageGroup[], measure: Measure, host: UsageHost): Scale {
  const longest = groups.reduce((most, group) => Math.max(most, lengthOf(group, measure)), 0);
  const limit = measure === 'money' ? host.limit() : null;
  const isBeyond = limit !== null && limit > longest * farthestLimit;
  return { full: Math.max(longest, limit === null || isBeyond ? 0 : limit) || 1, limit, isBeyond };
}

function lengthOf({ cost, input, output }: UsageSum, measure: Measure): number {
  return measure === 'money' ? (cost ?? 0) : input + output;
}

interface TableProps {
  readonly groups: readonly UsageGroup[];
  readonly by: UsageBy;
  readonly measure: Measure;
  readonly scale: Scale;
  readonly host: UsageHost;
}

function Table({ groups, by, measure, scale, host }: TableProps) {
  const say = words.usage;
  return (
    <div class="docent-usage-scroller" tabIndex={0}>
      <table class="docent-usage-table">
        <caption>
          {say.caption(say.groups[by])}
          <Legend measure={measure} scale={scale} />
        </caption>
        <ColumnHeads names={[say.groups[by], say.cost, say.input, say.output, say.cached]} />
        <tbody>
          {groups.map((group) => (
            <Row key={group.key} {...{ group, by, measure, scale, host }} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Legend({ measure, scale }: Pick<TableProps, 'measure' | 'scale'>) {
  const say = words.usage;
  if (measure === 'money') {
    if (scale.limit === null) return null;
    const dollars = words.spending.dollars(scale.limit);
    return <span class="docent-usage-legend">{scale.isBeyond ? say.limitBeyond(dollars) : say.limit(dollars)}</span>;
  }
  return (
    <span class="docent-usage-legend">
      {(['cached', 'input', 'output'] as const).map((part) => (
        <span key={part} class={`docent-usage-key is-${part}`}>
          {say.parts[part]}
        </span>
      ))}
    </span>
  );
}

function Row({ group, by, measure, scale, host }: Omit<TableProps, 'groups'> & { readonly group: UsageGroup }) {
  const say = words.usage;
  const { key, cost, input, output, unpriced } = group;
  const share = cacheShare(group);
  const name = nameOf(key, by, host);
  return (
    <>
      <tr>
        <th scope="row" dir="auto">
          {by === 'chat' ? (
            <button type="button" class="docent-usage-chat" onClick={() => host.openChat(key)}>
              {name}
            </button>
          ) : (
            name
          )}
        </th>
        <td>
          {cost === null ? (unpriced > 0 ? say.priceUnknown : say.unknown) : words.spending.dollars(cost)}
          {cost !== null && unpriced > 0 && <span class="docent-usage-part">{say.partUnknown(unpriced)}</span>}
        </td>
        <td>{say.short(input)}</td>
        <td>{say.short(output)}</td>
        {share === null ? <td aria-label={say.unknown}>–</td> : <td>{say.percent(share)}</td>}
      </tr>
      <tr class="docent-usage-bars" aria-hidden="true">
        <td colSpan={5}>
          <Bar {...{ group, measure, scale }} />
        </td>
      </tr>
    </>
  );
}

function nameOf(key: string, by: UsageBy, { index }: UsageHost): string {
  const say = words.usage;
  if (by === 'day' || by === 'month') return say[by](key);
  if (by === 'model') return key === '' ? say.unknownModel : key.slice(key.indexOf('/') + 1);
  const chat = index.find(key);
  if (chat === null) return key;
  return chat.isDeleted ? say.deleted(titleOf(chat)) : titleOf(chat);
}

/** Units of a bar’s picture, which is stretched to the width of the table. */
const width = 1000;
const height = 8;

function Bar({ group, measure, scale }: Pick<TableProps, 'measure' | 'scale'> & { readonly group: UsageGroup }) {
  const { cost, cached, input, output } = group;
  const parts: readonly [part: string, value: number][] =
    measure === 'money'
      ? [['cost', cost ?? 0]]
      : [
          ['cached', cached],
          ['input', Math.max(0, input - cached)],
          ['output', output],
        ];
  let start = 0;
  return (
    <svg class="docent-usage-bar" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
      {parts.map(([part, value]) => {
        const [x, length] = [start, (value / scale.full) * width];
        start += length;
        return <rect key={part} class={`is-${part}`} x={x} width={length} height={height} />;
      })}
      {scale.limit !== null && !scale.isBeyond && (
        <rect class="is-limit" x={Math.min(width - 4, (scale.limit / scale.full) * width)} width={4} height={height} />
      )}
    </svg>
  );
}
