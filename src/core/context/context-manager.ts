/** ContextManager: the only owner of a conversation's system prompt, its mode and its tier (R002). */
import type { Usage } from '../ports/message';
import type { ModelDescription } from '../ports/model';
import type { RequestPlan } from '../ports/request-plan';
import type { EntryBody, Mention } from '../session/entry';
import { lastRebuild } from '../session/log-state';
import type { SessionLog } from '../session/session-log';
import type { Tier } from '../settings/mode';
import { applyTurn } from './apply-turn';
import type { ContextEvents } from './context-events';
import { createOrchestrator } from './create-orchestrator';
import { createEmitter, type Emitter } from './emitter';
import { entriesOfTurn } from './entries-of-turn';
import { type ChatPrompt, type ContextPorts, prepareChatTurn } from './prepare-chat-turn';
import type { PreparedTurn } from './prepare-turn';
import { addSent, learnFactor } from './sent-plan';
import { compaction } from './turn-context';

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
