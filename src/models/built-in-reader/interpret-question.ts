/** Interpretation: what a question asks for, read from its form; whatever is not recognised is a question to search for. */
import { contentWords, wordsOf } from '../../core/search/query';

export type Request =
  | { readonly kind: 'search'; readonly query: string }
  | { readonly kind: 'list'; readonly folder: string }
  | { readonly kind: 'outline'; readonly note: string }
  /** An empty note is the attached one. */
  | { readonly kind: 'summarise'; readonly note: string }
  | { readonly kind: 'introduce' };

const politeness = /^(?:please|(?:can|could|would|will) you(?: please)?|i(?:'d| would) like you to)[\s,]+/i;
const listing = [
  /^(?:what(?:'s| is| are| lies)?|which|list|show)(?: me)?(?: all)?(?: the)?(?: files?| notes?| folders?| things?)?(?: are| is| do i have)?(?: there)?(?: in| of| under| inside)(?: the| my)? folder (.+)$/i,
  /^(?:what(?:'s| is| are| lies)?|which|list|show)(?: me)?(?: all)?(?: the)?(?: files?| notes?| folders?| things?)?(?: are| is| do i have)?(?: there)?(?: in| of| under| inside)(?: the| my)? (.+?)[/ ]+folder$/i,
  /^(?:list|show)(?: me)?(?: all)?(?: the)? (?:files|notes|folders|contents?)(?: there are)?(?: in| of| under| inside)(?: the| my)? (.+)$/i,
  /^(?:what|which) (?:files|notes|folders) (?:are|do i have)(?: there)?(?: in| under| inside)(?: the| my)? (.+)$/i,
  /^(?:list|ls)(?: the)?(?: folder)? (.+\/|\/)$/i,
  /^list(?: the)? folder (.+)$/i,
];
const listingTop =
  /^(?:(?:what|which) folders (?:are there|do i have)|list (?:all )?(?:the |my )?(?:folders|vault)|what(?:'s| is) in (?:the|my) vault)$/i;
const outlining =
  /^(?:(?:give|show)(?: me)? )?(?:(?:an? |the )?(?:outline|headings|structure|table of contents)(?: of| in| for)?|outline|what(?: are the)? headings(?: are)?(?: there)?(?: in| of)|what headings does) (?:the note )?(.+?)(?: have)?$/i;
const summarising =
  /^(?:(?:give|write)(?: me)? (?:an? )?(?:short |brief )?summary of|summari[sz]e|sum up|tl;?dr(?: of| for)?|what is (?=\[\[.*\]\] about))(?: (?:the|my) note)?(?:[\s:]+(.+?))?(?: about)?(?: for me)?$/i;
const introducing =
  /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks?|thank you|help|who are you|what (?:are|can) you(?: do)?|how are you)(?: there| very much)?$/i;
const attachedTarget =
  /^(?:this|that|it|the|this one|(?:this|the|the attached|the current|my) note|the (?:file|attachment))$/i;

export function interpretQuestion(question: string, earlier: readonly string[]): Request {
  const plain = question
    .replace(/\s+/g, ' ')
    .replace(/’/g, "'")
    .trim()
    .replace(/[\s?!.…]+$/, '')
    .replace(politeness, '');
  if (introducing.test(plain)) return { kind: 'introduce' };
  if (listingTop.test(plain)) return { kind: 'list', folder: '' };
  for (const form of listing) {
    const folder = form.exec(plain)?.[1];
    if (folder !== undefined) return { kind: 'list', folder: bare(folder) };
  }
  const outlined = outlining.exec(plain)?.[1];
  if (outlined !== undefined) return { kind: 'outline', note: bare(outlined) };
  const summary = summarising.exec(plain);
  if (summary !== null)
    return { kind: 'summarise', note: attachedTarget.test(summary[1] ?? 'it') ? '' : bare(summary[1] ?? '') };
  return { kind: 'search', query: withConversation(question, earlier) };
}

/** A name without the brackets or quotes around it. */
function bare(name: string): string {
  const link = /\[\[([^\]|#]+)(?:[#|][^\]]*)?\]\]/.exec(name);
  if (link?.[1] !== undefined) return link[1].trim();
  return name
    .trim()
    .replace(/^["“'‘](.*)["”'’]$/, '$1')
    .replace(/\/+$/, '');
}

const continuing = /^(?:and|but|so|also|or|what about|how about|then|und|aber|et|mais|y|pero|e|ma)\b/i;
const pointing = /\b(?:it|its|that|this|those|these|they|them|their|he|she|him|her|his|there|then)\b/i;
/** With fewer content words a question that points back borrows those of the ones before. */
const enoughWords = 2;

/** A question together with the content words of earlier ones when it leans on them. */
export function withConversation(question: string, earlier: readonly string[]): string {
  const asked = shortened(question);
  const own = contentWords(asked);
  const leans = own.length === 0 || continuing.test(asked) || pointing.test(asked);
  if (!leans || own.length >= enoughWords + 1 || (own.length >= enoughWords && !continuing.test(asked))) return asked;
  const borrowed: string[] = [];
  for (const before of earlier) {
    for (const word of contentWords(shortened(before))) {
      if (!own.includes(word) && !borrowed.includes(word)) borrowed.push(word);
    }
    if (borrowed.length >= enoughWords) break;
  }
  return borrowed.length === 0 ? asked : `${own.length === 0 ? asked : own.join(' ')} ${borrowed.join(' ')}`;
}

const longestQuestion = 40;

/** Of a long text its questions, or its beginning: a pasted page is no search. */
function shortened(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  if (wordsOf(flat).length <= longestQuestion) return flat;
  const questions = (flat.match(/[^.!?。！？]+[?？]/g) ?? []).join(' ').trim();
  const chosen = questions === '' ? flat : questions;
  return chosen.split(' ').slice(0, longestQuestion).join(' ').slice(0, 400);
}
