/** The Check contract: one self-contained file a check, pure over the ports it is handed; no check asks the network. */
import { words } from '../../text';
import { yieldToEventLoop } from '../base/async';
import { foldChoices } from '../context/chat-choices';
import { effectiveTier } from '../context/context-window';
import { notesIn } from '../library/user-notes';
import { grouped } from '../markup/prose';
import { messageOf, type Outcome } from '../ports/failure';
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

/** A step that mends what was found; the view knows what each one does. */
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
  /** The note or folder that the step is about. */
  readonly path?: string;
}

export interface CheckResult {
  readonly level: CheckLevel;
  /** One plain sentence or more, without secrets. */
  readonly words: string;
  /** The note that it is about. */
  readonly path?: string;
  /** Whether the next request uses what it is about. */
  readonly inUse?: boolean;
  /** When it happened, in milliseconds since the epoch. */
  readonly time?: number;
  readonly actions?: readonly CheckAction[];
}

/** What a chat has chosen and its message names: what the next request is made of. */
export interface NextChoices extends Required<ChatChoices> {
  readonly mentions: readonly Mention[];
}

interface NextRequest extends Omit<NextChoices, 'tier'> {
  readonly tier: Tier;
  /** Tokens that the model can hold; null when there is no such model. */
  readonly contextWindow: number | null;
}

/** How a model is reached, as far as can be told without asking it. */
export interface ModelAccess {
  /** In words; null for the built-in reader. */
  readonly provider: string | null;
  readonly address: string;
  readonly hasKey: boolean;
}

/** Writes as the journal has them. */
export interface WriteRecords {
  /** Those that a crash cut off, and whose end is not known. */
  unclear(): readonly { readonly path: string; readonly choices: readonly RecoveryChoice[] }[];
  /** Null before the journal was opened. */
  usage(): {
    readonly operations: number;
    readonly bytes: number;
    readonly limitBytes: number;
    readonly limitDays: number;
  } | null;
}

/** What the checks ask of the world. */
export interface CheckPorts {
  readonly vault: Vault;
  readonly tokenizer: Tokenizer;
  /** Names of the tools that the model is offered. */
  readonly toolNames: readonly string[];
  /** The prompt that is registered under this id; what is asked only of notes goes without. */
  readonly registered?: (id: string) => { readonly source: string } | undefined;
  readonly templates: { serve(mode: ModeId, tier: Tier, own?: string | null): ServedTemplate };
  /** Where a system prompt of the user's own is found. */
  readonly override: OverridePorts;
  /** Tokens that the template of a tier may have. */
  readonly templateBudget: (tier: Tier) => number;
  readonly platform: () => DeviceFacts['platform'];
  readonly agentFolder: () => string;
  readonly settings: () => Settings;
  /** What is wrong with the settings as they are stored now, so that a problem is gone once it is mended. */
  readonly settingsProblems: () => Promise<readonly SettingsProblem[]>;
  /** Names of the notes with the vault's conventions. */
  readonly contextFiles: () => readonly string[];
  readonly model: (id: string) => Outcome<Model>;
  /** Ok when all that a request needs is configured. */
  readonly access: (modelId: string) => Outcome<ModelAccess>;
  /** What became of writes to notes; absent where nothing is written. */
  readonly writes?: WriteRecords;
  /** Oldest first. */
  readonly events: () => readonly LoggedEvent[];
  /** Reads for display; may come from a cache that is dropped on change. */
  readonly readNote: (path: string, signal: AbortSignal) => Promise<Outcome<NoteText>>;
}

export interface CheckPlace extends CheckPorts {
  readonly next: NextRequest;
  /** With 'next', a check may leave out what the next request does not use. */
  readonly scope: 'all' | 'next';
}

export interface Check {
  readonly id: string;
  readonly label: string;
  run(place: CheckPlace, signal: AbortSignal): Promise<CheckResult[]>;
}

/** What one check found. */
export interface CheckReport {
  readonly id: string;
  readonly label: string;
  readonly results: readonly CheckResult[];
}

// The shapes of results that several checks share.

/** About a note, which can be opened from there. */
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

/** Waits until these texts are counted as exactly as they can be; counting them again then takes no time. */
export async function settleCounts(texts: readonly string[], tokenizer: Tokenizer): Promise<void> {
  for (const text of texts) tokenizer.count(text);
  if (!tokenizer.exact) await tokenizer.settle?.();
}

/** Tokens as they are shown: grouped, estimates behind a tilde. */
export function showTokens(text: string, tokenizer: Tokenizer): string {
  return `${tokenizer.exact ? '' : '~'}${grouped(tokenizer.count(text))}`;
}

/** Paths of the prompts that the next request holds. */
export function promptsOf({ selectedPrompt, mentions }: NextRequest): string[] {
  const mentioned = mentions.filter(({ kind }) => kind === 'prompt').map(({ id }) => id);
  return [...new Set([...(selectedPrompt === null ? [] : [selectedPrompt]), ...mentioned])];
}

interface AgentFiles {
  readonly prefix: string;
  readonly files: readonly FileEntry[];
}

const agentFiles = new WeakMap<readonly FileEntry[], AgentFiles>();

/** The notes directly in a folder of the agent folder; a large vault is gone through once for all checks. */
export function agentNotes({ vault, agentFolder }: CheckPlace, folder: string): string[] {
  const all = vault.files();
  const prefix = `${agentFolder()}/`;
  const known = agentFiles.get(all);
  const files = known?.prefix === prefix ? known.files : all.filter(({ path }) => path.startsWith(prefix));
  agentFiles.set(all, { prefix, files });
  return notesIn(files, `${prefix}${folder}`);
}

// Runs the checks and sums up what they found.

/**
 * One report a check, in their order, giving way to the screen between two. A check that breaks is reported as such, and
 * the others go on; once aborted, none does.
 * @param choices those of the chat that the next request belongs to; null when none is open
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
  // Without a model there is no window to go by, so that only the device sets a bound.
  const bound = { contextWindow: contextWindow ?? Infinity };
  const tier = choices.tier === 'auto' ? effectiveTier(bound, ports.platform()) : choices.tier;
  return { ...ports, next: { ...choices, tier, contextWindow }, scope };
}

const severity: readonly CheckLevel[] = ['ok', 'note', 'warning', 'error'];

/** The gravest level of some results. */
export function worstOf(results: readonly CheckResult[]): CheckLevel {
  return severity[Math.max(0, ...results.map(({ level }) => severity.indexOf(level)))] ?? 'ok';
}

/** Warnings and errors. */
export function problemsIn(reports: readonly CheckReport[]): CheckResult[] {
  return reports.flatMap(({ results }) => results.filter(({ level }) => level === 'warning' || level === 'error'));
}

/** What needs a look before the next request is sent. */
export interface Problem {
  /** Notes with a warning or an error, each counted once. */
  readonly notes: number;
  /** Whatever else has one. */
  readonly others: number;
  /** The gravest of them; null when all is well. */
  readonly first: CheckResult | null;
}

/** Counts what is wrong among the things that the next request uses. */
export function hasProblem(reports: readonly CheckReport[]): Problem {
  const used = problemsIn(reports).filter(({ inUse }) => inUse === true);
  const paths = new Set(used.flatMap(({ path }) => path ?? []));
  return {
    notes: paths.size,
    others: used.filter(({ path }) => path === undefined).length,
    first: used.find(({ level }) => level === 'error') ?? used[0] ?? null,
  };
}
