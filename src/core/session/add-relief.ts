/** What the pane shows of relief: a divider for each summary, and a line where something was left out or could not be done. */
import { words } from '../../text';
import type { EntryBody, EntryHeader, SummaryBody } from './entry';

/** A summary where it was made, in the words that it has by now. */
export interface SummaryItem {
  readonly type: 'summary';
  readonly id: string;
  readonly summary: Omit<SummaryBody, 'kind' | 'covers' | 'skills'>;
  /** Whether its messages are sent again. */
  readonly undone: boolean;
}

export interface ReliefItem {
  readonly type: 'relief';
  readonly id: string;
  readonly text: string;
}

type ReliefEntry = Pick<EntryHeader, 'id'> &
  EntryBody & { readonly kind: 'summary' | 'summary-edited' | 'summary-undone' | 'summary-refused' | 'context-forms' };

export function addRelief<Item extends { readonly type: string; readonly id: string }>(
  items: readonly Item[],
  entry: ReliefEntry,
): (Item | SummaryItem | ReliefItem)[] {
  switch (entry.kind) {
    case 'summary': {
      const { id, kind: _kind, covers: _covers, skills: _skills, ...summary } = entry;
      return [...items, { type: 'summary', id, summary: summaryPart(summary), undone: false }];
    }
    case 'summary-edited':
      return change(items, entry.summary, (item) => ({
        ...item,
        summary: { ...item.summary, snapshot: entry.snapshot },
      }));
    case 'summary-undone':
      return change(items, entry.summary, (item) => ({ ...item, undone: true }));
    case 'summary-refused':
      return [...items, { type: 'relief', id: entry.id, text: words.status.refused[entry.reason] }];
    case 'context-forms': {
      const text = entry.by === 'user' ? '' : describeForms(entry.forms);
      return text === '' ? [...items] : [...items, { type: 'relief', id: entry.id, text }];
    }
  }
}

/** Without the header that a stored entry brings along. */
function summaryPart(entry: SummaryItem['summary']): SummaryItem['summary'] {
  const { snapshot, by, trigger, focus, before, after, removed, kept, paths, topic, notices } = entry;
  const common = { snapshot, by, trigger, focus, before, after, removed, kept, paths };
  return { ...common, ...(topic === undefined ? {} : { topic }), ...(notices === undefined ? {} : { notices }) };
}

function change<Item extends { readonly type: string; readonly id: string }>(
  items: readonly Item[],
  id: string,
  to: (item: SummaryItem) => SummaryItem,
): (Item | SummaryItem)[] {
  return items.map((item) => (isSummary(item) && item.id === id ? to(item) : item));
}

function isSummary(item: { readonly type: string }): item is SummaryItem {
  return item.type === 'summary';
}

function describeForms(forms: (EntryBody & { readonly kind: 'context-forms' })['forms']): string {
  const dropped = forms.filter(({ form }) => form === 'dropped').length;
  const images = forms.filter(({ target, form }) => form === 'masked' && target.startsWith('image:')).length;
  const masked = forms.filter(({ form }) => form === 'masked').length - images;
  return [
    dropped > 0 ? words.status.trimmed(dropped) : '',
    images > 0 ? words.images.putAside(images) : '',
    masked > 0 ? words.status.masked(masked) : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}
