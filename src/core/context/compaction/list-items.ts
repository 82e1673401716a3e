/** What stands in the window, item by item, with what can be done to each and what that does to the next request. */
import type { Tokenizer } from '../../ports';
import type { RequestPlan } from '../../request/request-plan';
import { type ContextForm, foldForms, targetOf } from '../../session/context-form';
import type { ChatChoices, SessionEntry } from '../../session/entry';
import { seenEntries } from '../../session/seen-entries';
import { summaryInForce } from '../../session/summary-in-force';
import { notesIn, reshapeNotes, type ResultEntry, writeResult } from '../../session/write-stub';
import { sentTexts } from './entry-size';
import { exchangesOf } from './exchanges';
import { largestExtract } from './compact-history';

export type ItemKind = 'section' | 'note' | 'result' | 'exchange';

export type ItemAct = ContextForm | 'unpin' | 'summarise';

export interface ContextItem {
  readonly kind: ItemKind;
  /** The target of its form, the id of a section, or the path of a note that always stands in the prompt. */
  readonly target: string;
  /** Id, path, name of the tool or text of the message: views put it into words. */
  readonly label: string;
  /** Messages in it, or the beginning of what it gave. */
  readonly messages: number;
  readonly detail: string;
  readonly tokens: number;
  readonly form: ContextForm;
  /** What can be done, and how many tokens the next request then has more or less. */
  readonly acts: readonly { readonly act: ItemAct; readonly effect: number }[];
}

export interface ItemsInput {
  readonly entries: readonly SessionEntry[];
  readonly choices: Pick<Required<ChatChoices>, 'contextNotes' | 'sectionsOff'>;
  /** The next request. */
  readonly plan: RequestPlan;
  readonly tokenizer: Pick<Tokenizer, 'count'>;
}

const labelLength = 80;

export function listItems(input: ItemsInput): ContextItem[] {
  return [...sectionItems(input), ...noteItems(input), ...resultItems(input), ...exchangeItems(input)];
}

function sectionItems({ plan, choices }: ItemsInput): ContextItem[] {
  const on = plan.blocks
    .filter(({ text, section }) => text !== '' && section !== 'files')
    .map(({ section, tokens }): ContextItem => ({
      ...plain('section', section, section, tokens),
      acts: [{ act: 'dropped', effect: -tokens }],
    }));
  const off = choices.sectionsOff.map((id): ContextItem => ({
    ...plain('section', id, id, 0),
    form: 'dropped',
    acts: [{ act: 'whole', effect: 0 }],
  }));
  return [...on, ...off];
}

function noteItems({ plan, choices, entries, tokenizer }: ItemsInput): ContextItem[] {
  const forms = foldForms(entries);
  const standing = plan.blocks
    .filter(({ section, place }) => section === 'files' && place === 'system')
    .flatMap(({ text }) => notesIn(text))
    .filter(({ path }) => choices.contextNotes.includes(path))
    .map(({ path, body }): ContextItem => {
      const tokens = tokenizer.count(body);
      return { ...plain('note', path, path, tokens), acts: [{ act: 'dropped', effect: -tokens }] };
    });
  const shown = new Set(seenEntries(entries).map(({ id }) => id));
  const sent = entries.flatMap((entry) => {
    if (entry.kind !== 'turn-zone' || !shown.has(entry.id)) return [];
    return [...entry.before, ...entry.after].flatMap(({ text }) =>
      notesIn(text).map(({ path }): ContextItem => {
        const target = targetOf.note(entry.id, path);
        const form = forms.get(target) ?? 'whole';
        const sizeAs = (as: ContextForm): number => tokenizer.count(noteAs(text, path, as));
        return item('note', target, path, form, sizeAs, ['whole', 'outline', 'dropped']);
      }),
    );
  });
  return [...standing, ...sent];
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
      return { ...item('result', target, entry.name, form, sizeAs, acts), detail: start(entry.text) };
    });
}

function exchangeItems({ entries, tokenizer, plan }: ItemsInput): ContextItem[] {
  const forms = foldForms(entries);
  const covered = new Set(summaryInForce(entries)?.covers);
  const seen = exchangesOf(seenEntries(entries));
  const all = exchangesOf(entries.filter(({ id }) => !covered.has(id)));
  let before = 0;
  return all.map((exchange, index): ContextItem => {
    const target = targetOf.exchange(exchange.id);
    const form = forms.get(target) ?? 'whole';
    const [first] = exchange.entries;
    const shown = seen.find(({ id }) => id === exchange.id)?.entries ?? [];
    const whole = countAll(form === 'dropped' ? exchange.entries : shown, tokenizer);
    const isNewest = index === all.length - 1;
    if (form === 'whole') before += whole;
    const won = Math.min(0, largestExtract(plan.totals) - before);
    const sizeAs = (as: ContextForm): number => (as === 'dropped' ? 0 : whole);
    const listed = item('exchange', target, start(first?.kind === 'user' ? first.text : ''), form, sizeAs, [
      'whole',
      'pinned',
      ...(isNewest ? [] : ['dropped' as const]),
    ]);
    const messages = exchange.entries.filter(({ kind }) => kind === 'user' || kind === 'assistant').length;
    const summarise = isNewest || form !== 'whole' ? [] : [{ act: 'summarise' as const, effect: won }];
    return { ...listed, messages, acts: [...listed.acts, ...summarise] };
  });
}

/** An item of which every form but its own can be chosen; what is pinned is unpinned by being sent whole. */
function item(
  kind: ItemKind,
  target: string,
  label: string,
  form: ContextForm,
  sizeAs: (form: ContextForm) => number,
  possible: readonly ContextForm[],
): ContextItem {
  const tokens = sizeAs(form);
  const acts = possible
    .filter((act) => act !== form)
    .map((act) => ({
      act: act === 'whole' && form === 'pinned' ? ('unpin' as const) : act,
      effect: sizeAs(act) - tokens,
    }));
  return { ...plain(kind, target, label, tokens), form, acts };
}

function plain(kind: ItemKind, target: string, label: string, tokens: number): ContextItem {
  return { kind, target, label, messages: 0, detail: '', tokens, form: 'whole', acts: [] };
}

function countAll(entries: readonly SessionEntry[], tokenizer: Pick<Tokenizer, 'count'>): number {
  return entries.flatMap(sentTexts).reduce((sum, text) => sum + tokenizer.count(text), 0);
}

function start(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= labelLength ? line : `${line.slice(0, labelLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
