/**
 * A scripted model that behaves as a small one: it decides by the request alone, calls only tools that are offered, and
 * quotes or copies only what a result in its request shows.
 */
import type { Model, ModelDescription, ModelEvent } from '../../../src/core/ports/model';
import type { RequestPlan } from '../../../src/core/ports/request-plan';
import { hasWords } from './draw-questions';
import {
  passagesIn,
  readIn,
  readRequest,
  type SeenPassage,
  type SeenRead,
  type SeenRequest,
  type SeenResult,
} from './read-request';

/** How a turn finishes: with an answer from the hits of a search, from a note that was read, or with an edit. */
export type TurnKind = 'snippets' | 'read' | 'edit';

/** What the edit adds to the end of the line. */
export const mark = ' (checked)';

/** Requests after which the model stops trying. */
const maxRequests = 10;
const maxReads = 4;

export function writeQuestion(kind: TurnKind, words: readonly string[]): string {
  const about = `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
  if (kind !== 'edit') return `What do my notes say about ${about}?`;
  return `Find the line about ${about} in my notes, and add "${mark.trim()}" at its end.`;
}

interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The next act: a call, or the last words of the turn. */
type Act = { readonly call: Call } | { readonly text: string };

/** The first words of an answer that gives up; the reason follows. */
export const givingUp = 'I could not do this: ';

const giveUp = (reason: string): Act => ({ text: `${givingUp}${reason}.` });

/** @param kind what the model takes the message for */
export function smallModel(kind: TurnKind, description: ModelDescription): Model & { readonly plans: RequestPlan[] } {
  const plans: RequestPlan[] = [];
  return {
    description,
    plans,
    async *stream(plan): AsyncGenerator<ModelEvent> {
      await Promise.resolve();
      plans.push(plan);
      const request = readRequest(plan);
      const act =
        plans.length > maxRequests ? giveUp(`${maxRequests} requests were not enough`) : decide(kind, request);
      if ('text' in act) {
        yield { type: 'text-delta', text: act.text };
        yield { type: 'finish', reason: 'complete' };
      } else yield* writeCall(act.call, request, plans.length);
    },
  };
}

function* writeCall({ name, args }: Call, { ids }: SeenRequest, number: number): Generator<ModelEvent> {
  if (ids === null) {
    const call = { type: 'tool-call', id: `call${number}`, name, argumentsText: JSON.stringify(args) } as const;
    yield { type: 'tool-call', call };
    yield { type: 'finish', reason: 'tool-calls' };
    return;
  }
  const notes = { memory: 'The user asks about a line of a note.', goal: 'Find the line and do what is asked.' };
  const block =
    name === 'getTools'
      ? { getTools: args }
      : { useTools: { ...ids, ...notes, calls: [{ tool: name, params: args }] } };
  yield { type: 'text-delta', text: `I look it up.\n\n\`\`\`json\n${JSON.stringify(block)}\n\`\`\`` };
  yield { type: 'finish', reason: 'complete' };
}

const toolsOf: Readonly<Record<TurnKind, readonly string[]>> = {
  snippets: ['search_notes'],
  read: ['search_notes', 'read_note'],
  edit: ['search_notes', 'read_note', 'edit_note'],
};

function decide(kind: TurnKind, request: SeenRequest): Act {
  const words = wordsOfQuestion(request.message);
  if (words.length === 0) return giveUp('the message of the user is not in the request');
  const missing = toolsOf[kind].find((name) => !request.tools.has(name));
  if (missing !== undefined) return giveUp(`${missing} is not offered`);
  const unknown = toolsOf[kind].filter((name) => request.tools.get(name) === null);
  if (unknown.length > 0) return lookUp(unknown, request);
  return kind === 'snippets' ? answerFromHits(words, request) : workOnNote(kind, words, request);
}

function wordsOfQuestion(message: string): string[] {
  const asked = /(?:my notes say|the line) about (.+?)(?:\?| in my notes)/.exec(message)?.[1];
  return asked?.split(/, | and /) ?? [];
}

function lookUp(tools: readonly string[], { results }: SeenRequest): Act {
  const before = results.filter(({ name }) => name === 'getTools').length;
  return before < 2
    ? call('getTools', { tools })
    : giveUp(`getTools does not show the parameters of ${tools.join(', ')}`);
}

function answerFromHits(words: readonly string[], { results }: SeenRequest): Act {
  const searches = results.filter(({ name }) => name === 'search_notes');
  const last = searches.at(-1);
  if (last === undefined) return search(words);
  for (const { path, text } of searches.flatMap(passagesIn)) {
    const line = lineWith(words, text);
    if (line !== undefined) return answer(line, path);
  }
  return giveUp(
    last.isError ? `the search failed: ${firstLine(last)}` : 'the result of the search does not show the line',
  );
}

function workOnNote(kind: 'read' | 'edit', words: readonly string[], request: SeenRequest): Act {
  const { results } = request;
  const reads = results
    .filter(({ name, isError }) => name === 'read_note' && !isError)
    .flatMap((each) => readIn(each) ?? []);
  const found = reads.flatMap(({ path, text }) => {
    const line = lineWith(words, text);
    return line === undefined ? [] : [{ path, line }];
  })[0];
  if (kind === 'edit') {
    const edit = results.filter(({ name }) => name === 'edit_note').at(-1);
    if (edit?.isError === false) return { text: 'I proposed the change to the line you named.' };
    if (edit !== undefined) return giveUp(`the edit was refused: ${firstLine(edit)}`);
    if (found !== undefined) {
      return call('edit_note', { path: found.path, oldText: found.line, newText: found.line + mark });
    }
  }
  return found === undefined ? look(words, request, reads) : answer(found.line, found.path);
}

/** Searches, then reads the best hit: first as a whole, then the lines of the hit, then on from where a read ended. */
function look(words: readonly string[], { results }: SeenRequest, reads: readonly SeenRead[]): Act {
  const failed = results.filter(({ name, isError }) => name === 'read_note' && isError).at(-1);
  const tried = results.filter(({ name }) => name === 'read_note').length;
  const hits = results.filter(({ name }) => name === 'search_notes').flatMap(passagesIn);
  if (tried > maxReads) return giveUp(`${maxReads} reads do not show the line`);
  if (hits.length === 0 && tried === 0) {
    const last = results.filter(({ name }) => name === 'search_notes').at(-1);
    if (last === undefined) return search(words);
    return giveUp(`the search shows no passage: ${firstLine(last)}`);
  }
  if (failed !== undefined) return giveUp(`the read failed: ${firstLine(failed)}`);
  const hit = bestHit(hits, words);
  const last = reads.at(-1);
  if (hit !== undefined && tried === 0) return call('read_note', { path: hit.path });
  if (hit !== undefined && tried === 1) {
    return call('read_note', { path: hit.path, startLine: hit.startLine, endLine: hit.endLine });
  }
  if (last?.next != null) return call('read_note', { path: last.path, ...last.next });
  return giveUp('the results that are still in the request do not show the line');
}

/** Returns the hit that shows most of the words; the first of several. */
function bestHit(hits: readonly SeenPassage[], words: readonly string[]): SeenPassage | undefined {
  const shown = ({ text }: SeenPassage): number => words.filter((word) => hasWords(text, [word])).length;
  return [...hits].sort((a, b) => shown(b) - shown(a))[0];
}

function lineWith(words: readonly string[], text: string): string | undefined {
  return text
    .split('\n')
    .find((line) => hasWords(line, words))
    ?.trim();
}

function search(words: readonly string[]): Act {
  return call('search_notes', { query: words.join(' ') });
}

function answer(line: string, path: string): Act {
  return { text: `${line}\n\nSource: [[${path.replace(/\.md$/, '')}]]` };
}

function call(name: string, args: Call['args']): Act {
  return { call: { name, args } };
}

function firstLine({ text }: SeenResult): string {
  return text.split('\n', 1)[0]?.replace(/\.$/, '') ?? '';
}
