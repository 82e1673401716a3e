/** The built-in reader: a Model that answers by quoting the vault, without a network, a key or a language model. */
import { yieldToEventLoop } from '../../core/base/async';
import { messageOf } from '../../core/ports/failure';
import type { Model, ModelEvent } from '../../core/ports/model';
import type { RequestPlan } from '../../core/ports/request-plan';
import { sentencesOf } from '../../core/search/passages';
import { contentWords, wordsOf } from '../../core/search/query';
import { bodyOfRead } from '../../core/tools/read-text';
import { parseSearchResult, partIn, unreadIn } from '../../core/tools/search-result';
import { words } from '../../text';
import { listFolder, maxPassages, nothingFound, outlineNote, quotePassages, summariseNote, titleOf } from './answers';
import { type AnsweredCall, type ReaderRequest, readRequest, searchAttached } from './read-request';

export const builtInReaderId = 'reader/built-in';

/** Creates a deterministic model: equal plans give equal answers. */
export function createBuiltInReader(): Model {
  return {
    description: {
      id: builtInReaderId,
      label: words.reader.label,
      contextWindow: 200_000,
      outputLimit: 4_096,
      nativeTools: true,
      cachesPrompts: false,
      summarises: false,
    },
    stream,
  };
}

async function* stream(plan: RequestPlan, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  try {
    if (signal.aborted) return;
    const request = readRequest(plan);
    const step = await nextStep(request, signal);
    if (signal.aborted) return;
    if (step.type === 'call') yield* call(step, request);
    else yield* answer(step, request, signal);
  } catch (error) {
    const failure = { words: messageOf(error), remedy: words.reader.brokenRemedy };
    yield { type: 'failure', failure: { kind: 'protocol', ...failure } };
  }
}

function* call(step: Extract<Step, { type: 'call' }>, request: ReaderRequest): Generator<ModelEvent> {
  const id = `reader-${request.callCount + 1}`;
  const argumentsText = JSON.stringify(step.args);
  yield { type: 'tool-call', call: { type: 'tool-call', id, name: step.name, argumentsText } };
  yield { type: 'finish', reason: 'tool-calls' };
}

async function* answer(
  step: Extract<Step, { type: 'answer' }>,
  request: ReaderRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const [lead = '', ...rest] = step.blocks;
  const opening = step.isQuoting && request.isFirstAnswer ? `${lead} ${words.reader.honest}` : lead;
  for (const sentence of sentencesOf([opening, ...rest].join('\n\n'))) {
    yield { type: 'text-delta', text: sentence };
    await yieldToEventLoop();
    if (signal.aborted) return;
  }
  yield { type: 'finish', reason: 'complete' };
}

// What the reader does next: a tool call or an answer, by the question and by what its tools have found.

type Step =
  | { readonly type: 'call'; readonly name: string; readonly args: Readonly<Record<string, unknown>> }
  /** Markdown blocks. */
  | { readonly type: 'answer'; readonly blocks: readonly string[]; readonly isQuoting: boolean };

const quoting = (blocks: readonly string[]): Step => ({ type: 'answer', blocks, isQuoting: true });
const saying = (...blocks: string[]): Step => ({ type: 'answer', blocks, isQuoting: false });

async function nextStep(request: ReaderRequest, signal: AbortSignal): Promise<Step> {
  const step = await stepFor(request, signal);
  if (step.type === 'call' || !asksForChange(request.question)) return step;
  return { ...step, blocks: [...step.blocks, words.reader.readsOnly] };
}

async function stepFor(request: ReaderRequest, signal: AbortSignal): Promise<Step> {
  const { question, answered } = request;
  if (question === '') return saying(words.reader.noQuestion);
  const asked = interpretQuestion(question, request.earlier);
  const last = answered.at(-1);
  if (last === undefined) return firstStep(asked, request, signal);
  if (!last.result.isError) return answerFrom(last, request);
  if (last.call.name === 'search_notes') return saying(words.reader.searchFailed(last.result.text));
  // The note or folder that was read from the question does not exist; its words may still be a question.
  return search(subjectOf(asked, question), request);
}

async function firstStep(asked: Request, request: ReaderRequest, signal: AbortSignal): Promise<Step> {
  const { attached, tools } = request;
  const named = attached.filter((note) => names(request.question, note.path));
  const unread = request.unread.filter((note) => names(request.question, note.path));
  if (named.length === 0 && unread.length > 0)
    return saying(...unread.map(({ path, text }) => words.reader.noteUnread(titleOf(path), text)));
  switch (asked.kind) {
    case 'introduce':
      return saying(words.reader.introduction);
    case 'list':
      return tools.has('list_folder')
        ? { type: 'call', name: 'list_folder', args: asked.folder === '' ? {} : { path: asked.folder } }
        : saying(words.reader.noTools);
    case 'outline':
      if (tools.has('note_outline')) return { type: 'call', name: 'note_outline', args: { path: asked.note } };
      break;
    case 'summarise': {
      const wanted = asked.note.toLowerCase();
      const note = attached.find(({ path }) =>
        asked.note === ''
          ? true
          : [titleOf(path), path, path.replace(/\.md$/i, '')].some((name) => name.toLowerCase() === wanted),
      );
      if (note !== undefined) return quoting(summariseNote(note.path, note.text, false));
      if (asked.note !== '' && tools.has('read_note')) {
        return { type: 'call', name: 'read_note', args: { path: asked.note } };
      }
      break;
    }
    case 'search': {
      const passages = await searchAttached(attached, asked.query, maxPassages, signal);
      if (passages.length > 0) return quoting(quotePassages(passages, asked.query, true));
      // A question that names a note is about that note, even when no passage matches.
      if (named.length > 0) return quoting(named.flatMap((note) => summariseNote(note.path, note.text, false)));
    }
  }
  return search(subjectOf(asked, request.question), request);
}

/** Returns whether a text links to a note, by path or by title. */
function names(text: string, path: string): boolean {
  const target = path.replace(/\.md$/i, '');
  return [target, titleOf(path)].some((name) => text.includes(`[[${name}]]`));
}

/** Returns what to search for when the request cannot be answered by its kind. */
function subjectOf(asked: Request, question: string): string {
  if (asked.kind === 'search') return asked.query;
  const subject = asked.kind === 'outline' || asked.kind === 'summarise' ? asked.note : '';
  return subject === '' ? question : subject;
}

function search(query: string, { tools }: ReaderRequest): Step {
  if (!tools.has('search_notes')) return saying(words.reader.noTools);
  return { type: 'call', name: 'search_notes', args: { query } };
}

function answerFrom(last: AnsweredCall, request: ReaderRequest): Step {
  const { call, result } = last;
  const args = argumentsOf(call.argumentsText);
  switch (call.name) {
    case 'list_folder':
      return saying(...listFolder(result.text, args['path'] ?? ''));
    case 'note_outline':
      return saying(...outlineNote(result.text));
    case 'read_note': {
      const head =
        /^(.*?)(?: is empty\.|, (?:all [\d,]+ lines?|lines? [\d,]+(?:-[\d,]+)? of [\d,]+|characters [\d,]+-.*)\.)/.exec(
          result.text,
        );
      const isPart = / Continue with /.test(result.text.split('\n', 1)[0] ?? '');
      return quoting(summariseNote(head?.[1] ?? args['path'] ?? '', bodyOfRead(result.text), isPart));
    }
    case 'search_notes':
      return answerSearch(result.text, args['query'] ?? request.question, request);
    default:
      return saying(words.reader.unreadableResult);
  }
}

function answerSearch(text: string, query: string, request: ReaderRequest): Step {
  const found = parseSearchResult(text);
  if (found === undefined) return saying(words.reader.unreadableResult);
  const part = partIn(found.summary);
  const shownPart = part === undefined ? [] : [words.reader.searchedPart(...part)];
  if (found.passages.length > 0) return quoting([...quotePassages(found.passages, query, false), ...shownPart]);
  const searches = request.answered.filter((each) => each.call.name === 'search_notes').length;
  const alone = withConversation(request.question, []);
  // The words of earlier questions may have misled the search.
  if (searches === 1 && alone !== query && query !== request.question) return search(alone, request);
  const said = nothingFound(query, request.attached.length > 0, unreadIn(found.summary));
  return saying(...said, ...shownPart);
}

/** Returns the arguments that are texts; those of another model in the history may not even be JSON. */
function argumentsOf(text: string): Readonly<Record<string, string>> {
  try {
    const parsed = (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      Object.entries(parsed).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}

type Request =
  | { readonly kind: 'search'; readonly query: string }
  | { readonly kind: 'list'; readonly folder: string }
  | { readonly kind: 'outline'; readonly note: string }
  /** An empty note means the attached one. */
  | { readonly kind: 'summarise'; readonly note: string }
  | { readonly kind: 'introduce' };

const politeness = /^(?:please|(?:can|could|would|will) you(?: please)?|i(?:'d| would) like you to)[\s,]+/i;
const closing = /[\s?!.…]/;
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

/** Interprets a question by its form; an unrecognized one becomes a search. */
function interpretQuestion(question: string, earlier: readonly string[]): Request {
  const flat = question.replace(/\s+/g, ' ').replace(/’/g, "'").trim();
  let end = flat.length;
  while (end > 0 && closing.test(flat.charAt(end - 1))) end -= 1;
  const plain = flat.slice(0, end).replace(politeness, '');
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

const changing =
  /^(?:add|append|insert|write|create|make|rename|move|delete|remove|replace|rewrite|edit|change|update|fix)\s/i;

/** Whether a message asks to have notes changed, instead of asking about them. */
function asksForChange(question: string): boolean {
  const asked = question.trim();
  return !asked.endsWith('?') && changing.test(asked.replace(politeness, ''));
}

/** Returns a name without the brackets or quotes around it. */
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
/** With fewer content words than this, a question that refers back borrows words from earlier ones. */
const enoughWords = 2;

/** Returns a question, with content words of earlier ones if it refers back to them. */
function withConversation(question: string, earlier: readonly string[]): string {
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

const maxQuestionLength = 40;

/** Returns the questions in a long text, or its beginning, because a pasted page is not a search query. */
function shortened(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  if (wordsOf(flat).length <= maxQuestionLength) return flat;
  const sentences = flat.match(/[^.!?。！？]+(?:[.!?。！？]|$)/g) ?? [];
  const questions = sentences
    .filter((sentence) => /[?？]$/.test(sentence))
    .join(' ')
    .trim();
  const chosen = questions === '' ? flat : questions;
  return chosen.split(' ').slice(0, maxQuestionLength).join(' ').slice(0, 400);
}
