/** ContextManager: the only owner of a conversation's system prompt, its mode and its tier (R002). */
import type { Mention } from '../mentions/mention';
import type { ModeId, Tier } from '../mode';
import type { ModelDescription } from '../ports';
import { describeWorkspace } from '../prompt/user-notes';
import type { RequestPlan } from '../request/request-plan';
import type { ChatChoices, EntryBody } from '../session/entry';
import { foldChoices } from '../session/fold-choices';
import { foldTurnMemory } from '../session/fold-turn-memory';
import type { SessionLog } from '../session/session-log';
import type { Settings } from '../settings/settings';
import { type PreparedTurn, prepareTurn, type PromptPorts } from './prepare-turn';
import { turnContextOf } from './turn-context';
import { tierForWindow } from './tier-for-window';

export interface ContextPorts extends PromptPorts {
  settings(): Settings;
}

export class ContextManager {
  private plan: RequestPlan | null = null;

  constructor(
    private readonly log: SessionLog,
    private readonly ports: ContextPorts,
  ) {}

  /** What this chat has chosen, over what the settings say. */
  get choices(): Required<ChatChoices> {
    return foldChoices(this.log.entries, this.ports.settings());
  }

  get mode(): ModeId {
    return this.choices.mode;
  }

  /** The tier of prompts for a model: what the user chose, else what its window deserves (R094, R095). */
  getPromptTier(model: Pick<ModelDescription, 'contextWindow'>): Tier {
    const { tier } = this.choices;
    return tier === 'auto' ? tierForWindow(model.contextWindow) : tier;
  }

  /** Folders whose notes may give instructions as skills: the agent folder's, and the chosen workspace's. */
  get skillFolders(): readonly string[] {
    const { selectedWorkspace } = this.choices;
    const { vault } = this.ports;
    const workspace = selectedWorkspace === null ? '/' : describeWorkspace(vault, selectedWorkspace).rootFolder;
    return [this.ports.agentFolder(), workspace]
      .map((folder) => folder.replace(/^\/+|\/+$/g, ''))
      .filter((folder) => folder !== '')
      .map((folder) => `${folder}/skills`);
  }

  /** The system prompt as last sent; empty before the first request of this session. */
  get systemPrompt(): string {
    return this.plan?.system ?? '';
  }

  /** Gathers what a turn needs; its planner writes the system prompt of each of the turn's requests. */
  prepare(model: ModelDescription, mentions: readonly Mention[], signal: AbortSignal): Promise<PreparedTurn> {
    const { ports, choices } = this;
    const state = {
      conversationId: this.log.conversation,
      choices,
      settings: ports.settings(),
      tools: ports.tools,
      mentions,
      editor: ports.surroundings.editor(),
      memory: foldTurnMemory(this.log.entries),
      lastPlan: this.plan,
    };
    return prepareTurn(ports, model, turnContextOf(state, model), signal);
  }

  /** What to store of a turn's texts around the message; null when there are none, or an earlier try has sent them. */
  zoneOf({ before, after, mode, editor }: PreparedTurn): EntryBody | null {
    if (before.length + after.length === 0 || foldTurnMemory(this.log.entries).current) return null;
    return { kind: 'turn-zone', before, after, mode, editor };
  }

  /** Takes note of the request that is about to be sent. */
  adopt(plan: RequestPlan): RequestPlan {
    this.plan = plan;
    return plan;
  }
}
