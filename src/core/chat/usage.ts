/** Usage: the tokens and the money that chats took, by day and model, read from their logs and added up. */
import { compareText } from '../base/list-edits';
import type { Usage } from '../ports/message';
import type { SessionEntry } from '../session/entry';
import { activeContentIn } from '../writing/guard/active-content';

/** What the requests of a chat took on one day with one model. A count of zero is absent. */
export interface UsageRow {
  /** Year-month-day, where the user is. */
  readonly day: string;
  /** Empty if the log does not say which one. */
  readonly model: string;
  /** Reports of providers; a subagent has one for all of its requests. */
  readonly requests?: number;
  readonly input?: number;
  readonly output?: number;
  /** Tokens that were read from the provider’s cache, and the input tokens of the reports that said how many were. */
  readonly cached?: number;
  readonly cacheable?: number;
  /** US dollars, of the requests whose price was known. */
  readonly cost?: number;
  /** Requests whose price was unknown. */
  readonly unpriced?: number;
  /** Answers of whose tokens no report came, as when they were cut off. */
  readonly unreported?: number;
}

/** Sums of usage; the cost is null if no price was known. */
export interface UsageSum {
  readonly requests: number;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly cacheable: number;
  readonly cost: number | null;
  readonly unpriced: number;
  readonly unreported: number;
}

/** What is known of a time and a model, which the logs do not say. */
export interface UsagePlace {
  /** Returns the day of a time where the user is, as year-month-day. */
  readonly day: (time: number) => string;
  /** Whether an answer of this model takes tokens. */
  readonly isMetered: (model: string) => boolean;
}

const counts = ['requests', 'input', 'output', 'cached', 'cacheable', 'cost', 'unpriced', 'unreported'] as const;
type Count = (typeof counts)[number];

/**
 * Reads the usage of a log: answers, subagents, and background requests. What a chat took over from another one counts
 * there alone.
 */
export function usageIn(entries: readonly SessionEntry[], { day, isMetered }: UsagePlace): readonly UsageRow[] {
  const rows = new Map<string, Record<Count, number> & { day: string; model: string; isPriced: boolean }>();
  let answering = '';
  for (const entry of entries) {
    if (entry.kind === 'assistant') answering = entry.model;
    const usage = 'usage' in entry ? entry.usage : undefined;
    if (usage === undefined ? !isUnreported(entry, isMetered) : usage.copied === true) continue;
    const model = usage?.model ?? ('model' in entry ? String(entry.model) : answering);
    const key = `${day(entry.time)} ${model}`;
    const row = rows.get(key) ?? { ...emptySum(), cost: 0, day: day(entry.time), model, isPriced: false };
    rows.set(key, row);
    if (usage === undefined) row.unreported += 1;
    else addReport(row, usage);
  }
  return [...rows.values()].map(({ day: of, model, isPriced, ...numbers }) => ({
    ...{ day: of, model },
    ...Object.fromEntries(
      Object.entries(numbers).filter(([key, value]) => value !== 0 || (key === 'cost' && isPriced)),
    ),
  }));
}

/** Whether it is an answer of this chat that takes tokens, of which no report came. */
function isUnreported(entry: SessionEntry, isMetered: UsagePlace['isMetered']): boolean {
  return entry.kind === 'assistant' && entry.usage === undefined && entry.copied !== true && isMetered(entry.model);
}

function addReport(row: Record<Count, number> & { isPriced: boolean }, usage: Usage): void {
  row.requests += 1;
  row.input += usage.inputTokens;
  row.output += usage.outputTokens;
  if (usage.cacheReadTokens !== undefined) {
    row.cached += usage.cacheReadTokens;
    row.cacheable += usage.inputTokens;
  }
  row.cost += usage.cost ?? 0;
  if (usage.cost === undefined) row.unpriced += 1;
  else row.isPriced = true;
}

/** Whether a stored value is usage; what is damaged on the device is read from the log again. */
export function isUsage(value: unknown): value is readonly UsageRow[] {
  const isRow = (row: Partial<Record<string, unknown>> | null): boolean =>
    typeof row?.['day'] === 'string' &&
    typeof row['model'] === 'string' &&
    counts.every((count) => row[count] === undefined || Number.isFinite(row[count]));
  return Array.isArray(value) && (value as (Partial<Record<string, unknown>> | null)[]).every(isRow);
}

export type UsageBy = 'day' | 'month' | 'model' | 'chat';

export interface UsedChat {
  readonly id: string;
  readonly title: string;
  readonly usage: readonly UsageRow[];
}

export interface UsageGroup extends UsageSum {
  /** A day, a month, a model, or the id of a chat. */
  readonly key: string;
}

/**
 * Adds up the usage of chats: days and months newest first, models and chats by cost, then by tokens.
 * @param since the first day that counts; null for all
 */
export function groupUsage(chats: readonly UsedChat[], by: UsageBy, since: string | null): readonly UsageGroup[] {
  const groups = new Map<string, Sum>();
  for (const chat of chats) {
    for (const row of chat.usage) {
      if (since !== null && row.day < since) continue;
      const key = by === 'chat' ? chat.id : by === 'model' ? row.model : by === 'day' ? row.day : row.day.slice(0, 7);
      const sum = groups.get(key) ?? emptySum();
      groups.set(key, sum);
      addRow(sum, row);
    }
  }
  const order: (a: UsageGroup, b: UsageGroup) => number =
    by === 'day' || by === 'month'
      ? (a, b) => compareText(b.key, a.key)
      : (a, b) => (b.cost ?? 0) - (a.cost ?? 0) || b.input + b.output - a.input - a.output || compareText(a.key, b.key);
  return [...groups].map(([key, sum]) => ({ key, ...sum })).sort(order);
}

type Sum = { -readonly [Key in keyof UsageSum]: UsageSum[Key] };

function emptySum(): Sum {
  return { requests: 0, input: 0, output: 0, cached: 0, cacheable: 0, cost: null, unpriced: 0, unreported: 0 };
}

function addRow(sum: Sum, row: Partial<Record<Count, number | null>>): void {
  for (const count of counts) {
    const value = row[count];
    if (value !== undefined && value !== null) sum[count] = (sum[count] ?? 0) + value;
  }
}

export function totalUsage(groups: readonly UsageSum[]): UsageSum {
  const sum = emptySum();
  for (const group of groups) addRow(sum, group);
  return sum;
}

/** Returns the share of input tokens that was read from the cache, from 0 to 1; null if no provider said. */
export function cacheShare({ cached, cacheable }: UsageSum): number | null {
  return cacheable === 0 ? null : cached / cacheable;
}

/**
 * Returns a table of comma-separated values with a line for each chat, day, and model. No cell does anything in a
 * spreadsheet; a cost or a share of the cache that is unknown is empty.
 * @param heads the names of its columns
 */
export function usageTable(chats: readonly UsedChat[], since: string | null, heads: readonly string[]): string {
  const lines = chats.flatMap(({ id, title, usage }) =>
    usage
      .filter(({ day }) => since === null || day >= since)
      .map((row) => {
        const { requests = 0, input = 0, output = 0, cached = 0, cacheable, cost, unpriced = 0, unreported = 0 } = row;
        const known = [cacheable === undefined ? '' : cached, cost === undefined ? '' : dollarsOf(cost)];
        return [
          row.day,
          plainCell(row.model),
          plainCell(title || id),
          requests,
          input,
          output,
          ...known,
          unpriced,
          unreported,
        ];
      }),
  );
  const sorted = lines.sort((a, b) => compareText(String(a[0]), String(b[0])));
  return [heads, ...sorted].map((cells) => `${cells.join(',')}\n`).join('');
}

/** Without an exponent, which not every spreadsheet reads. */
function dollarsOf(cost: number): string {
  return cost.toFixed(9).replace(/\.?0+$/, '');
}

/** Characters of a cell. */
const maxCell = 200;

/** Returns words as a quoted cell; of what the judge of content finds active, only letters and digits remain. */
function plainCell(text: string): string {
  const line = text
    .slice(0, maxCell)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  const isActive = [line, `${line}\n`].some((each) => activeContentIn('usage.csv', each).length > 0);
  const plain = isActive ? line.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim() : line;
  return `"${plain.replaceAll('"', '""')}"`;
}
