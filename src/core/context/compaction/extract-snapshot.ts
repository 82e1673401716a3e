/**
 * Makes a snapshot without a model: the first request, the most relevant sentences, the notes and the open tasks
 * (design 8).
 */
import { cutToTokens, tokensByRule } from '../../markup/budget';
import { textOfAnswer } from '../../markup/escapes';
import { shortLine } from '../../markup/prose';
import { toolCallsOf } from '../../ports/message';
import { heaviestSentences, proseOf } from '../../search/passages';
import type { SessionEntry, Snapshot, SnapshotPart } from '../../session/entry';
import type { Goal } from '../../session/goal-entry';

const maxFacts = 10;
const maxRules = 8;
const maxPaths = 20;
const maxActions = 6;
const lineLength = 160;

/** Words that set a rule, in a few languages; a rule that this misses is still in the log. */
const ruleWords =
  /\b(?:must|never|always|only|don['’]t|do not|please keep|instead of|immer|niemals|nur|toujours|jamais|siempre|nunca)\b/i;

/** The share of the tokens for each part. */
const shares: Readonly<Record<SnapshotPart, number>> = {
  overall_goal: 0.1,
  active_constraints: 0.15,
  key_knowledge: 0.3,
  artifact_trail: 0.1,
  file_system_state: 0.1,
  recent_actions: 0.1,
  task_state: 0.15,
};

export interface ExtractInput {
  /** The entries to cover as the model saw them; a covered summary comes first. */
  readonly entries: readonly SessionEntry[];
  readonly goal: Goal | null;
  /** Tokens for all parts together. */
  readonly tokens: number;
}

/** Extracts the parts of a snapshot; equal input gives an equal snapshot. */
export function extractSnapshot({ entries, goal, tokens }: ExtractInput): Snapshot {
  const earlier = partsBefore(entries);
  const said = entries.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : []));
  const answers = entries.flatMap((entry) => (entry.kind === 'assistant' ? [textOfAnswer(entry)] : []));
  const parts: Readonly<Record<SnapshotPart, readonly string[]>> = {
    overall_goal: [goal?.description ?? earlier('overall_goal')[0] ?? said[0] ?? ''],
    active_constraints: [...earlier('active_constraints'), ...said.flatMap(proseOf).filter(isRule).slice(-maxRules)],
    key_knowledge: [...earlier('key_knowledge'), ...heaviestSentences(answers, maxFacts)],
    artifact_trail: [
      ...earlier('artifact_trail'),
      ...(goal?.artifacts ?? []).map(({ action, path }) => `${action} ${path}`),
    ],
    file_system_state: [...earlier('file_system_state'), ...pathsIn(entries).slice(0, maxPaths)],
    recent_actions: actionsIn(entries).slice(-maxActions),
    task_state: [
      ...(goal?.checkpoints ?? []).map(({ description, status }) => `${marks[status]} ${description}`),
      ...(said.length === 0 ? earlier('task_state') : [`[IN PROGRESS] ${said.at(-1) ?? ''}`]),
      ...answers.slice(-1),
    ],
  };
  const written = Object.entries(parts).map(([name, lines]) => {
    const room = Math.max(minimum, Math.floor(tokens * shares[name as SnapshotPart]));
    return [name, within(lines, room)];
  });
  return Object.fromEntries(written) as Record<SnapshotPart, string>;
}

const minimum = 12;
const marks = { pending: '[TODO]', 'in-progress': '[IN PROGRESS]', completed: '[DONE]' } as const;

/** Joins as many of the newest lines as fit, each once; returns 'none' for nothing. */
function within(lines: readonly string[], room: number): string {
  const short = [...new Set(lines.map((line) => shortLine(line, lineLength)).filter((line) => line !== ''))];
  const chosen: string[] = [];
  let left = room;
  for (const line of short.reverse()) {
    const cut = chosen.length === 0 ? cutToTokens(line, left).text : line;
    left -= tokensByRule(`${cut}\n`);
    if (left < 0 && chosen.length > 0) break;
    chosen.unshift(cut);
  }
  return chosen.join('\n') || 'none';
}

/** Returns a reader of the lines in the summary that comes first; every part is empty without one. */
function partsBefore([first]: readonly SessionEntry[]): (part: SnapshotPart) => readonly string[] {
  const snapshot = first?.kind === 'summary' ? first.snapshot : null;
  return (part) => {
    const text = snapshot?.[part];
    return text === undefined || text === 'none' ? [] : text.split('\n');
  };
}

function isRule(sentence: string): boolean {
  return ruleWords.test(sentence);
}

/** Returns the paths of the notes that entries are about, in order of appearance. */
export function pathsIn(entries: readonly SessionEntry[]): string[] {
  const paths = entries.flatMap((entry) => {
    if (entry.kind === 'summary') return entry.paths;
    if (entry.kind === 'user') return entry.mentions.flatMap(({ kind, id }) => (kind === 'note' ? [id] : []));
    return entry.kind === 'tool-result' ? entry.sources.map(({ path }) => path) : [];
  });
  return [...new Set(paths)];
}

/** Returns what a result begins with; of an untrusted one, only what Docent says about it. */
function firstLineOf({ text, frame }: SessionEntry & { readonly kind: 'tool-result' }): string {
  return frame?.lead ?? text.split('\n', 1)[0] ?? '';
}

function actionsIn(entries: readonly SessionEntry[]): string[] {
  const results = new Map(
    entries.flatMap((entry) => (entry.kind === 'tool-result' ? [[entry.callId, entry] as const] : [])),
  );
  return entries.flatMap((entry) => {
    if (entry.kind !== 'assistant') return [];
    return toolCallsOf(entry.parts).map(({ id, name, argumentsText }) => {
      const result = results.get(id);
      const came = result === undefined ? 'no result' : result.isError ? 'failed' : firstLineOf(result);
      return `${name} ${argumentsText.slice(0, 80)}: ${came.slice(0, 80)}`;
    });
  });
}
