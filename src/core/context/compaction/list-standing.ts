/** The sections of the prompt and the notes that always stand in it, as items of the list of what is in the window. */
import { outlineNote } from '../../markup/budget';
import { element, write } from '../../markup/markup';
import type { Block } from '../../ports/request-plan';
import { attachedNotes, contextNotes } from '../../prompt/facts/attached-notes';
import type { AttachedNote } from '../../prompt/world';
import { type SectionSize, sectionSizes } from '../../request/fit';
import { notesIn } from '../../request/history-text';
import { foldStandingForms, targetOf } from '../../session/log-state';
import { promptBehind } from '../prompt-behind';
import { type ContextItem, formItem, type OfferedAct, plainItem } from './context-item';
import type { ItemsInput } from './list-items';

/** Sections that hold notes: each note is an item of its own. */
const noteSections: readonly string[] = ['files', 'context-notes'];

export function standingItems(input: ItemsInput): ContextItem[] {
  return [...sectionItems(input), ...switchedOff(input), ...noteItems(input)];
}

function sectionItems(input: ItemsInput): ContextItem[] {
  const { plan, entries } = input;
  const { sections: forms } = foldStandingForms(entries);
  const sizes = sizesOf(input);
  const ids = [...new Set(plan.blocks.map(({ section }) => section))];
  return ids
    .filter((id) => !noteSections.includes(id))
    .flatMap((id): ContextItem[] => {
      const blocks = plan.blocks.filter(({ section }) => section === id);
      const tokens = sum(blocks.map((block) => (block.text === '' ? 0 : block.tokens)));
      const form = forms[id] ?? formOf(blocks);
      const { full = tokens, brief = null } = sizes.get(id) ?? {};
      if (tokens === 0 && full === 0) return [];
      const canOutline = form !== 'outline' && tokens > 0 && brief !== null && brief < tokens;
      const acts: readonly (OfferedAct | false)[] = [
        forms[id] === 'outline' && { act: 'whole', effect: full - tokens },
        form === 'pinned' ? { act: 'unpin', effect: 0 } : { act: 'pinned', effect: full - tokens },
        canOutline && { act: 'outline', effect: brief - tokens },
        tokens > 0 && { act: 'dropped', effect: -tokens },
      ];
      const offered = acts.filter((act) => act !== false);
      return [plainItem({ kind: 'section', target: targetOf.section(id), label: id, tokens, form, acts: offered })];
    });
}

/** As the budgets have it: in another form than its full one, or not at all. */
function formOf(blocks: readonly Block[]): ContextItem['form'] {
  if (blocks.every(({ text }) => text === '')) return 'dropped';
  return blocks.some(({ outcome }) => outcome === 'brief' || outcome === 'trimmed') ? 'outline' : 'whole';
}

/** Of what is switched off nothing was gathered, so its size is not known. */
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

/** None for a plan that no chat has made. */
function sizesOf({ plan, tokenizer }: ItemsInput): ReadonlyMap<string, SectionSize> {
  const prompt = promptBehind(plan);
  return prompt === null ? new Map() : sectionSizes(prompt, tokenizer);
}

function noteItems({ plan, choices, entries, tokenizer }: ItemsInput): ContextItem[] {
  const { notes: forms } = foldStandingForms(entries);
  const gathered = notesBehind(plan);
  return plan.blocks
    .filter(({ section, place }) => section === 'context-notes' || (section === 'files' && place === 'system'))
    .flatMap(({ text }) => notesIn(text))
    .filter(({ path }) => choices.contextNotes.includes(path) || gathered.get(path)?.whole !== undefined)
    .map(({ path, body }): ContextItem => {
      const note = gathered.get(path);
      const sizeOf = (text: string): number => tokenizer.count(write([element('note', { path }, text)]).text);
      const now = tokenizer.count(`<note path="${path}">\n${body}\n</note>`);
      const text = note?.whole ?? note?.text ?? null;
      const form = forms[path] ?? 'whole';
      const sizeAs = (as: ContextItem['form']): number => {
        if (as === 'dropped') return 0;
        // What is there now may be shortened to its share of the window, and comes back to it when it is unpinned.
        if (as === form || text === null) return now;
        if (as === 'outline') return sizeOf(outlineNote(text));
        return as === 'pinned' || form === 'outline' ? sizeOf(text) : now;
      };
      const item = { kind: 'note', target: targetOf.standing(path), label: path, form } as const;
      return formItem(item, sizeAs, ['whole', 'pinned', 'outline', 'dropped']);
    });
}

function notesBehind(plan: ItemsInput['plan']): ReadonlyMap<string, AttachedNote> {
  const facts = promptBehind(plan)?.facts;
  const notes = [attachedNotes, contextNotes].flatMap((fact) => (facts?.get(fact) ?? []) as readonly AttachedNote[]);
  return new Map(notes.map((note) => [note.path, note]));
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all + size, 0);
}
