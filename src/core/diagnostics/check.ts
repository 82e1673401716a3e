/**
 * Checks for the diagnostics: their contract, the results that they share, and the run over all of them. Each check is
 * one self-contained file, pure over its ports; none uses the network.
 */
import { formatTokens, words } from '../../text';
import { yieldToEventLoop } from '../base/async';
import { foldChoices } from '../context/chat-choices';
import { effectiveTier } from '../context/context-window';
import type { GivenSkill } from '../library/skills';
import { notesIn } from '../library/user-notes';
import { type Failure, messageOf, type Outcome } from '../ports/failure';
import type { Model, Tokenizer } from '../ports/model';
import type { FileEntry, NoteText, Vault } from '../ports/vault';
import type { OverridePorts } from '../prompt/override';
import type { ServedTemplate } from '../prompt/tiered-prompt-store';
import type { DeviceFacts } from '../prompt/world';
import type { ChatChoices, Mention, RecoveryChoice } from '../session/entry';
import type { ModeId, Tier } from '../settings/mode';
import type { Settings, SettingsProblem } from '../settings/settings';
import type { LoggedEvent } from './event-log';

export type CheckLevel = 'ok' | 'note' | 'warning' | 'error';

/** A step that fixes a problem; the view knows what each one does. */
export interface CheckAction {
  readonly id:
    | 'open-note'
    | 'open-settings'
    | 'create-folder'
    | 'create-system-prompt'
    | 'turn-off-system-prompt'
    | 'allow-outside-file'
    | 'take-back-write'
    | 'finish-write'
    | 'keep-write';
  readonly label: string;
  /** The note or folder that the step acts on. */
  readonly path?: string;
}

export interface CheckResult {
  readonly level: CheckLevel;
  /** One plain sentence or more, without secrets. */
  readonly words: string;
  /** The note that the result is about. */
  readonly path?: string;
  /** Whether the next request uses that note or setting. */
  readonly inUse?: boolean;
  /** Whether the chat view has a notice of its own about it. */
  readonly isNoticed?: true;
  /** When the event happened, in milliseconds since the epoch. */
  readonly time?: number;
  readonly actions?: readonly CheckAction[];
}

/** A chat's own settings and the mentions of its message, which determine the next request. */
export interface NextChoices extends Required<ChatChoices> {
  readonly mentions: readonly Mention[];
}

interface NextRequest extends Omit<NextChoices, 'tier'> {
  readonly tier: Tier;
  /** The model's context window in tokens; null if the model is not available. */
  readonly contextWindow: number | null;
}

/** How a model is reached, as far as is known without a request. */
export interface ModelAccess {
  /** Display name; null for the built-in reader. */
  readonly provider: string | null;
  readonly address: string;
  readonly hasKey: boolean;
}

/** Writes recorded in the journal. */
export interface WriteRecords {
  /** Returns the writes that a crash interrupted, whose result is unknown. */
  interrupted(): readonly { readonly path: string; readonly choices: readonly RecoveryChoice[] }[];
  /** The number of writes whose end is not recorded on disk, because the disk refused it; absent for none. */
  unrecordedEnds?(): number;
  /** Why a part of the records cannot be read; absent or null if all can. */
  unread?(): Failure | null;
  /** Counts what the journal holds; resolves to null until it is open. */
  measure(): Promise<{
    readonly operations: number;
    readonly bytes: number;
    readonly limitBytes: number;
    readonly limitDays: number;
    /** Bytes of the copies of other devices; absent for none. */
    readonly otherBytes?: number;
  } | null>;
}

/** What the checks need from outside core. */
export interface CheckPorts {
  readonly vault: Vault;
  readonly tokenizer: Tokenizer;
  /** Names of the tools that are declared to the model. */
  readonly toolNames: readonly string[];
  /** Names of those that a subagent may have; all of them if absent. */
  readonly subagentToolNames?: readonly string[];
  /** Returns the prompt registered under this id. Absent if only notes are checked. */
  readonly registered?: (id: string) => { readonly source: string } | undefined;
  readonly templates: { serve(mode: ModeId, tier: Tier, own?: string | null): ServedTemplate };
  /** Returns the skills without a note; absent if there are none. */
  readonly givenSkills?: () => readonly GivenSkill[];
  /** Where the user's own system prompt is found. */
  readonly override: OverridePorts;
  /** Maximum tokens of a tier's template. */
  readonly templateBudget: (tier: Tier) => number;
  readonly platform: () => DeviceFacts['platform'];
  readonly agentFolder: () => string;
  readonly settings: () => Settings;
  /** Problems of the settings as currently stored, so that a problem disappears once it is fixed. */
  readonly settingsProblems: () => Promise<readonly SettingsProblem[]>;
  /** Names of the notes that contain the vault's conventions. */
  readonly contextFiles: () => readonly string[];
  /** The files that would direct the agent and wait for the user to allow them; absent for none. */
  readonly waiting?: () => readonly { readonly path: string; readonly isDeclined: boolean }[];
  readonly model: (id: string) => Outcome<Model>;
  /** Ok if everything that a request needs is configured. */
  readonly access: (modelId: string) => Outcome<ModelAccess>;
  /** Results of writes to notes; absent where nothing is written. */
  readonly writes?: WriteRecords;
  /** Oldest first. */
  readonly events: () => readonly LoggedEvent[];
  /** Reads for display; may come from a cache that is cleared on change. */
  readonly readNote: (path: string, signal: AbortSignal) => Promise<Outcome<NoteText>>;
}

export interface CheckPlace extends CheckPorts {
  readonly next: NextRequest;
  /** With 'next', a check may omit what the next request does not use. */
  readonly scope: 'all' | 'next';
}

export interface Check {
  readonly id: string;
  readonly label: string;
  run(place: CheckPlace, signal: AbortSignal): Promise<CheckResult[]>;
}

/** The results of one check. */
export interface CheckReport {
  readonly id: string;
  readonly label: string;
  readonly results: readonly CheckResult[];
}

/** Returns a result about a note, with an action that opens it. */
export function aboutNote(path: string, level: CheckLevel, text: string, inUse = false): CheckResult {
  return { level, words: text, path, inUse, actions: [openNote(path)] };
}

export function openNote(path: string): CheckAction {
  return { id: 'open-note', label: words.diagnostics.openNote, path };
}

export const openSettings: CheckAction = { id: 'open-settings', label: words.diagnostics.openSettings };

export function createFolder(path: string): CheckAction {
  return { id: 'create-folder', label: words.diagnostics.createFolder, path };
}

export function fine(text: string): CheckResult {
  return { level: 'ok', words: text };
}

/** Maximum names in a result about several files. */
const maxNamed = 4;

/** Says that there is none of a kind, or which ones wait for the user, since the vault is shown without these. */
export function fineWithout(
  none: string,
  { waiting }: Pick<CheckPlace, 'waiting'>,
  isOfKind: (path: string) => boolean,
): CheckResult {
  const paths = (waiting?.() ?? []).flatMap(({ path, isDeclined }) => (isDeclined || !isOfKind(path) ? [] : [path]));
  if (paths.length === 0) return fine(none);
  const more = Math.max(0, paths.length - maxNamed);
  return { level: 'note', words: words.instructions.waiting(paths.slice(0, maxNamed).join(', '), more) };
}

/** Resolves when these texts are counted as exactly as possible; counting them again is then instant. */
export async function settleCounts(texts: readonly string[], tokenizer: Tokenizer): Promise<void> {
  for (const text of texts) tokenizer.count(text);
  if (!tokenizer.exact) await tokenizer.settle?.();
}

/** Formats a token count as shown to the user: with thousands separators, and “≈” before an estimate. */
export function showTokens(text: string, tokenizer: Tokenizer): string {
  return formatTokens(tokenizer.count(text), tokenizer.exact);
}

/** Returns the paths of the prompts in the next request. */
export function promptsOf({ selectedPrompt, mentions }: NextRequest): string[] {
  const mentioned = mentions.filter(({ kind }) => kind === 'prompt').map(({ id }) => id);
  return [...new Set([...(selectedPrompt === null ? [] : [selectedPrompt]), ...mentioned])];
}

interface AgentFiles {
  readonly prefix: string;
  readonly files: readonly FileEntry[];
}

const agentFiles = new WeakMap<readonly FileEntry[], AgentFiles>();

/** Returns the notes directly in a folder of the agent folder. Scans a large vault once for all checks. */
export function agentNotes({ vault, agentFolder }: CheckPlace, folder: string): string[] {
  const all = vault.files();
  const prefix = `${agentFolder()}/`;
  const known = agentFiles.get(all);
  const files = known?.prefix === prefix ? known.files : all.filter(({ path }) => path.startsWith(prefix));
  agentFiles.set(all, { prefix, files });
  return notesIn(files, `${prefix}${folder}`);
}

/**
 * Runs the checks in order and returns one report per check. Yields to the event loop between checks. Reports a check
 * that throws and continues with the others; stops when aborted.
 * @param choices those of the chat that the next request belongs to; null if no chat is open
 */
export async function runChecks(
  checks: readonly Check[],
  ports: CheckPorts,
  choices: NextChoices | null,
  scope: CheckPlace['scope'],
  signal: AbortSignal,
): Promise<readonly CheckReport[]> {
  const place = placeOf(ports, choices ?? { ...foldChoices([], ports.settings()), mentions: [] }, scope);
  const reports: CheckReport[] = [];
  for (const check of checks) {
    if (signal.aborted) break;
    reports.push(await runCheck(check, place, signal));
    await yieldToEventLoop();
  }
  return reports;
}

async function runCheck(check: Check, place: CheckPlace, signal: AbortSignal): Promise<CheckReport> {
  const { id, label } = check;
  try {
    return { id, label, results: await check.run(place, signal) };
  } catch (thrown) {
    const broken: CheckResult = { level: 'error', words: words.diagnostics.failed(messageOf(thrown)) };
    return { id, label, results: [broken] };
  }
}

function placeOf(ports: CheckPorts, choices: NextChoices, scope: CheckPlace['scope']): CheckPlace {
  const model = ports.model(choices.model);
  const contextWindow = model.ok ? model.value.description.contextWindow : null;
  // Without a model, there is no context window, so only the platform limits the tier.
  const bound = { contextWindow: contextWindow ?? Infinity };
  const tier = choices.tier === 'auto' ? effectiveTier(bound, ports.platform()) : choices.tier;
  return { ...ports, next: { ...choices, tier, contextWindow }, scope };
}

const severity: readonly CheckLevel[] = ['ok', 'note', 'warning', 'error'];

/** Returns the most severe level of the results. */
export function worstOf(results: readonly CheckResult[]): CheckLevel {
  return severity[Math.max(0, ...results.map(({ level }) => severity.indexOf(level)))] ?? 'ok';
}

/** Returns the warnings and errors. */
export function problemsIn(reports: readonly CheckReport[]): CheckResult[] {
  return reports.flatMap(({ results }) => results.filter(({ level }) => level === 'warning' || level === 'error'));
}

/** Problems to review before the next request is sent. */
export interface Problem {
  /** Number of notes with a warning or an error. */
  readonly notes: number;
  /** Number of warnings and errors about anything but notes. */
  readonly others: number;
  /** The most severe one; null if there are none. */
  readonly first: CheckResult | null;
}

/** Counts the problems among what the next request uses, without those that the chat view shows in a notice of their own. */
export function hasProblem(reports: readonly CheckReport[]): Problem {
  const used = problemsIn(reports).filter(({ inUse, isNoticed }) => inUse === true && isNoticed !== true);
  const paths = new Set(used.flatMap(({ path }) => path ?? []));
  return {
    notes: paths.size,
    others: used.filter(({ path }) => path === undefined).length,
    first: used.find(({ level }) => level === 'error') ?? used[0] ?? null,
  };
}
