/** What a small model takes from a request: the question, the tools, and the results; it knows nothing else. */
import { type Message, textOf } from '../../../src/core/ports/message';
import type { RequestPlan } from '../../../src/core/ports/request-plan';

export interface SeenResult {
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

export interface SeenRequest {
  /** The newest message of the user, with the texts around it. */
  readonly message: string;
  /** The parameters of each tool that is offered; null where the request does not say them. */
  readonly tools: ReadonlyMap<string, readonly string[] | null>;
  /** The results since that message, as far as the request still has them. */
  readonly results: readonly SeenResult[];
  /** Answers since that message. */
  readonly answers: number;
  /** The ids to repeat in calls that are written as text; null where tools are called natively. */
  readonly ids: { readonly workspaceId: string; readonly sessionId: string } | null;
}

export function readRequest(plan: RequestPlan): SeenRequest {
  const isUsers = plan.messages.map((message) => message.role === 'user' && message.carriesResults !== true);
  const at = isUsers.lastIndexOf(true);
  const asked = plan.messages[at];
  const later = plan.messages.slice(at + 1);
  const results = later.flatMap(resultsIn);
  const ids = idsIn(plan.system);
  return {
    message: asked === undefined ? '' : textOf(asked.parts),
    tools: ids === null ? nativeTools(plan) : describedTools(plan.system, results),
    results,
    answers: later.filter(({ role }) => role === 'assistant').length,
    ids,
  };
}

function resultsIn(message: Message): SeenResult[] {
  if (message.role === 'tool') return message.parts.map(({ name, text, isError }) => ({ name, text, isError }));
  if (message.role !== 'user') return [];
  // [head, kind, name, text, kind, name, text, …]
  const [, ...pieces] = textOf(message.parts).split(/^\[(Result|Error)(?: \d+ of \d+)?: (\w+)\]\n/m);
  return pieces.flatMap((kind, index) =>
    index % 3 === 0
      ? [{ name: pieces[index + 1] ?? '', text: (pieces[index + 2] ?? '').trimEnd(), isError: kind === 'Error' }]
      : [],
  );
}

function idsIn(system: string): SeenRequest['ids'] {
  const workspaceId = /^ *- workspaceId: "(.*)"$/m.exec(system)?.[1];
  const sessionId = /^ *- sessionId: "(.*)"$/m.exec(system)?.[1];
  return workspaceId === undefined || sessionId === undefined ? null : { workspaceId, sessionId };
}

function nativeTools({ tools }: RequestPlan): SeenRequest['tools'] {
  return new Map(tools.map(({ name, parameters }) => [name, Object.keys(parameters['properties'] ?? {})]));
}

/** Reads the names from the system prompt, and the parameters from what a look-up returned. */
function describedTools(system: string, results: readonly SeenResult[]): SeenRequest['tools'] {
  const names = [...system.matchAll(/^ {2}Tools: (.+)$/gm)].flatMap(([, list = '']) => list.split(', '));
  const lookUps = results.filter(({ name }) => name === 'getTools').map(({ text }) => text);
  const described = new Map<string, readonly string[]>();
  for (const [, name = '', parameters = ''] of lookUps
    .join('\n\n')
    .matchAll(/^(\w+) \(agent: [^)]*\): .*\nparams:((?:\n- .*)*)/gm)) {
    described.set(
      name,
      [...parameters.matchAll(/^- (\w+) /gm)].map(([, parameter = '']) => parameter),
    );
  }
  return new Map(names.map((name) => [name, described.get(name) ?? null]));
}

export interface SeenPassage {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

/** Returns the hits of a search result. The text of one that was cut short ends where the result does. */
export function passagesIn({ text }: SeenResult): SeenPassage[] {
  const pieces = text.split(/^\[\d+\] (.+)\n(?:heading: .+\n)?lines: (\d+)-(\d+)(?:, part)?\n/m).slice(1);
  return pieces.flatMap((path, index) =>
    index % 4 === 0
      ? [
          {
            path,
            startLine: Number(pieces[index + 1]),
            endLine: Number(pieces[index + 2]),
            text: (pieces[index + 3] ?? '').trimEnd(),
          },
        ]
      : [],
  );
}

export interface SeenRead {
  readonly path: string;
  readonly text: string;
  /** The arguments by which the result says how to read on; null if it does not. */
  readonly next: Readonly<Record<string, number>> | null;
}

/** Returns the part of a note that a result shows; null if its first line does not say what it is. */
export function readIn({ text }: SeenResult): SeenRead | null {
  const [head = ''] = text.split('\n', 1);
  const path = /^(.+\.md), (?:all |lines? |characters )/.exec(head)?.[1];
  if (path === undefined) return null;
  const more = /Continue with (.+)\.$/.exec(head)?.[1];
  const next = more?.split(', ').map((argument) => argument.split(' ')) ?? null;
  return {
    path,
    text: text.slice(head.length),
    next: next === null ? null : Object.fromEntries(next.map(([name = '', value]) => [name, Number(value)])),
  };
}
