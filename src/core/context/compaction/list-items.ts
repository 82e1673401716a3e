/** What stands in the window, item by item, with what can be done to each and what that does to the next request. */
import { shortLine } from '../../markup/prose';
import type { Tokenizer } from '../../ports/model';
import type { RequestPlan } from '../../ports/request-plan';
import { seenEntries } from '../../request/history';
import { notesIn, type ResultEntry, reshapeNotes, writeResult } from '../../request/history-text';
import type { ChatChoices, EntryBody, FormChange, SessionEntry } from '../../session/entry';
import { type ContextForm, type ContextForms, foldForms, summaryInForce, targetOf } from '../../session/log-state';
import { withFurther } from '../../session/session-log';
import { largestExtract, largestResult } from './compact-history';
import { type ContextItem, formItem } from './context-item';
import { sentImageTokens, sentTexts } from './entry-size';
import { type Exchange, exchangesOf } from './exchanges';
import { imageItems } from './list-images';
import { standingItems } from './list-standing';

export interface ItemsInput {
  readonly entries: readonly SessionEntry[];
  readonly choices: Pick<Required<ChatChoices>, 'contextNotes' | 'sectionsOff'>;
  /** The next request. */
  readonly plan: RequestPlan;
  readonly tokenizer: Tokenizer;
}

const labelLength = 80;

export function listItems(input: ItemsInput): ContextItem[] {
  return [
    ...standingItems(input),
    ...sentNoteItems(input),
    ...imageItems(input),
    ...resultItems(input),
    ...exchangeItems(input),
  ];
}

/** Notes that were sent with messages. */
function sentNoteItems({ entries, tokenizer }: ItemsInput): ContextItem[] {
  const forms = foldForms(entries);
  const shown = new Set(seenEntries(entries).map(({ id }) => id));
  return entries.flatMap((entry) => {
    if (entry.kind !== 'turn-zone' || !shown.has(entry.id)) return [];
    return [...entry.before, ...entry.after].flatMap(({ text }) =>
      notesIn(text).map(({ path }): ContextItem => {
        const target = targetOf.note(entry.id, path);
        const form = forms.get(target) ?? 'whole';
        const sizeAs = (as: ContextForm): number => tokenizer.count(noteAs(text, path, as));
        return formItem({ kind: 'note', target, label: path, form }, sizeAs, ['whole', 'pinned', 'outline', 'dropped']);
      }),
    );
  });
}

function noteAs(text: string, path: string, form: ContextForm): string {
  const alone = notesIn(text).find((note) => note.path === path);
  const written = `<note path="${path}">\n${alone?.body ?? ''}\n</note>`;
  return reshapeNotes(written, () => form);
}

function resultItems({ entries, tokenizer }: ItemsInput): ContextItem[] {
  const forms = foldForms(entries);
  const shown = new Set(seenEntries(entries).map(({ id }) => id));
  return entries
    .filter((entry): entry is ResultEntry => entry.kind === 'tool-result' && shown.has(entry.id))
    .map((entry) => {
      const target = targetOf.result(entry.id);
      const sizeAs = (form: ContextForm): number => tokenizer.count(writeResult(entry, form));
      const form = forms.get(target) ?? 'whole';
      const acts = ['whole', 'pinned', 'outline', 'dropped'] as const;
      const item = formItem({ kind: 'result', target, label: entry.name, form }, sizeAs, acts);
      return { ...item, detail: shortLine(entry.text, labelLength) };
    });
}

function exchangeItems({ entries, tokenizer, plan }: ItemsInput): ContextItem[] {
  const forms = foldForms(entries);
  const byEntry = formsByEntry(forms);
  const covered = new Set(summaryInForce(entries)?.covers);
  const all = exchangesOf(entries.filter(({ id }) => !covered.has(id)));
  let before = 0;
  return all.flatMap((exchange, index): ContextItem[] => {
    const target = targetOf.exchange(exchange.id);
    const form = forms.get(target) ?? 'whole';
    const [first] = exchange.entries;
    const own = exchange.entries.flatMap(({ id }) => byEntry.get(id) ?? []);
    const sizeAs = (as: ContextForm): number =>
      countAll(seenEntries(withFurther(exchange.entries, change([...own, { target, form: as }]))), tokenizer);
    const isNewest = index === all.length - 1;
    if (form === 'whole' || form === 'outline') before += sizeAs(form);
    const won = Math.min(0, largestExtract(plan.totals) - before);
    const label = shortLine(first?.kind === 'user' ? first.text : '', labelLength);
    const listed = formItem({ kind: 'exchange', target, label, form }, sizeAs, [
      'whole',
      'pinned',
      ...(isNewest ? [] : (['outline', 'dropped'] as const)),
    ]);
    const messages = exchange.entries.filter(({ kind }) => kind === 'user' || kind === 'assistant').length;
    // One that would win too little would not be accepted.
    const wins = plan.totals.all + won <= plan.totals.all * largestResult;
    const isCut = isNewest || form === 'pinned' || form === 'dropped';
    const summarise = isCut || !wins ? [] : [{ act: 'summarise' as const, effect: won }];
    const item = { ...listed, messages, acts: [...listed.acts, ...summarise] };
    return form === 'dropped' ? [item] : [item, ...roundItems(exchange, label, forms, tokenizer)];
  });
}

/** Answers with what their calls gave that were left out of a message that is sent, so that they can be sent again. */
function roundItems(
  { entries }: Exchange,
  label: string,
  forms: ContextForms,
  tokenizer: ItemsInput['tokenizer'],
): ContextItem[] {
  return entries.flatMap((answer, index): ContextItem[] => {
    const target = targetOf.round(answer.id);
    if (answer.kind !== 'assistant' || forms.get(target) !== 'dropped') return [];
    const next = entries.findIndex(({ kind }, at) => at > index && kind === 'assistant');
    const round = entries.slice(index, next === -1 ? entries.length : next);
    const sizeAs = (form: ContextForm): number => (form === 'dropped' ? 0 : countAll(round, tokenizer));
    return [formItem({ kind: 'round', target, label, form: 'dropped' }, sizeAs, ['whole'])];
  });
}

/** So that each exchange is looked at with its own forms alone. */
function formsByEntry(forms: ContextForms): ReadonlyMap<string, readonly FormChange[]> {
  const byEntry = new Map<string, FormChange[]>();
  for (const [target, form] of forms) {
    const [, entry = ''] = target.split(':');
    byEntry.set(entry, [...(byEntry.get(entry) ?? []), { target, form }]);
  }
  return byEntry;
}

function change(forms: readonly FormChange[]): EntryBody {
  return { kind: 'context-forms', forms, by: 'user' };
}

function countAll(entries: readonly SessionEntry[], tokenizer: Pick<Tokenizer, 'count'>): number {
  const images = entries.reduce((sum, entry) => sum + sentImageTokens(entry), 0);
  return entries.flatMap(sentTexts).reduce((sum, text) => sum + tokenizer.count(text), images);
}
