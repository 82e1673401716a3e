/**
 * Taints a chat by what it sends to the model: the facts of its prompt, appended context, and results, those of its
 * subagents included.
 */
import { words } from '../../text';
import type { PreparedTurn } from '../context/prepare-turn';
import type { PromptRegistry } from '../library/prompt-registry';
import type { Vault } from '../ports/vault';
import { availablePrompts, availableSkills, availableWorkspaces, subagents } from '../prompt/facts/library';
import type { Fact, GatheredFacts } from '../prompt/section';
import type { Addition, EntryBody, Mention } from '../session/entry';
import type { Settings } from '../settings/settings';
import type { ToolResult } from '../tools/tool';
import type { WritingPorts } from '../writing/apply/write-steps';
import type { ChatChanges } from '../writing/chat-changes';
import { type TaintCarriers, taintOf } from '../writing/guard/taint';
import type { TurnInput } from './turn-input';

/** What separates untrusted text from the user's own. */
export interface TaintPorts {
  readonly vault: Vault;
  readonly writing?: Pick<WritingPorts, 'untrusted'>;
  /** Has the prompts of servers. */
  readonly registry?: Pick<PromptRegistry, 'get'>;
  settings(): Settings;
}

/** The changes to taint; null where nothing can be written, so that taint has no effect. */
type Marked = Pick<ChatChanges, 'taint'> | null;

export interface SentByTurn {
  /** What hooks added to the message. */
  readonly hooked: EntryBody | null;
  readonly mentions: readonly Mention[];
  readonly prepared: Pick<PreparedTurn, 'turn' | 'prompt' | 'read'>;
}

/**
 * Runs before the turn is stored. Covers the notes in its prompt, including those that it only lists with a name and a
 * description.
 */
export function taintByTurn(changes: Marked, ports: TaintPorts, { hooked, mentions, prepared }: SentByTurn): void {
  const additions = hooked?.kind === 'hook-context' ? hooked.additions : [];
  const read = [...prepared.read].map(([path, text]) => ({ path, text }));
  const { selectedPrompt, selectedWorkspace, editor } = prepared.turn;
  const { path = '', selectedText = '' } = editor?.activeNote ?? {};
  const selected = selectedText === '' ? [] : [{ path, text: selectedText }];
  const chosen = [selectedPrompt, selectedWorkspace, ...mentions.map(({ id }) => id)].filter((id) => id !== null);
  const named = [...chosen, ...listedIn(prepared.prompt.facts)].map((path) => ({ path }));
  const server = serverOfPrompt(chosen, ports);
  mark(changes, ports, { untrusted: server, mentions, additions, notes: [...read, ...selected, ...named] });
}

/** The text of a server's prompt is sent as the user's message, but it is still the server's text. */
function serverOfPrompt(chosen: readonly string[], { vault, registry }: TaintPorts): string | null {
  const known = chosen.filter((id) => vault.file(id) === undefined).map((id) => registry?.get(id));
  const server = known.find((prompt) => prompt?.source === 'mcp')?.serverName;
  return server === undefined ? null : words.servers.taintOfPrompt(server);
}

/** Runs before an entry is stored. Covers what hooks add during the turn. */
export function taintByEntry(changes: Marked, ports: TaintPorts, body: EntryBody): void {
  if (body.kind === 'hook-context') mark(changes, ports, { additions: body.additions });
}

/** Runs before a result is stored. Covers the context appended to it. */
export function taintByResult(
  changes: Marked,
  ports: TaintPorts,
  { sources, touched = [], behind = [], named = [], text, untrustedSource: fromServer }: ToolResult,
  additions: readonly Addition[] = [],
): void {
  const shown = [...sources.map(({ path }) => path), ...touched, ...behind].map((path) => ({ path, text }));
  const files = additions.filter(({ kind }) => kind === 'context-file');
  const notes = [
    ...shown,
    ...named.map((path) => ({ path })),
    ...files.map((file) => ({ path: file.source, text: file.text })),
  ];
  const server = fromServer === undefined ? null : words.servers.taintOf(fromServer);
  mark(changes, ports, { untrusted: server, additions, notes });
}

/** Taints before the first wait, since a result is stored even if appending its context is aborted. */
export function taintedBy(
  changes: Marked,
  ports: TaintPorts,
  appendContext: TurnInput['appendContext'],
): TurnInput['appendContext'] {
  return async (result, earlier) => {
    taintByResult(changes, ports, result);
    const along = await appendContext(result, earlier);
    taintByResult(changes, ports, result, along.additions);
    return along;
  };
}

function mark(changes: Marked, ports: TaintPorts, carriers: TaintCarriers): void {
  if (changes === null) return;
  const { vault, writing } = ports;
  const places = { vault, clippings: ports.settings().clippingFolders, untrusted: writing?.untrusted };
  changes.taint.mark(taintOf(carriers, places));
}

function listedIn(facts: GatheredFacts): readonly string[] {
  const listed = <Row>(fact: Fact<readonly Row[]>): readonly Row[] => (facts.get(fact) ?? []) as readonly Row[];
  return [
    ...[...listed(availableSkills), ...listed(subagents)].map(({ location }) => location),
    ...[...listed(availablePrompts), ...listed(availableWorkspaces)].map(({ id }) => id),
  ];
}
