/** What of a log the model still sees: the summary in force first, then all that it does not cover, each in its form. */
import { type Mention, messageKinds, type SessionEntry } from './entry';
import { type ContextForms, foldForms, summaryInForce, targetOf } from './log-state';
import { outlineAnswer, reshapeNotes, writeResult } from './write-stub';

/** Entries that are sent as they were stored are the same objects. */
export function seenEntries(entries: readonly SessionEntry[]): SessionEntry[] {
  const summary = summaryInForce(entries);
  const covered = new Set(summary?.covers);
  const forms = foldForms(entries);
  const seen: SessionEntry[] = summary === null ? [] : [summary];
  let exchange = '';
  let round = '';
  for (const entry of entries) {
    if (entry.kind === 'summary') continue;
    if (!messageKinds.has(entry.kind)) {
      seen.push(entry);
      continue;
    }
    if (entry.kind === 'user') [exchange, round] = [entry.id, ''];
    if (entry.kind === 'assistant') round = entry.id;
    if (covered.has(entry.id)) continue;
    if (forms.get(targetOf.exchange(exchange)) === 'dropped') continue;
    if (round !== '' && forms.get(targetOf.round(round)) === 'dropped') continue;
    seen.push(forms.get(targetOf.exchange(exchange)) === 'outline' ? inOutline(entry, forms) : inForm(entry, forms));
  }
  return seen;
}

/** What the user said stays; answers and results are outlined, but for results that have a form of their own. */
function inOutline(entry: SessionEntry, forms: ContextForms): SessionEntry {
  if (entry.kind === 'assistant') return outlineAnswer(entry);
  if (entry.kind !== 'tool-result' || forms.has(targetOf.result(entry.id))) return inForm(entry, forms);
  return { ...entry, text: writeResult(entry, 'outline') };
}

function inForm(entry: SessionEntry, forms: ContextForms): SessionEntry {
  if (entry.kind === 'tool-result') {
    const text = writeResult(entry, forms.get(targetOf.result(entry.id)));
    return text === entry.text ? entry : { ...entry, text };
  }
  if (entry.kind === 'user') return withImagesAside(entry, forms);
  if (entry.kind !== 'turn-zone' || forms.size === 0) return entry;
  const reshape = (part: (typeof entry.before)[number]): (typeof entry.before)[number] => ({
    ...part,
    text: reshapeNotes(part.text, (path) => forms.get(targetOf.note(entry.id, path))),
  });
  return { ...entry, before: entry.before.map(reshape), after: entry.after.map(reshape) };
}

function withImagesAside(entry: SessionEntry & { readonly kind: 'user' }, forms: ContextForms): SessionEntry {
  const isAside = ({ image }: Mention): boolean => {
    const form = image && forms.get(targetOf.image(entry.id, image.digest));
    return form === 'masked' || form === 'dropped';
  };
  if (!entry.mentions.some(isAside)) return entry;
  const mentions = entry.mentions.map((mention): Mention => {
    if (mention.image === undefined || !isAside(mention)) return mention;
    return { ...mention, image: { ...mention.image, aside: true } };
  });
  return { ...entry, mentions };
}
