/** ContextManager: the only owner of a conversation's system prompt, its mode and its tier (R002). */
import type { Mention } from '../mentions/mention';
import type { Usage } from '../message';
import type { Tier } from '../mode';
import type { ModelDescription } from '../ports';
import type { RequestPlan } from '../request/request-plan';
import type { ChatChoices, EntryBody } from '../session/entry';
import { lastRebuild } from '../session/fold-prompt-rebuilt';
import type { SessionLog } from '../session/session-log';
import { type AppliedTurn, applyTurn } from './apply-turn';
import type { ContextEvents } from './context-events';
import { createOrchestrator, type OrchestratorPorts } from './create-orchestrator';
import { createEmitter, type Emitter } from './emitter';
import { entriesOfTurn } from './entries-of-turn';
import { type PreparedTurn, prepareTurn, type PromptPorts } from './prepare-turn';
import { referenceOf } from './reference-of';
import { addSent, factorsFor, learnFactor, type SentPlan } from './sent-plan';
import { skillFoldersOf } from './skill-folders';
import { choicesOf, compaction, type StatePorts, turnContextOf, turnStateOf } from './turn-context';

export type ContextPorts = PromptPorts & OrchestratorPorts & StatePorts;

export class ContextManager {
  private readonly events = createEmitter<ContextEvents>();
  private applied: AppliedTurn | null = null;
  private sent: SentPlan | null = null;
  /** Why the prompt changes, as told since the last turn. */
  private readonly noted = new Set<string>();

  constructor(
    private readonly log: SessionLog,
    private readonly ports: ContextPorts,
    private readonly orchestrator = createOrchestrator(ports),
  ) {}

  readonly subscribe: Emitter<ContextEvents>['subscribe'] = (name, listener) => this.events.subscribe(name, listener);
  readonly close = (): void => this.events.clear();
  /** Lets the next turn choose an automatic tier anew, as after a compaction (K3). */
  readonly repin = (): unknown => this.noted.add(compaction);
  /** The history is another one than was sent: what was counted of it says nothing any more. */
  readonly forgetSent = (): unknown => (this.sent = null);
  /** The next turn writes the prompt anew and says why; before the first one there is nothing to update (R254). */
  readonly updateSystemInstruction = (reason: string): unknown => this.applied && this.noted.add(reason);
  readonly learn = (usage: Usage): void => learnFactor(this.ports, this.sent, usage);
  readonly getPromptTier = (): Tier | null => this.selectedTier;

  /** The tier that the chat is pinned to (R094); null before its first turn. */
  get selectedTier(): Tier | null {
    return lastRebuild(this.log.entries)?.tier ?? null;
  }
  /** The system prompt at the head of the conversation; empty before the first turn of this session. */
  get systemPrompt(): string {
    return this.applied?.prompt.system ?? '';
  }
  get choices(): Required<ChatChoices> {
    return choicesOf(this.log, this.ports);
  }
  get skillFolders(): readonly string[] {
    return skillFoldersOf(this.ports.vault, this.ports.agentFolder(), this.choices.selectedWorkspace);
  }

  /** Gathers what a turn needs and has its system prompt written; nothing holds before it is applied. */
  prepare(model: ModelDescription, mentions: readonly Mention[], signal: AbortSignal): Promise<PreparedTurn> {
    const { ports, orchestrator, applied, noted, log, sent } = this;
    const lastPlan = sent?.plan ?? null;
    const turn = turnContextOf(turnStateOf({ ports, log, mentions, noted, lastPlan, model }), model);
    const known = { ...referenceOf(log.entries, ports.clock), sent: factorsFor(sent, model.id) };
    return prepareTurn(ports, model, turn, signal, { orchestrator, current: applied?.prompt ?? null, ...known });
  }
  /** What is to be stored before a turn goes out. */
  readonly entriesOf = (prepared: PreparedTurn): EntryBody[] => entriesOfTurn({ ...this.parts, prepared });
  /** Puts the turn's system prompt at the head of the conversation, and tells what that changed. */
  apply(prepared: PreparedTurn): void {
    this.applied = applyTurn(this.events, { ...this.parts, prepared });
    this.noted.clear();
  }
  /** Takes note of the request that is about to be sent. */
  readonly adopt = (plan: RequestPlan): RequestPlan => (this.sent = addSent(this.ports, this.sent, plan)).plan;
  private get parts() {
    return { log: this.log, ports: this.ports, applied: this.applied, noted: [...this.noted] };
  }
}
