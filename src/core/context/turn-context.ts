/** The state of a chat at the start of a turn, as facts see it. */
import type { Mention } from '../mentions/mention';
import type { ModelDescription } from '../ports';
import type { EditorState } from '../prompt/turn-data';
import type { TurnContext } from '../prompt/world';
import type { RequestPlan } from '../request/request-plan';
import { profileFor } from '../request/profiles';
import type { ChatChoices } from '../session/entry';
import type { TurnMemory } from '../session/fold-turn-memory';
import type { Settings } from '../settings/settings';
import type { Tool } from '../tools/tool';
import { toolAgentsOf } from './prepare-turn';
import { contextStatusOf } from './status';
import { tierForWindow } from './tier-for-window';

export interface TurnState {
  readonly conversationId: string;
  readonly choices: Required<ChatChoices>;
  readonly settings: Settings;
  readonly tools: readonly Tool[];
  readonly mentions: readonly Mention[];
  readonly editor: EditorState | null;
  /** What earlier turns have told. */
  readonly memory: TurnMemory;
  /** The request before this one, when there was one in this session. */
  readonly lastPlan: RequestPlan | null;
}

/** The tier follows the model's window unless the user chose one; it changes only when either of them does (K3). */
export function turnContextOf(state: TurnState, model: ModelDescription): TurnContext {
  const { mode, tier, contextNotes, selectedPrompt, selectedWorkspace } = state.choices;
  // In the flat profile everything is told anew with each request.
  const memory = profileFor(model).id === 'tiered' ? state.memory : null;
  return {
    sessionId: state.conversationId,
    workspaceId: selectedWorkspace ?? 'default',
    mode,
    tier: tier === 'auto' ? tierForWindow(model.contextWindow) : tier,
    modernModel: model.contextWindow >= 100_000,
    permissionMode: 'read-only',
    toolNames: state.tools.map(({ name }) => name),
    toolAgents: model.nativeTools ? null : toolAgentsOf(state.tools),
    contextNotes,
    mentions: state.mentions,
    selectedPrompt,
    selectedWorkspace,
    contextStatus:
      state.lastPlan === null ? null : contextStatusOf(state.lastPlan.totals, state.settings.contextStatus),
    previousContext: null,
    goal: null,
    activeSkills: [],
    mcpServers: [],
    hooked: false,
    fetchedPages: [],
    review: null,
    editor: state.editor,
    knownEditor: memory?.editor ?? null,
    headMode: memory?.headMode ?? mode,
    earlierMode: memory?.lastMode != null && memory.lastMode !== mode ? memory.lastMode : null,
    reminderDue: memory === null || !memory.sent.has('reminder'),
    contextWindow: model.contextWindow,
  };
}
