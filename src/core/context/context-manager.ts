/** ContextManager: the only owner of a conversation's system prompt, its mode and its tier (R002). */
import { fingerprint, isEqual } from '../base/equality';
import { type ContextEvents, createEmitter, type Emitter } from '../hooks/context-events';
import type { Usage } from '../ports/message';
import type { ModelDescription } from '../ports/model';
import type { RequestPlan } from '../ports/request-plan';
import { explainSections, headOf, type ProvidedPrompt, textsBySection } from '../prompt/provide-prompt';
import { hasSection } from '../prompt/facts/turn-state';
import type { TurnContext } from '../prompt/world';
import { editorContextSection } from '../prompt/sections/editor-context';
import { modeNoticeSection } from '../prompt/sections/mode';
import { visibleEntries } from '../request/history';
import type { EntryBody, Mention, PromptRebuilt, SessionEntry } from '../session/entry';
import { findChatStart, lastRebuild } from '../session/log-state';
import type { SessionLog } from '../session/session-log';
import type { Tier } from '../settings/mode';
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
import { compaction, foldTurnMemory, skillsIn } from './turn-context';

type AskedTurn = [model: ModelDescription, mentions: readonly Mention[], signal: AbortSignal, message?: string];

export class ContextManager {
  private readonly events = createEmitter<ContextEvents>();
  private readonly held: ChatPrompt;

  constructor(log: SessionLog, ports: ContextPorts) {
    this.held = { log, ports, orchestrator: createOrchestrator(ports), applied: null, sent: null, noted: new Set() };
  }

  /** The system prompt of the conversation; empty before the first turn of this session. */
  get systemPrompt(): string {
    return this.held.applied?.prompt.system ?? '';
  }
  /** The tier that the chat is pinned to (R094); null before its first turn. */
  get selectedTier(): Tier | null {
    return lastRebuild(this.held.log.entries)?.tier ?? null;
  }
  getPromptTier(): Tier | null {
    return this.selectedTier;
  }

  /** Gathers the facts of a turn and writes its system prompt; changes nothing before it is applied. */
  prepare(...turn: AskedTurn): Promise<PreparedTurn> {
    return prepareChatTurn(this.held, ...turn);
  }
  /** Returns the entries to store before a turn is sent. */
  entriesOf(prepared: PreparedTurn): EntryBody[] {
    return entriesOfTurn({ ...this.held, prepared });
  }
  /** Puts the turn's system prompt in force, and emits events for what that changed. */
  apply(prepared: PreparedTurn): void {
    this.held.applied = applyTurn(this.events, { ...this.held, prepared });
    this.held.noted.clear();
  }

  /** Remembers the request that is about to be sent, for what its usage says about the model's counting. */
  adopt(plan: RequestPlan): RequestPlan {
    return (this.held.sent = addSent(this.held.ports, this.held.sent, plan)).plan;
  }
  learn(usage: Usage): void {
    learnFactor(this.held.ports, this.held.sent, usage);
  }
  /** Forgets the counts of the last request, which do not apply to a changed history; its prompt too in another branch. */
  forgetSent(isOtherBranch = false): void {
    this.held.sent = null;
    if (isOtherBranch) this.held.applied = null;
  }

  /** Lets the next turn choose an automatic tier again, as after a compaction (K3). */
  repin(): void {
    this.held.noted.add(compaction);
  }
  /** Has the next turn write the prompt again for this reason; before the first turn there is nothing to update (R254). */
  updateSystemInstruction(reason: string): void {
    if (this.held.applied !== null) this.held.noted.add(reason);
  }

  readonly subscribe: Emitter<ContextEvents>['subscribe'] = (name, listener) => this.events.subscribe(name, listener);
  readonly close = (): void => this.events.clear();
}

// Applying a turn: puts its system prompt in force and reports what that changed (R007).

interface ApplyInput {
  readonly log: { readonly entries: readonly SessionEntry[] };
  readonly ports: { readonly hooks: { readonly active: readonly { readonly id: string }[] } };
  readonly applied: AppliedTurn | null;
  readonly prepared: PreparedTurn;
  /** Reasons noted since the last turn. */
  readonly noted: ReadonlySet<string>;
}

/** Emits no event for a prompt that is the same, byte for byte. */
function applyTurn(
  events: Pick<Emitter<ContextEvents>, 'emit'>,
  { log, ports, applied, prepared, noted }: ApplyInput,
): AppliedTurn {
  const { prompt, change, turn } = prepared;
  const active = activeStateOf(turn, ports.hooks.active, skillsIn(visibleEntries(log.entries)));
  if (change !== null) {
    const tokens = headOf(prompt).reduce((sum, block) => sum + block.tokens, 0);
    const reasons = [...new Set([...noted, ...change.reasons])];
    events.emit('system-prompt-updated', { sections: change.sections, reasons, tokens });
  }
  announceActive(events, applied?.active ?? null, active);
  return { prompt, active };
}

interface TurnEntriesInput {
  readonly log: { readonly entries: readonly SessionEntry[] };
  readonly ports: { settings(): Settings };
  readonly applied: AppliedTurn | null;
  readonly prepared: PreparedTurn;
  readonly noted: ReadonlySet<string>;
}

/**
 * Returns the entries to store before a turn is sent: that its head was written again, and the texts around the
 * message.
 */
function entriesOfTurn({ log, ports, applied, prepared, noted }: TurnEntriesInput): EntryBody[] {
  const settings = ports.settings();
  const rebuilt = rebuildEntry({
    prepared,
    before: applied?.prompt ?? null,
    last: lastRebuild(log.entries),
    noted,
    automatic: foldChoices(log.entries, settings).tier === 'auto',
    window: prepared.learnedWindow ?? settings.contextWindow,
  });
  const { start } = prepared.turn;
  const began: EntryBody | null =
    start === undefined || findChatStart(log.entries) !== null ? null : { kind: 'chat-began', start };
  return [rebuilt, began, prepared.reference, zoneOf(log.entries, prepared)].filter((entry) => entry !== null);
}

/** Returns null if there are no such texts, or if an earlier attempt has sent them. */
function zoneOf(entries: readonly SessionEntry[], prepared: PreparedTurn): EntryBody | null {
  const { before, after, turn } = prepared;
  const { current, editor } = foldTurnMemory(entries);
  if (current) {
    // The texts of the first attempt stay as they were sent; only a mode that was chosen since is added to them (K4).
    const notice = before.filter(({ section }) => section === modeNoticeSection.id);
    return notice.length === 0 ? null : { kind: 'turn-zone', before: notice, after: [], mode: turn.mode, editor };
  }
  if (before.length + after.length === 0) return null;
  const fingerprints = Object.keys(prepared.told).length === 0 ? {} : { told: prepared.told };
  // What is left out was not sent: once it is put back, the model gets all open notes again.
  const isSent = hasSection(turn, editorContextSection.id);
  return { kind: 'turn-zone', before, after, mode: turn.mode, editor: isSent ? turn.editor : null, ...fingerprints };
}

// The record of a changed head, stored with the turn so that the cost of a cache miss can be explained (K13).

interface RebuildQuestion {
  readonly prepared: Pick<PreparedTurn, 'prompt' | 'change' | 'turn'>;
  /** The prompt of the turn before, if it was made in this session. */
  readonly before: ProvidedPrompt | null;
  readonly last: PromptRebuilt | null;
  /** Reasons noted since then. */
  readonly noted: ReadonlySet<string>;
  /** Whether the tier was chosen automatically. */
  readonly automatic: boolean;
  /** See `pinnedWindow`. */
  readonly window: number | null;
}

/** Returns null if the log already has this head and tier. */
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

function printsOf(prompt: ProvidedPrompt): Record<string, string> {
  const cacheable = headOf(prompt).filter(({ zone }) => zone === 'instructions' || zone === 'reference');
  return Object.fromEntries([...textsBySection(cacheable)].map(([section, text]) => [section, fingerprint(text)]));
}

function differencesOf(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string[] {
  return Object.keys({ ...before, ...after }).filter((key) => before[key] !== after[key]);
}

/** @param loaded the skills whose text is in the messages */
function activeStateOf(
  turn: TurnContext,
  hooks: readonly { readonly id: string }[],
  loaded: readonly string[],
): ActiveState {
  const { mode, toolNames, mcpServers } = turn;
  const skills = [...new Set([...turn.activeSkills, ...loaded])];
  const servers = mcpServers.map(({ name }) => name);
  return { mode, skills, tools: toolNames, hooks: hooks.map(({ id }) => id), servers };
}

/** Emits what differs from the turn before; nothing for the first turn, which starts the chat. */
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
