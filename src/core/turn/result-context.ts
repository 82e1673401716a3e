/** Appends context to a tool result: context files of the folders it touched, then what hooks add (K14, R140). */
import { words } from '../../text';
import type { Hooks } from '../hooks/hooks';
import { contextFileTokens, cutContext, nestedContextFiles } from '../library/context-files';
import { tokensByRule } from '../markup/budget';
import { describeFailure, type Outcome } from '../ports/failure';
import { tinyWindow } from '../ports/model';
import type { NoteText, Vault } from '../ports/vault';
import { formatAddition } from '../request/history-text';
import type { Addition, SessionEntry } from '../session/entry';
import { contextFilesIn } from '../session/log-state';
import type { MemoryLog } from '../session/session-log';
import type { ResultContext, CallResult } from './turn-input';

/** The maximum share of the context window for all folder context files of a chat, and of a tiny window. */
const contextFileShare = 0.1;
const tinyContextFileShare = 0.05;

/** With fewer tokens than this, a file is not worth its frame. */
const minTokens = 30;

export interface ResultContextPorts {
  readonly conversation: string;
  readonly vault: Pick<Vault, 'file' | 'folders'>;
  readNote(path: string, signal: AbortSignal): Promise<Outcome<NoteText>>;
  /** Names of context files. */
  readonly names: readonly string[];
  /** Where the context file of the vault root is sent (R200). */
  readonly contextFilesIn?: 'prompt' | 'first-touch';
  readonly contextWindow: number;
  readonly hooks: Pick<Hooks, 'afterTool'>;
  /** The entries that the model still sees. */
  entries(): readonly SessionEntry[];
}

/** The ports of a turn that this needs. */
export interface TurnResultContextPorts extends Pick<ResultContextPorts, 'vault' | 'hooks'> {
  readonly notes: { read(path: string, signal: AbortSignal): Promise<Outcome<NoteText>> };
  readonly hostState: {
    settings(): { readonly contextFiles: readonly string[]; readonly contextFilesIn: 'prompt' | 'first-touch' };
  };
}

/** Returns a function that appends context to the results of a turn. */
export function resultContextFor(
  { vault, notes, hostState, hooks }: TurnResultContextPorts,
  { log, contextWindow }: { readonly log: Pick<MemoryLog, 'conversation' | 'entries'>; readonly contextWindow: number },
  signal: AbortSignal,
): (result: CallResult, earlier: readonly Addition[]) => Promise<ResultContext> {
  const { contextFiles, contextFilesIn: rootIn } = hostState.settings();
  const ports: ResultContextPorts = {
    conversation: log.conversation,
    vault,
    readNote: (path, stop) => notes.read(path, stop),
    names: contextFiles,
    contextFilesIn: rootIn,
    contextWindow,
    hooks,
    entries: () => log.entries,
  };
  return (result, earlier) => appendResultContext(ports, result, earlier, signal);
}

/** @param earlier context appended to results that are not in the log yet */
export async function appendResultContext(
  ports: ResultContextPorts,
  result: CallResult,
  earlier: readonly Addition[],
  signal: AbortSignal,
): Promise<ResultContext> {
  const files = await loadContextFiles(ports, result.touched ?? [], earlier, signal);
  const { call, text, isError, sources } = result;
  const { conversation, contextWindow } = ports;
  const hooked = await ports.hooks.afterTool(conversation, call, { text, isError, sources, contextWindow }, signal);
  return {
    additions: [...files.additions, ...hooked.additions],
    reports: [...files.reports, ...hooked.reports],
  };
}

/**
 * Loads each file once per chat, outermost folder first, cut to the rest of their share; a file that cannot be read is
 * tried again later.
 */
async function loadContextFiles(
  ports: ResultContextPorts,
  touched: readonly string[],
  earlier: readonly Addition[],
  signal: AbortSignal,
): Promise<ResultContext> {
  if (touched.length === 0) return { additions: [], reports: [] };
  const known = [...contextFilesIn(ports.entries()), ...earlier.filter(({ kind }) => kind === 'context-file')];
  const additions: Addition[] = [];
  const reports: string[] = [];
  const share = Math.floor(
    ports.contextWindow * (ports.contextWindow <= tinyWindow ? tinyContextFileShare : contextFileShare),
  );
  let room = known.reduce((left, addition) => left - sizeOf(addition), share);
  const withRoot = ports.contextFilesIn === 'first-touch';
  for (const each of touched) {
    const loaded = [...known, ...additions].map(({ source }) => source);
    for (const path of nestedContextFiles(ports.vault, each, ports.names, loaded, withRoot)) {
      const outcome = await ports.readNote(path, signal);
      if (signal.aborted) return { additions, reports };
      if (!outcome.ok) reports.push(describeFailure(outcome.failure));
      if (!outcome.ok || outcome.value.text.trim() === '') continue;
      const addition = fit(path, outcome.value.text, room);
      if (addition === null) {
        reports.push(words.hooks.noShare(path));
        continue;
      }
      additions.push(addition);
      room -= sizeOf(addition);
    }
  }
  return { additions, reports };
}

/** Returns as much of the file as fits, with a note on what was cut; null if too little would fit. */
function fit(source: string, text: string, room: number): Addition | null {
  let tokens = Math.min(room, contextFileTokens);
  while (tokens >= minTokens) {
    const addition: Addition = { kind: 'context-file', source, text: cutContext(text, tokens) };
    const size = sizeOf(addition);
    if (size <= room) return addition;
    tokens = Math.min(tokens - 1, Math.floor((tokens * room) / size));
  }
  return null;
}

function sizeOf(addition: Addition): number {
  return tokensByRule(formatAddition(addition));
}
