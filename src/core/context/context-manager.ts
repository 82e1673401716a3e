/** ContextManager: the only owner of a conversation's system prompt, its mode and its tier (R002). */
import { fingerprint, isEqual } from '../base/equality';
import type { Usage } from '../ports/message';
import type { ModelDescription } from '../ports/model';
import type { RequestPlan } from '../ports/request-plan';
import {
  explainSections,
  headOf,
  type PromptChange,
  type ProvidedPrompt,
  textsBySection,
} from '../prompt/provide-prompt';
import type { TurnContext } from '../prompt/world';
import type { EntryBody, Mention, PromptRebuilt, SessionEntry } from '../session/entry';
import { lastRebuild } from '../session/log-state';
import type { SessionLog } from '../session/session-log';
import type { ModeId, Tier } from '../settings/mode';
import type { Settings } from '../settings/settings';
import { foldChoices } from './chat-choices';
import {
  type ActiveState,
  type AppliedTurn,
  addSent,
  type ChatPrompt,
  type ContextPorts,
  learnFactor,
  prepareChatTurn,
} from './prepare-chat-turn';
import { createOrchestrator, type PreparedTurn } from './prepare-turn';
import { compaction, foldTurnMemory } from './turn-context';

export class ContextManager {
  private readonly events = createEmitter<ContextEvents>();
  private readonly held: ChatPrompt;

  constructor(log: SessionLog, ports: ContextPorts) {
    this.held = { log, ports, orchestrator: createOrchestrator(ports), applied: null, sent: null, noted: new Set() };
  }
  readonly subscribe: Emitter<ContextEvents>['subscribe'] = (name, listener) => this.events.subscribe(name, listener);
  readonly close = (): void => this.events.clear();
  /** Lets the next turn choose an automatic tier anew, as after a compaction (K3). */
  readonly repin = (): unknown => this.held.noted.add(compaction);
  /** The history is another one than was sent: what was counted of it says nothing any more. */
  readonly forgetSent = (): unknown => (this.held.sent = null);
  /** The next turn writes the prompt anew and says why; before the first one there is nothing to update (R254). */
  readonly updateSystemInstruction = (reason: string): unknown => this.held.applied && this.held.noted.add(reason);
  readonly learn = (usage: Usage): void => learnFactor(this.held.ports, this.held.sent, usage);
  readonly getPromptTier = (): Tier | null => this.selectedTier;
  /** The tier that the chat is pinned to (R094); null before its first turn. */
  get selectedTier(): Tier | null {
    return lastRebuild(this.held.log.entries)?.tier ?? null;
  }
  /** The system prompt at the head of the conversation; empty before the first turn of this session. */
  get systemPrompt(): string {
    return this.held.applied?.prompt.system ?? '';
  }
  /** Gathers what a turn needs and has its system prompt written; nothing holds before it is applied. */
  readonly prepare = (model: ModelDescription, mentions: readonly Mention[], signal: AbortSignal) =>
    prepareChatTurn(this.held, model, mentions, signal);
  /** What is to be stored before a turn goes out. */
  readonly entriesOf = (prepared: PreparedTurn): EntryBody[] => entriesOfTurn({ ...this.held, prepared });
  /** Puts the turn's system prompt at the head of the conversation, and tells what that changed. */
  apply(prepared: PreparedTurn): void {
    this.held.applied = applyTurn(this.events, { ...this.held, prepared });
    this.held.noted.clear();
  }
  /** Takes note of the request that is about to be sent. */
  readonly adopt = (plan: RequestPlan): RequestPlan =>
    (this.held.sent = addSent(this.held.ports, this.held.sent, plan)).plan;
}

// Applies a turn's system prompt to its chat: what was prepared holds from here on, and what it changed is told (R007).

export interface ApplyInput {
  readonly ports: { readonly hooks: { readonly active: readonly { readonly id: string }[] } };
  readonly applied: AppliedTurn | null;
  readonly prepared: PreparedTurn;
  /** Reasons that were told since the last turn. */
  readonly noted: ReadonlySet<string>;
}

/** A prompt that stayed the same, byte for byte, is no event. */
function applyTurn(
  events: Pick<Emitter<ContextEvents>, 'emit'>,
  { ports, applied, prepared, noted }: ApplyInput,
): AppliedTurn {
  const { prompt, change, turn } = prepared;
  const active = activeStateOf(turn, ports.hooks.active);
  if (change !== null) {
    const tokens = headOf(prompt).reduce((sum, block) => sum + block.tokens, 0);
    const reasons = [...new Set([...noted, ...change.reasons])];
    events.emit('system-prompt-updated', { sections: change.sections, reasons, tokens });
  }
  announceActive(events, applied?.active ?? null, active);
  return { prompt, active };
}

export interface TurnEntriesInput {
  readonly log: { readonly entries: readonly SessionEntry[] };
  readonly ports: { settings(): Settings };
  readonly applied: AppliedTurn | null;
  readonly prepared: PreparedTurn;
  readonly noted: ReadonlySet<string>;
}

/** What is to be stored before a turn goes out: that its head was written anew, and the texts around the message. */
function entriesOfTurn({ log, ports, applied, prepared, noted }: TurnEntriesInput): EntryBody[] {
  const settings = ports.settings();
  const rebuilt = rebuildEntry({
    prepared,
    before: applied?.prompt ?? null,
    last: lastRebuild(log.entries),
    noted,
    automatic: foldChoices(log.entries, settings).tier === 'auto',
    window: settings.contextWindow,
  });
  return [rebuilt, prepared.reference, zoneOf(log.entries, prepared)].filter((entry) => entry !== null);
}

/** Null when there are no such texts, or an earlier try has sent them. */
function zoneOf(entries: readonly SessionEntry[], prepared: PreparedTurn): EntryBody | null {
  const { before, after, turn } = prepared;
  if (before.length + after.length === 0 || foldTurnMemory(entries).current) return null;
  const told = Object.keys(prepared.told).length === 0 ? {} : { told: prepared.told };
  // The flat profile tells of the open notes in the system prompt, anew each time: nothing of it stays with the message.
  const editor = turn.notesApart === true ? turn.editor : null;
  return { kind: 'turn-zone', before, after, mode: turn.mode, editor, ...told };
}

// The record of a changed head: what a turn is stored with, so that the cost of a broken cache can be named (K13).

export interface RebuildQuestion {
  readonly prepared: Pick<PreparedTurn, 'prompt' | 'change' | 'turn'>;
  /** The prompt of the turn before, when it was made in this session. */
  readonly before: ProvidedPrompt | null;
  readonly last: PromptRebuilt | null;
  /** Reasons that were noted since. */
  readonly noted: ReadonlySet<string>;
  /** Whether the tier was chosen by itself. */
  readonly automatic: boolean;
  /** The window that the user has set. */
  readonly window: number | null;
}

/** Null while head and tier stay as the log has them. */
function rebuildEntry(question: RebuildQuestion): (EntryBody & { readonly kind: 'prompt-rebuilt' }) | null {
  const { prepared, before, last, noted, automatic, window } = question;
  const { modelId: model, tier, mode, headMode } = prepared.turn;
  const pin = { model, tier, automatic, window };
  const isPinned =
    last !== null && Object.entries(pin).every(([key, value]) => last[key as keyof typeof pin] === value);
  if (isPinned && before !== null && prepared.change === null) return null;
  const head = printsOf(prepared.prompt);
  const sections = last === null ? Object.keys(head) : differencesOf(last.head, head);
  if (isPinned && sections.length === 0) return null;
  const reasons = last === null ? ['start'] : [...differencesOf(pinOf(last), pinOf(pin)), ...noted];
  const explained = last === null || before === null ? [] : explainSections(sections, before, prepared.prompt);
  const all = [...new Set([...reasons, ...explained])];
  return {
    kind: 'prompt-rebuilt',
    ...pin,
    mode,
    headMode,
    sections,
    reasons: all.length === 0 ? ['reopened'] : all,
    head,
  };
}

function pinOf({ model, tier }: Pick<PromptRebuilt, 'model' | 'tier'>) {
  return { model, tier: String(tier) };
}

/** What is told anew with each request, as in the flat profile, is no part of what a cache could keep. */
function printsOf(prompt: ProvidedPrompt): Record<string, string> {
  const kept = headOf(prompt).filter(({ zone }) => zone === 'instructions' || zone === 'reference');
  return Object.fromEntries([...textsBySection(kept)].map(([section, text]) => [section, fingerprint(text)]));
}

function differencesOf(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string[] {
  return Object.keys({ ...before, ...after }).filter((key) => before[key] !== after[key]);
}

/** What a chat tells of its system prompt and of what is active in it, as of the turn that applies it (R257, K13). */
export interface ContextEvents {
  readonly 'system-prompt-updated': PromptChange & {
    /** Of the system prompt, by the counts of budgets. */
    readonly tokens: number;
  };
  readonly 'mode-changed': { readonly from: ModeId; readonly to: ModeId };
  /** Paths of notes, or ids of registered prompts. */
  readonly 'active-skills-updated': readonly string[];
  /** Names. */
  readonly 'active-tools-updated': readonly string[];
  /** Ids. */
  readonly 'active-hooks-updated': readonly string[];
  /** Names of servers. */
  readonly 'active-mcp-updated': readonly string[];
}

function activeStateOf(turn: TurnContext, hooks: readonly { readonly id: string }[]): ActiveState {
  const { mode, activeSkills, toolNames, mcpServers } = turn;
  const servers = mcpServers.map(({ name }) => name);
  return { mode, skills: activeSkills, tools: toolNames, hooks: hooks.map(({ id }) => id), servers };
}

/** Tells what differs from the turn before; nothing for the first one, which starts the chat. */
function announceActive(
  { emit }: Pick<Emitter<ContextEvents>, 'emit'>,
  before: ActiveState | null,
  after: ActiveState,
): void {
  if (before === null) return;
  if (before.mode !== after.mode) emit('mode-changed', { from: before.mode, to: after.mode });
  if (!isEqual(before.skills, after.skills)) emit('active-skills-updated', after.skills);
  if (!isEqual(before.tools, after.tools)) emit('active-tools-updated', after.tools);
  if (!isEqual(before.hooks, after.hooks)) emit('active-hooks-updated', after.hooks);
  if (!isEqual(before.servers, after.servers)) emit('active-mcp-updated', after.servers);
}

/** A typed emitter: each event with its payload, each subscription with its release (R257). */
interface Emitter<Events> {
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void;
  /** Calls the listener at every such event until the returned function is called. */
  subscribe<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void;
  /** Forgets all listeners, as when the plugin unloads. */
  clear(): void;
}

function createEmitter<Events>(): Emitter<Events> {
  const listeners = new Map<keyof Events, Set<(event: never) => void>>();
  return {
    emit: (name, event) => {
      for (const listener of [...(listeners.get(name) ?? [])]) listener(event as never);
    },
    subscribe: (name, listener) => {
      const own = listeners.get(name) ?? new Set();
      listeners.set(name, own.add(listener));
      return () => void own.delete(listener);
    },
    clear: () => listeners.clear(),
  };
}
