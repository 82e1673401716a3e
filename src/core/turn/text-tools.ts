/** Tools for models without native tool calling: reads their calls out of a stream, and looks tools up for them. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { fingerprint, isRecord } from '../base/equality';
import { lazy } from '../base/lazy';
import { succeed } from '../ports/failure';
import type { ToolCallPart } from '../ports/message';
import type { RequestPlan } from '../ports/request-plan';
import { declare, type Tool, tool } from '../tools/tool';
import { type CallBlock, type CallRules, findCalls, judgeOpening, metaTools } from './read-text-calls';

export interface EndOfText {
  /** Text to show that was withheld until it was clear that it is no call. */
  readonly text: string;
  readonly calls: readonly ToolCallPart[];
  /** By id of a call, why it cannot run, in words for the model. */
  readonly problems: ReadonlyMap<string, string>;
}

interface MadeCall {
  readonly call: ToolCallPart;
  readonly problem: string | null;
}

/** Separates the text of one answer from the calls in it, while it arrives. */
export class TextCallReader {
  /** Text that may still turn out to begin a call; a few characters long. */
  private pending = '';
  /** Whether `pending` begins a line. */
  private isLine = true;
  /** Everything from the beginning of a call on; null before there is one. */
  private held: string[] | null = null;
  /** Whether the text so far is a thought, in which calls are only considered; null until that is clear. */
  private isThought: boolean | null = null;
  private readonly rules: CallRules;

  constructor(
    private readonly plan: RequestPlan,
    tools: readonly Tool[],
  ) {
    const bare = lazy(() => bareText(plan));
    this.rules = {
      tools,
      sessionId: plan.conversationId,
      isQuoted: (text) => bare().includes(withoutBlanks(text)),
    };
  }

  /** Returns the text that can be shown now; linear in the text over a whole answer. */
  push(delta: string): string {
    if (this.held !== null) {
      this.held.push(delta);
      return '';
    }
    const text = this.pending + delta;
    this.isThought ??= startsThought(text);
    if (this.isThought === false) return this.pushSpoken(text);
    const end = this.isThought === null ? -1 : text.indexOf(thoughtEnd);
    if (end >= 0) {
      this.isThought = false;
      this.isLine = true;
      return text.slice(0, end + thoughtEnd.length) + this.pushSpoken(text.slice(end + thoughtEnd.length));
    }
    const shown = this.isThought === null ? '' : text.slice(0, 1 - thoughtEnd.length);
    this.pending = text.slice(shown.length);
    return shown;
  }

  /** @param text everything that was not shown yet, outside of thoughts */
  private pushSpoken(text: string): string {
    const { at, isCall } = findHold(text, this.isLine);
    const shown = text.slice(0, at);
    const rest = text.slice(at);
    if (shown !== '') this.isLine = shown.endsWith('\n');
    this.pending = isCall ? '' : rest;
    if (isCall) this.held = [rest];
    return shown;
  }

  /** Ends the answer: returns its calls, and the text that was withheld in vain. */
  end(): EndOfText {
    if (this.held === null) return { text: this.pending, calls: [], problems: new Map() };
    const { text, blocks } = findCalls(this.held.join(''), this.rules);
    const made = blocks.flatMap((block, index) => this.callsOf(block, index));
    return {
      text,
      calls: made.map(({ call }) => call),
      problems: new Map(made.flatMap(({ call, problem }) => (problem === null ? [] : [[call.id, problem]]))),
    };
  }

  private callsOf({ written, calls, notes, problem }: CallBlock, index: number): MadeCall[] {
    const { messages, totals, conversationId } = this.plan;
    const make = (call: Pick<ToolCallPart, 'name' | 'argumentsText'>, at: number): ToolCallPart => ({
      type: 'tool-call',
      // Nine letters and digits, which every provider accepts, should the chat change its model.
      id: `t${fingerprint(`${messages.length} ${totals.all} ${index} ${at} ${written}`)}`,
      ...call,
      written: at === 0 ? written : '',
      ...(at === 0 && Object.keys(notes).length > 0 && { notes }),
    });
    if (problem === undefined) return calls.map((call, at) => ({ call: make(call, at), problem: null }));
    const call = make({ name: metaTools.run, argumentsText: written.trim() }, 0);
    const say = words.failures.textCalls;
    return [{ call, problem: problem === 'wrong-session' ? say['wrong-session'](conversationId) : say[problem] }];
  }
}

const thoughtStart = '<think>';
const thoughtEnd = '</think>';

/** Whether an answer begins with a thought, as models write it whose server does not separate it; null if unknown. */
function startsThought(text: string): boolean | null {
  const start = text.trimStart().slice(0, thoughtStart.length);
  return start.length < thoughtStart.length && thoughtStart.startsWith(start) ? null : start === thoughtStart;
}

/** Matches every position at which a call may begin. */
const positions = /^|[<[]/gm;

/** Returns where text must be withheld, and whether it certainly looks like a call there. */
function findHold(text: string, isLineStart: boolean): { readonly at: number; readonly isCall: boolean } {
  positions.lastIndex = 0;
  for (let match = positions.exec(text); match !== null; match = positions.exec(text)) {
    const at = match.index;
    const isLine = at === 0 ? isLineStart : text[at - 1] === '\n';
    const judged = judgeOpening(text.slice(at, at + headLength), isLine);
    if (judged !== 'none') return { at, isCall: judged !== 'more' };
    positions.lastIndex = at + 1;
  }
  return { at: text.length, isCall: false };
}

/** At least the characters by which a call is recognized. */
const headLength = 256;

/**
 * Returns what the model was shown, without blanks and the marks before lines of untrusted text, one part a line: the
 * messages, and the notes and lists of the system prompt. Its instructions have calls to follow.
 */
function bareText({ blocks, messages }: RequestPlan): string {
  const reference = blocks.filter(({ zone, place }) => zone === 'reference' && place === 'system');
  const said = messages.flatMap(({ role, parts }) => (role === 'assistant' ? [] : parts.map(({ text }) => text)));
  return [...reference.map(({ text }) => text), ...said].map(withoutBlanks).join('\n');
}

function withoutBlanks(text: string): string {
  return text.replace(/[\s|>]+/g, '');
}

/** Returns a native call as text, since some servers read calls out of an answer even if no tools were declared. */
export function writeNativeCall({ name, argumentsText }: ToolCallPart): string {
  return `\n{"tool": ${JSON.stringify(name)}, "params": ${argumentsText.trim() || '{}'}}\n`;
}

interface Asked {
  readonly tools: readonly string[];
}

/** Returns the tool that shows a model the parameters of the offered tools it names (R155); of all if it names none. */
export function createLookUp(tools: readonly Tool[]): Tool {
  return tool<Asked>({
    name: metaTools.look,
    agent: 'chat',
    description: 'Returns the parameters of tools.',
    parameters: () => z.object({ tools: z.array(z.string()) }),
    effect: 'reads',
    title: ({ tools: names }) => words.tools.lookUpTitle(names),
    run: ({ tools: names }) => {
      const wanted = names.map((name) => name.slice(name.lastIndexOf('.') + 1));
      const found = tools.filter(({ name, agent }) => wanted.includes(name) || wanted.includes(agent));
      const known = new Set(found.flatMap(({ name, agent }) => [name, agent as string]));
      const missing = wanted.filter((name) => !known.has(name));
      const all = tools.map(({ name }) => name).join(', ');
      const texts = (names.length === 0 ? tools : found).map(describeTool);
      const unknown = missing.map((name) => words.failures.unknownTool(name, all));
      return Promise.resolve(succeed({ text: [...texts, ...unknown].join('\n\n'), sources: [] }));
    },
  });
}

/** Describes a tool and its parameters, one line each; a parameter with parts of its own as JSON Schema. */
function describeTool(described: Tool): string {
  const { name, description, parameters } = declare(described);
  const { properties, required } = parameters;
  const needed = Array.isArray(required) ? required : [];
  const lines = Object.entries(isRecord(properties) ? properties : {}).map(([key, schema]) =>
    describeParameter(key, isRecord(schema) ? schema : {}, needed.includes(key)),
  );
  const head = `${name} (agent: ${described.agent}): ${description}`;
  return [head, lines.length === 0 ? 'params: none' : 'params:', ...lines].join('\n');
}

function describeParameter(key: string, schema: Readonly<Record<string, unknown>>, isRequired: boolean): string {
  const { description, type, ...rest } = schema;
  const details = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== Number.MAX_SAFE_INTEGER));
  const kind = [typeof type === 'string' ? type : 'value', isRequired ? 'required' : 'optional'].join(', ');
  const more = Object.keys(details).length === 0 ? '' : ` ${JSON.stringify(details)}`;
  return `- ${key} (${kind})${more}${typeof description === 'string' ? `: ${description}` : ''}`;
}
