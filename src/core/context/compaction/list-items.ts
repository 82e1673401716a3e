/** Lists what the context contains, with the actions for each item and their effect on the next request. */
import { outlineNote } from '../../markup/budget';
import { decodeAttribute, escapeAttribute } from '../../markup/escapes';
import { element, write } from '../../markup/markup';
import { shortLine } from '../../markup/prose';
import type { Tokenizer } from '../../ports/model';
import type { Block, RequestPlan } from '../../ports/request-plan';
import { contextNotes } from '../../prompt/facts/attached-notes';
import type { AttachedNote } from '../../prompt/world';
import { type SectionSize, sectionSizes } from '../../request/fit';
import { visibleEntries } from '../../request/history';
import { imageParts, notesIn, type ResultEntry, reshapeNotes, formatToolResult } from '../../request/history-text';
import type { ChatChoices, EntryBody, FormChange, SessionEntry } from '../../session/entry';
import {
  type ContextForm,
  type ContextForms,
  coveredIn,
  foldForms,
  foldChosenForms,
  targetOf,
} from '../../session/log-state';
import { withFurther } from '../../session/session-log';
import { promptForPlan } from '../prepare-turn';
import { type Exchange, exchangesOf, sentImageTokens, sentTexts } from './choose-cut';
import { maxExtract, maxResult } from './compact-history';

export type ItemKind = 'section' | 'note' | 'image' | 'result' | 'exchange' | 'round';

export type ItemAct = ContextForm | 'unpin' | 'summarise';

export interface OfferedAct {
  readonly act: ItemAct;
  /** The change in tokens of the next request; null if unknown. */
  readonly effect: number | null;
}

export interface ContextItem {
  readonly kind: ItemKind;
  /** See targetOf. */
  readonly target: string;
  /** An id, a path, the name of a tool or the text of a message; views turn it into words. */
  readonly label: string;
  /** The number of messages in it, or the start of a result. */
  readonly messages: number;
  readonly detail: string;
  readonly tokens: number;
  readonly form: ContextForm;
  readonly acts: readonly OfferedAct[];
}

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
    ...pinnedItems(input),
    ...sentNoteItems(input),
    ...imageItems(input),
    ...resultItems(input),
    ...exchangeItems(input),
  ];
}

/** The section that contains the pinned notes. */
const noteSection = 'context-notes';
/** Sections that contain notes; each note is an item of its own. */
const noteSections: readonly string[] = ['files', noteSection];

/** The sections of the prompt and the notes that are part of every request. */
function pinnedItems(input: ItemsInput): ContextItem[] {
  return [...sectionItems(input), ...switchedOff(input), ...noteItems(input)];
}

function sectionItems(input: ItemsInput): ContextItem[] {
  const { plan, entries, tokenizer } = input;
  const { sections: forms } = foldChosenForms(entries);
  const sizes = sizesOf(input);
  const ids = [...new Set(plan.blocks.map(({ section }) => section))];
  return ids
    .filter((id) => !noteSections.includes(id))
    .flatMap((id): ContextItem[] => {
      // What the conversation already contains is listed there.
      const blocks = plan.blocks.filter(({ section, outcome }) => section === id && outcome !== 'repeated');
      if (blocks.length === 0) return [];
      const tokens = sum(blocks.map((block) => (block.text === '' ? 0 : block.tokens)));
      const form = forms[id] ?? formOf(blocks);
      const size = sizes.get(id);
      if (tokens === 0 && (size?.full ?? 0) === 0) return [];
      // The plan may have been counted before exact counts came; what an act changes is the difference of like counts.
      const now = sum(blocks.map(({ text }) => (text === '' ? 0 : tokenizer.count(text))));
      const isFull = blocks.every(({ outcome }) => outcome === 'full');
      const acts = sectionActs({ form, chosen: forms[id], now, full: isFull ? now : (size?.full ?? now) }, size?.brief);
      return [plainItem({ kind: 'section', target: targetOf.section(id), label: id, tokens, form, acts })];
    });
}

interface SectionForms {
  readonly form: ContextItem['form'];
  /** What the user chose; undefined for nothing. */
  readonly chosen: ContextForm | undefined;
  /** Tokens as it is sent now, and in full. */
  readonly now: number;
  readonly full: number;
}

function sectionActs({ form, chosen, now, full }: SectionForms, brief: number | null = null): OfferedAct[] {
  const acts: readonly (OfferedAct | false)[] = [
    chosen === 'outline' && { act: 'whole', effect: full - now },
    form === 'pinned' ? { act: 'unpin', effect: 0 } : { act: 'pinned', effect: full - now },
    form !== 'outline' && brief !== null && brief < now && { act: 'outline', effect: brief - now },
    now > 0 && { act: 'dropped', effect: -now },
  ];
  return acts.filter((act) => act !== false);
}

/** Returns the form that the budgets chose: whole, shortened, or dropped. */
function formOf(blocks: readonly Block[]): ContextItem['form'] {
  if (blocks.every(({ text }) => text === '')) return 'dropped';
  return blocks.some(({ outcome }) => outcome === 'brief' || outcome === 'trimmed') ? 'outline' : 'whole';
}

/** Lists the sections that are turned off. Their size is unknown, since nothing was gathered for them. */
function switchedOff({ choices }: ItemsInput): ContextItem[] {
  return choices.sectionsOff.map((id) =>
    plainItem({
      kind: 'section',
      target: targetOf.section(id),
      label: id,
      tokens: 0,
      form: 'dropped',
      acts: [{ act: 'whole', effect: null }],
    }),
  );
}

/** Returns nothing for a plan that was made without a chat. */
function sizesOf({ plan, tokenizer }: ItemsInput): ReadonlyMap<string, SectionSize> {
  const prompt = promptForPlan(plan);
  return prompt === null ? new Map() : sectionSizes(prompt, tokenizer);
}

/** Lists the pinned notes, also those that have only their name in the prompt or that the budgets left out. */
function noteItems({ plan, choices, entries, tokenizer }: ItemsInput): ContextItem[] {
  const { notes: forms } = foldChosenForms(entries);
  const gathered = pinnedNotesOf(plan);
  const texts = plan.blocks.filter(({ section }) => section === noteSection).map(({ text }) => text);
  const sent = new Map(texts.flatMap((text) => notesIn(text)).map(({ path, body }) => [decodeAttribute(path), body]));
  const named = new Set(texts.flatMap((text) => text.split('\n')));
  const unsent = [...gathered.values()].filter(({ path, text }) => text !== null && !sent.has(path));
  return [...sent.keys(), ...unsent.map(({ path }) => path)]
    .filter((path) => choices.contextNotes.includes(path) || gathered.get(path)?.whole !== undefined)
    .map((path): ContextItem => {
      const note = gathered.get(path);
      const sizeOf = (text: string): number => tokenizer.count(write([element('note', { path }, text)]).text);
      const body = sent.get(path);
      const name = named.has(path) ? path : '';
      const now = tokenizer.count(
        body === undefined ? name : `<note path="${escapeAttribute(path).text}">\n${body}\n</note>`,
      );
      const text = note?.whole ?? note?.text ?? null;
      const form = forms[path] ?? 'whole';
      const sizeAs = (as: ContextItem['form']): number => {
        if (as === 'dropped') return 0;
        // The note may be shortened to its share of the context window now, and returns to that when it is unpinned.
        if (as === form || text === null) return now;
        if (as === 'outline') return sizeOf(outlineNote(text));
        return as === 'pinned' || form === 'outline' ? sizeOf(text) : now;
      };
      const item = { kind: 'note', target: targetOf.pinnedNote(path), label: path, form } as const;
      return formItem(item, sizeAs, ['whole', 'pinned', 'outline', 'dropped']);
    });
}

function pinnedNotesOf(plan: ItemsInput['plan']): ReadonlyMap<string, AttachedNote> {
  const notes = (promptForPlan(plan)?.facts.get(contextNotes) ?? []) as readonly AttachedNote[];
  return new Map(notes.map((note) => [note.path, note]));
}

/** Notes that were sent with messages. */
function sentNoteItems({ entries, tokenizer }: ItemsInput): ContextItem[] {
  const forms = foldForms(entries);
  const shown = new Set(visibleEntries(entries).map(({ id }) => id));
  return entries.flatMap((entry) => {
    if (entry.kind !== 'turn-zone' || !shown.has(entry.id)) return [];
    return [...entry.before, ...entry.after].flatMap(({ text }) =>
      notesIn(text).map(({ path }): ContextItem => {
        const target = targetOf.note(entry.id, path);
        const form = forms.get(target) ?? 'whole';
        const sizeAs = (as: ContextForm): number => tokenizer.count(noteAs(text, path, as));
        const item = { kind: 'note', target, label: decodeAttribute(path), form } as const;
        return formItem(item, sizeAs, ['whole', 'pinned', 'outline', 'dropped']);
      }),
    );
  });
}

function noteAs(text: string, path: string, form: ContextForm): string {
  const alone = notesIn(text).find((note) => note.path === path);
  const written = `<note path="${path}">\n${alone?.body ?? ''}\n</note>`;
  return reshapeNotes(written, () => form);
}

/** Images that were sent with messages (R218). */
function imageItems({ entries, tokenizer }: ItemsInput): ContextItem[] {
  const forms = foldForms(entries);
  const shown = new Set(visibleEntries(entries).map(({ id }) => id));
  return entries.flatMap((entry) => {
    if (entry.kind !== 'user' || !shown.has(entry.id)) return [];
    return entry.mentions.flatMap((mention): ContextItem[] => {
      const { image } = mention;
      if (mention.kind !== 'image' || image === undefined) return [];
      const target = targetOf.image(entry.id, image.digest);
      const form = forms.get(target) ?? 'whole';
      const sizeAs = (as: ContextItem['form']): number => {
        const isCleared = as === 'masked' || as === 'dropped';
        const [part] = imageParts([isCleared ? { ...mention, image: { ...image, isCleared: true } } : mention]);
        return part?.type === 'image' ? part.tokens + tokenizer.count(part.label) : tokenizer.count(part?.text ?? '');
      };
      return [formItem({ kind: 'image', target, label: mention.label, form }, sizeAs, ['whole', 'pinned', 'dropped'])];
    });
  });
}

function resultItems({ entries, tokenizer }: ItemsInput): ContextItem[] {
  const forms = foldForms(entries);
  const shown = new Set(visibleEntries(entries).map(({ id }) => id));
  return entries
    .filter((entry): entry is ResultEntry => entry.kind === 'tool-result' && shown.has(entry.id))
    .map((entry) => {
      const target = targetOf.result(entry.id);
      const sizeAs = (form: ContextForm): number => {
        const images = form === 'whole' || form === 'pinned' ? sentImageTokens(entry) : 0;
        return tokenizer.count(formatToolResult(entry, form)) + images;
      };
      const form = forms.get(target) ?? 'whole';
      const acts = ['whole', 'pinned', 'outline', 'dropped'] as const;
      const item = formItem({ kind: 'result', target, label: entry.name, form }, sizeAs, acts);
      return { ...item, detail: shortLine(entry.text, labelLength) };
    });
}

function exchangeItems({ entries, tokenizer, plan }: ItemsInput): ContextItem[] {
  const forms = foldForms(entries);
  const byEntry = formsByEntry(forms);
  const covered = coveredIn(entries);
  const all = exchangesOf(entries.filter(({ id }) => !covered.has(id)));
  let before = 0;
  return all.flatMap((exchange, index): ContextItem[] => {
    const target = targetOf.exchange(exchange.id);
    const form = forms.get(target) ?? 'whole';
    const [first] = exchange.entries;
    const own = exchange.entries.flatMap(({ id }) => byEntry.get(id) ?? []);
    const sizeAs = (as: ContextForm): number =>
      countAll(visibleEntries(withFurther(exchange.entries, change([...own, { target, form: as }]))), tokenizer);
    const isNewest = index === all.length - 1;
    if (form === 'whole' || form === 'outline') before += sizeAs(form);
    const won = Math.min(0, maxExtract(plan.totals) - before);
    const label = shortLine(first?.kind === 'user' ? first.text : '', labelLength);
    const listed = formItem({ kind: 'exchange', target, label, form }, sizeAs, [
      'whole',
      'pinned',
      ...(isNewest ? [] : (['outline', 'dropped'] as const)),
    ]);
    const messages = exchange.entries.filter(({ kind }) => kind === 'user' || kind === 'assistant').length;
    // A summary that would free too little is not accepted, so it is not shown.
    const wins = plan.totals.all + won <= plan.totals.all * maxResult;
    const isCut = isNewest || form === 'pinned' || form === 'dropped';
    const summarise = isCut || !wins ? [] : [{ act: 'summarise' as const, effect: won }];
    const item = { ...listed, messages, acts: [...listed.acts, ...summarise] };
    return form === 'dropped' ? [item] : [item, ...roundItems(exchange, label, forms, tokenizer)];
  });
}

/** Lists the omitted steps of an exchange that is sent, so that they can be sent again. */
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

/** Groups forms by entry, so that each exchange is measured with its own forms only. */
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

export function plainItem(
  item: Pick<ContextItem, 'kind' | 'target' | 'label' | 'tokens' | 'form'> & Partial<ContextItem>,
): ContextItem {
  return { messages: 0, detail: '', acts: [], ...item };
}

/**
 * Returns an item with an action for every form but its own; a pinned item is unpinned by sending it whole.
 * @param sizeAs tokens in a form
 */
function formItem(
  item: Pick<ContextItem, 'kind' | 'target' | 'label' | 'form'>,
  sizeAs: (form: ContextForm) => number,
  possible: readonly ContextForm[],
): ContextItem {
  const { form } = item;
  const tokens = sizeAs(form);
  const acts = possible
    .filter((act) => act !== form)
    .map((act) => ({
      act: act === 'whole' && form === 'pinned' ? ('unpin' as const) : act,
      effect: sizeAs(act) - tokens,
    }))
    // An outline that saves nothing is not an option.
    .filter(({ act, effect }) => act !== 'outline' || effect < 0 || form === 'dropped' || form === 'masked');
  return plainItem({ ...item, tokens, acts });
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all + size, 0);
}
