/** The state of a chat at the start of a turn, as facts see it. */
import { foldGoals } from '../goals/fold-goals';
import { activeGoalIn } from '../goals/goal-state';
import type { Clock, DeviceStorage } from '../ports/device';
import type { ModelDescription } from '../ports/model';
import type { RequestPlan } from '../ports/request-plan';
import type { McpServerInfo, TurnContext } from '../prompt/world';
import { profileFor } from '../request/fit';
import { roomOf } from '../request/plan-request';
import { hasLeave } from '../session/auto-edit-leave';
import type { ChatChoices, EditorState, Mention, PendingReview, SessionEntry } from '../session/entry';
import { foldChoices } from '../session/fold-choices';
import { foldTurnMemory, type TurnMemory } from '../session/fold-turn-memory';
import type { Goal } from '../session/goal-entry';
import { foldStandingForms, lastRebuild } from '../session/log-state';
import type { SessionLog } from '../session/session-log';
import type { PermissionMode, Tier } from '../settings/mode';
import type { Settings } from '../settings/settings';
import { offeredIn, type Tool } from '../tools/tool';
import { chatToolsOf, serversTold, type ToolPorts } from './chat-tools';
import { type CompactedState, foldCompacted } from './compaction/fold-compacted';
import { type Surroundings, toolAgentsOf } from './prepare-turn';
import { selectTier } from './select-tier';
import { contextStatusOf } from './status';

export interface TurnState {
  readonly conversationId: string;
  readonly choices: Required<ChatChoices>;
  /** The tier that the chat gets for this model (K3). */
  readonly tier: Tier;
  readonly settings: Settings;
  /** What the agent may do by itself; nothing can be written where no changes are staged. */
  readonly permission: PermissionMode;
  /** The changes that wait for the user. */
  readonly review: PendingReview | null;
  readonly tools: readonly Tool[];
  /** The servers that are ready, with those of their tools that are offered. */
  readonly servers: readonly McpServerInfo[];
  readonly mentions: readonly Mention[];
  readonly editor: EditorState | null;
  /** Whether the head is written anew in any case, so that it takes up the mode as it is now (K4). */
  readonly rebuilt: boolean;
  /** What earlier turns have told. */
  readonly memory: TurnMemory;
  /** The goal under way, or completed and not yet put away. */
  readonly goal: Goal | null;
  /** Whether other plugins add to requests or results. */
  readonly hooked: boolean;
  /** The request before this one, when there was one in this session. */
  readonly lastPlan: RequestPlan | null;
  /** The days of the chat's first message and of the last one that was answered; null before there is any. */
  readonly days: { readonly first: string; readonly last: string } | null;
  /** What a compaction has taken out of the history, told elsewhere. */
  readonly compacted: CompactedState;
  /** How sections and context notes are sent, where the user has chosen. */
  readonly forms: ReturnType<typeof foldStandingForms>;
}

/** What the state of a chat is read from. */
export interface StatePorts extends ToolPorts {
  readonly surroundings: Pick<Surroundings, 'device' | 'editor'>;
  settings(): Settings;
  /** The changes of the chat that wait for the user; absent where nothing can be written. */
  readonly pendingReview?: () => PendingReview | null;
  /** Knows the chats that may edit without asking; without it none may. */
  readonly device?: Pick<DeviceStorage, 'get'>;
  /** Tells how long a chat has rested; without it no time passes. */
  readonly clock?: Clock;
  /** What other plugins have registered. */
  readonly hooks: { readonly active: readonly { readonly id: string }[] };
}

export interface StateInput {
  readonly ports: StatePorts;
  readonly log: Pick<SessionLog, 'conversation' | 'entries'>;
  readonly mentions: readonly Mention[];
  readonly model: ModelDescription;
  /** Why the prompt changes, as told since the last turn. */
  readonly noted: ReadonlySet<string>;
  readonly lastPlan: RequestPlan | null;
}

/** A reason for a change: the chat goes on behind a summary, and may choose its tier anew (K3). */
export const compaction = 'compaction';

/** What a chat has chosen, as far as this device lets it hold. */
export function choicesOf(
  log: Pick<SessionLog, 'entries' | 'conversation'>,
  ports: Pick<StatePorts, 'settings' | 'device'>,
): Required<ChatChoices> {
  return foldChoices(log.entries, ports.settings(), hasLeave(ports.device, log.conversation));
}

export function turnStateOf({ ports, log, mentions, model, noted, lastPlan }: StateInput): TurnState {
  const { entries } = log;
  const settings = ports.settings();
  const choices = choicesOf(log, ports);
  const last = lastRebuild(entries);
  const pinned = noted.has(compaction) ? null : last;
  const { platform } = ports.surroundings.device();
  const tier = selectTier({ choice: choices.tier, pinned, model, window: settings.contextWindow, platform });
  const permission = ports.pendingReview === undefined ? 'read-only' : choices.permission;
  const tools = offeredIn(chatToolsOf(ports), tier, permission);
  return {
    conversationId: log.conversation,
    choices,
    permission,
    review: ports.pendingReview?.() ?? null,
    rebuilt: last !== null && pinned?.model !== model.id,
    tier,
    settings,
    tools,
    servers: serversTold(ports, tools),
    mentions,
    editor: ports.surroundings.editor(),
    memory: foldTurnMemory(entries),
    goal: activeGoalIn(foldGoals(entries)),
    hooked: ports.hooks.active.length > 0,
    lastPlan,
    days: daysOf(entries, (at) => ports.surroundings.device(at).date),
    compacted: foldCompacted(entries),
    forms: foldStandingForms(entries),
  };
}

export function turnContextOf(state: TurnState, model: ModelDescription): TurnContext {
  const { mode, contextNotes, selectedPrompt, selectedWorkspace, sectionsOff } = state.choices;
  // In the flat profile everything is told anew with each request.
  const memory = profileFor(model).id === 'tiered' ? state.memory : null;
  return {
    sessionId: state.conversationId,
    workspaceId: selectedWorkspace ?? 'default',
    modelId: model.id,
    mode,
    tier: state.tier,
    modernModel: model.contextWindow >= 100_000,
    permissionMode: state.permission,
    toolNames: state.tools.map(({ name }) => name),
    toolAgents: model.nativeTools ? null : toolAgentsOf(state.tools),
    contextNotes,
    mentions: state.mentions,
    selectedPrompt,
    selectedWorkspace,
    sectionsOff,
    sectionForms: state.forms.sections,
    noteForms: state.forms.notes,
    contextStatus:
      state.lastPlan === null ? null : contextStatusOf({ ...state.lastPlan.totals, ...roomOf(model) }, state.settings),
    previousContext: memory === null ? state.compacted.previousContext : null,
    goal: state.goal,
    activeSkills: state.compacted.activeSkills,
    mcpServers: state.servers,
    hooked: state.hooked,
    fetchedPages: [],
    review: state.review,
    editor: state.editor,
    knownEditor: memory?.editor ?? null,
    headMode: state.rebuilt ? mode : (memory?.headMode ?? mode),
    earlierMode: memory?.lastMode != null && memory.lastMode !== mode ? memory.lastMode : null,
    reminderDue: !state.memory.sent.has('reminder'),
    ...(memory === null || state.days === null ? {} : { days: state.days }),
    ...(memory === null ? {} : { notesApart: true, toldNotes: memory.notes }),
    contextWindow: model.contextWindow,
  };
}

function daysOf(entries: readonly SessionEntry[], dateAt: (time: number) => string): TurnState['days'] {
  const first = entries.find(({ kind }) => kind === 'user');
  if (first === undefined) return null;
  const answered = entries.slice(0, entries.map(({ kind }) => kind).lastIndexOf('assistant') + 1);
  const last = answered.filter(({ kind }) => kind === 'user').at(-1) ?? first;
  return { first: dateAt(first.time), last: dateAt(last.time) };
}
