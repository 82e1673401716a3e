/** Words of the view of usage, and the heads of its table. */
import { grouped } from './count';

let compact: Intl.NumberFormat | undefined;
const dates = new Map<string, Intl.DateTimeFormat>();

/** One formatter serves all: making one takes longer than its work. */
function format(options: Intl.DateTimeFormatOptions, day: string): string {
  const key = JSON.stringify(options);
  const known = dates.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  dates.set(key, known);
  return known.format(new Date(`${day.length === 7 ? `${day}-01` : day}T12:00:00Z`));
}

const requests = (count: number): string => `${grouped(count)} ${count === 1 ? 'request' : 'requests'}`;

export function usage() {
  return {
    title: 'Usage',
    range: 'Time',
    ranges: { week: 'Last 7 days', month: 'Last 30 days', all: 'All' },
    by: 'Group by',
    groups: { day: 'Day', month: 'Month', model: 'Model', chat: 'Chat' },
    measure: 'Bars show',
    measures: { money: 'Cost', tokens: 'Tokens' },
    caption: (group: string) => `Usage by ${group.toLowerCase()}`,
    cost: 'Cost',
    input: 'Input tokens',
    output: 'Output tokens',
    cached: 'From cache',
    total: (input: number, output: number, count: number) =>
      `${grouped(input)} input tokens and ${grouped(output)} output tokens in ${requests(count)}.`,
    totalCost: (dollars: string) => `About ${dollars} by list prices.`,
    totalCached: (share: string) => `${share} of the input was read from a cache.`,
    totalUnpriced: (count: number) => `The cost doesn’t include ${requests(count)} whose price is unknown.`,
    totalUnreported: (count: number) =>
      `No tokens were reported for ${grouped(count)} ${count === 1 ? 'answer' : 'answers'}. This happens if an answer is interrupted.`,
    limit: (dollars: string) => `Line: spending limit per chat, ${dollars}`,
    limitBeyond: (dollars: string) => `The spending limit per chat, ${dollars}, is above these bars.`,
    parts: { cached: 'Read from cache', input: 'Other input', output: 'Output' },
    none: 'No requests in this time.',
    notCounted:
      'Input is what was sent to models, and output is what they wrote. Input that a provider reuses from an earlier request is read from its cache, which usually costs less. Includes subagents and background requests, such as summaries, but not rewrites and commit messages.',
    priceUnknown: 'Price unknown',
    partUnknown: (count: number) => `+ ${grouped(count)} of unknown price`,
    unknown: 'Unknown',
    unknownModel: 'Unknown model',
    deleted: (title: string) => `${title} (deleted)`,
    more: 'Show more',
    save: 'Save as CSV',
    saved: (path: string) => `Saved as “${path}”.`,
    heads: [
      ...['Day', 'Model', 'Chat', 'Requests', 'Input tokens', 'Output tokens', 'Read from cache', 'Cost in dollars'],
      ...['Requests without a price', 'Answers without a report'],
    ],
    settingsDesc: 'Tokens and cost of all chats by day, model, and chat.',

    day: (day: string) => format({ weekday: 'short', day: 'numeric', month: 'short' }, day),
    month: (month: string) => format({ month: 'long', year: 'numeric' }, month),
    percent: (share: number) => `${share > 0 && share < 0.01 ? '<1' : Math.round(share * 100)}%`,
    /** A number in few characters. */
    short: (number: number) => {
      compact ??= new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
      return compact.format(number);
    },
  };
}
