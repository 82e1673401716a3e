/** The state of a chat at the start of a turn, as facts see it. */
import { foldGoals } from '../goals/fold-goals';
import { activeGoalIn } from '../goals/goal-state';
import type { Clock, DeviceStorage } from '../ports/device';
import type { ModelDescription } from '../ports/model';
import type { RequestPlan } from '../ports/request-plan';
import { escapeAttribute } from '../markup/escapes';
import { type PartForm, partFormOf } from '../prompt/facts/attached-notes';
import { editorContextSection, hasAllOpenNotes, withoutHidden } from '../prompt/sections/editor-context';
import { dayNoticeSection } from '../prompt/sections/environment';
import { modeNoticeSection } from '../prompt/sections/mode';
import type { CompactedContext, DeviceFacts, McpServerInfo, TurnContext } from '../prompt/world';
import { changesHistory, startWalk, visibleEntries, walkTo } from '../request/history';
import { openTasks, summaryLines } from '../request/history-text';
import { tokenBudgetOf } from '../request/plan-request';
import type { ChatStart } from '../session/chat-start';
import {
  type ChatChoices,
  type EditorState,
  type EntryBody,
  type Mention,
  type PendingReview,
  type SessionEntry,
} from '../session/entry';
import {
  type ContextForm,
  findChatStart,
  foldChosenForms,
  lastRebuild,
  summaryInForce,
  targetOf,
} from '../session/log-state';
import { runningFold } from '../session/running-fold';
import type { SessionLog } from '../session/session-log';
import type { ModeId, PermissionMode } from '../settings/mode';
import type { Settings } from '../settings/settings';
import { offeredIn, type Tool } from '../tools/tool';
import { type ChosenFrom, foldChoices, hasAutoEditGrant, isNotOffered, withoutOtherNotes } from './chat-choices';
import { chatToolsOf, type HostState, offeredServers, type ToolPorts, toolAgentsOf } from './chat-tools';
import { contextStatusOf, pinnedWindow, selectTier } from './context-window';

/** What a turn takes over as it is. */
type SharedState = Pick<TurnContext, 'tier' | 'review' | 'mentions' | 'message' | 'editor' | 'goal' | 'hooked'>;

export interface TurnState extends SharedState {
  readonly conversationId: string;
  readonly choices: Required<ChatChoices>;
  readonly settings: Settings;
  /** The chat's permission mode; read-only where no changes can be staged. */
  readonly permission: PermissionMode;
  readonly tools: readonly Tool[];
  /** The ready servers, with those of their tools that are offered. */
  readonly servers: readonly McpServerInfo[];
  /** Whether the head is written again anyway, so that it takes on the current mode (K4). */
  readonly rebuilt: boolean;
  /** What earlier turns have sent. */
  readonly memory: TurnMemory;
  /** The request before this one; null if there was none in this session. */
  readonly lastPlan: RequestPlan | null;
  /** What the first message of the chat says, now or as it was sent. */
  readonly start: ChatStart;
  /** The newest day that the chat has sent; null if none is in the history. */
  readonly lastDay: string | null;
  /** What a compaction removed from the history and the prompt contains instead. */
  readonly compacted: CompactedState;
  /** The forms of sections and pinned notes that the user has chosen. */
  readonly forms: ReturnType<typeof foldChosenForms>;
}

/** What the state of a chat is read from. */
export interface StatePorts extends ToolPorts, ChosenFrom {
  readonly hostState: Pick<HostState, 'device' | 'editor'>;
  settings(): Settings;
  /** The changes of the chat that wait for the user's review; absent where nothing can be written. */
  readonly pendingReview?: () => PendingReview | null;
  /** Has the auto-edit grants; without it no chat has one. */
  readonly device?: Pick<DeviceStorage, 'get'>;
  /** Measures how long a chat was idle; without it no time passes. */
  readonly clock?: Clock;
  /** The hooks that other plugins have registered. */
  readonly hooks: { readonly active: readonly { readonly id: string }[] };
}

export interface StateInput {
  readonly ports: StatePorts;
  readonly log: Pick<SessionLog, 'conversation' | 'entries'>;
  readonly model: ModelDescription;
  readonly mentions?: readonly Mention[];
  /** The text of the message that the turn answers; empty if absent. */
  readonly message?: string;
  /** Why the prompt changes, as noted since the last turn; empty if absent. */
  readonly noted?: ReadonlySet<string>;
  /** The request before this one; absent or null if there was none. */
  readonly lastPlan?: RequestPlan | null;
}

/** A reason for a change: the chat continues after a summary, and may choose its tier again (K3). */
export const compaction = 'compaction';

/** Returns the chat's choices; auto-edit needs a grant on this device. */
export function choicesOf(
  log: Pick<SessionLog, 'entries' | 'conversation'>,
  ports: Pick<StatePorts, 'settings' | 'device'>,
): Required<ChatChoices> {
  return foldChoices(log.entries, ports.settings(), hasAutoEditGrant(ports.device, log.conversation));
}

/** The same without notes that are no prompt or workspace. */
export function usedChoicesOf(
  log: Pick<SessionLog, 'entries' | 'conversation'>,
  ports: Pick<StatePorts, 'settings' | 'device'> & ChosenFrom,
): Required<ChatChoices> {
  return withoutOtherNotes(choicesOf(log, ports), ports);
}

export function turnStateOf(input: StateInput): TurnState {
  const { ports, log, model, mentions = [], message = '', noted = new Set(), lastPlan = null } = input;
  const { entries } = log;
  const settings = ports.settings();
  const choices = usedChoicesOf(log, ports);
  const last = lastRebuild(entries);
  const pinned = noted.has(compaction) ? null : last;
  const device = ports.hostState.device();
  const { platform } = device;
  const start = findChatStart(entries);
  const tier = selectTier({ choice: choices.tier, pinned, model, window: pinnedWindow(model, settings), platform });
  const permission = ports.pendingReview === undefined ? 'read-only' : choices.permission;
  const tools = offeredIn(chatToolsOf(ports), tier, permission);
  const memory = foldTurnMemory(entries);
  return {
    conversationId: log.conversation,
    choices,
    permission,
    review: ports.pendingReview?.() ?? null,
    rebuilt: last !== null && (pinned?.model !== model.id || pinned.tier !== tier),
    tier,
    settings,
    tools,
    servers: offeredServers(ports, tools),
    mentions: mentions.filter(
      ({ kind, id }) => (kind !== 'prompt' && kind !== 'workspace') || !isNotOffered(kind, id, ports),
    ),
    message,
    editor: withoutHidden(ports.hostState.editor(), ports.vault),
    memory,
    goal: activeGoalIn(foldGoals(entries)),
    hooked: ports.hooks.active.length > 0,
    lastPlan,
    start: start ?? startOf(device),
    lastDay: start && (memory.daySent === null ? start.isoDate : ports.hostState.device(memory.daySent).isoDate),
    compacted: foldCompacted(entries),
    forms: foldChosenForms(entries),
  };
}

export function turnContextOf(state: TurnState, model: ModelDescription): TurnContext {
  const { mode, contextNotes, selectedPrompt, selectedWorkspace, sectionsOff } = state.choices;
  const { tier, review, mentions, message = '', editor, goal, hooked } = state;
  return {
    mode,
    contextNotes,
    selectedPrompt,
    selectedWorkspace,
    sectionsOff,
    tier,
    review,
    mentions,
    message,
    editor,
    goal,
    hooked,
    sessionId: state.conversationId,
    workspaceId: selectedWorkspace ?? 'default',
    modelId: model.id,
    modernModel: model.modern === true,
    permissionMode: state.permission,
    toolNames: state.tools.map(({ name }) => name),
    toolAgents: model.nativeTools ? null : toolAgentsOf(state.tools),
    sectionForms: state.forms.sections,
    noteForms: state.forms.notes,
    contextStatus:
      state.lastPlan === null
        ? null
        : contextStatusOf({ ...state.lastPlan.totals, ...tokenBudgetOf(model) }, state.settings),
    activeSkills: state.compacted.activeSkills,
    mcpServers: state.servers,
    fetchedPages: [],
    reminderDue: !state.memory.sent.has('reminder'),
    contextWindow: model.contextWindow,
    ...(model.family !== undefined && { modelFamily: model.family }),
    ...sinceEarlierTurns(state),
  };
}

type EarlierTurns = Pick<
  TurnContext,
  'knownEditor' | 'seesOpenNotes' | 'headMode' | 'earlierMode' | 'start' | 'lastDay' | 'sentNotes' | 'lastSent'
>;

/** The rest is in the history: only what changed since is sent with the next message. */
function sinceEarlierTurns({ choices: { mode }, memory, rebuilt, start, lastDay }: TurnState): EarlierTurns {
  const { editor, seesOpenNotes, notes, sent } = memory;
  const headMode = rebuilt ? mode : (memory.headMode ?? mode);
  return {
    knownEditor: editor,
    seesOpenNotes,
    headMode,
    earlierMode: earlierMode(mode, headMode, memory),
    start,
    ...(lastDay === null ? {} : { lastDay }),
    sentNotes: notes,
    lastSent: sent,
  };
}

/** Returns the mode to announce a change from: that of the last turn, or the one that the model still takes for current. */
function earlierMode(mode: ModeId, headMode: ModeId, { lastMode, noticedMode }: TurnMemory): ModeId | null {
  const known = lastMode === mode ? (noticedMode ?? headMode) : lastMode;
  return known === mode ? null : known;
}

function startOf({ date, isoDate, week, time, dailyNote, app }: DeviceFacts): ChatStart {
  return { date, isoDate, week, time, ...(dailyNote === undefined ? {} : { dailyNote }), app };
}

/** The prefix of keys for notes whose text was sent. */
export const noteKey = 'note:';

interface TurnMemory {
  /** The mode whose template is at the head of every request of this chat; null before the first turn (K4). */
  readonly headMode: ModeId | null;
  /** The mode of the last turn. */
  readonly lastMode: ModeId | null;
  /** The mode that was announced last in a message that the model still sees; null for none. */
  readonly noticedMode: ModeId | null;
  /** The open notes as last sent. */
  readonly editor: EditorState | null;
  /** Whether a message that the model still sees names open notes. */
  readonly seesOpenNotes: boolean;
  /** The texts of sections that were sent with messages, each as sent last, by id. */
  readonly sent: ReadonlyMap<string, string>;
  /** The fingerprint of each note whose text is in the requests of this chat, by path. */
  readonly notes: ReadonlyMap<string, string>;
  /** Whether the last user message already has its texts around it, as when it is answered again. */
  readonly current: boolean;
  /** When the last answered message was written whose new day, sent since the chat began, the model still sees; null for none. */
  readonly daySent: number | null;
}

interface MemoryState {
  readonly walk: ReturnType<typeof startWalk>;
  readonly summary: string | null;
  /** Whether the model does not see a message any more on which what it knows of the open notes depends. */
  isEditorLost: boolean;
  /** When the last message was written, and the last one that was sent with its day, answered or not. */
  asked: number;
  dayAsked: number | null;
  readonly memory: { -readonly [Key in keyof TurnMemory]: TurnMemory[Key] } & {
    readonly sent: Map<string, string>;
    readonly notes: Map<string, string>;
  };
}

/** Folds what earlier turns have sent to the model, which decides what the next one sends again. */
export function foldTurnMemory(entries: readonly SessionEntry[]): TurnMemory {
  const { memory } = memoryOf(entries);
  return { ...memory, sent: new Map(memory.sent), notes: new Map(memory.notes) };
}

const memoryOf = runningFold<SessionEntry, MemoryState>({
  start: (entries) => ({
    walk: startWalk(entries),
    summary: summaryInForce(entries)?.id ?? null,
    isEditorLost: false,
    asked: 0,
    dayAsked: null,
    memory: {
      ...{ headMode: null, lastMode: null, noticedMode: null, editor: null, seesOpenNotes: false },
      ...{ current: false, daySent: null },
      ...{ sent: new Map(), notes: new Map() },
    },
  }),
  add(state, entry) {
    const { walk, memory } = state;
    const isSeen = walkTo(walk, entry);
    // The summary may cover what was sent before it, so all of that is sent again in full (R193, R216).
    if (entry.id === state.summary) {
      memory.editor = null;
      memory.sent.clear();
    }
    if (entry.kind === 'user') [memory.current, state.asked] = [false, entry.time];
    // What the first message says is written again after a summary, and then newer than the days sent before.
    if (entry.kind === 'chat-began') state.dayAsked = memory.daySent = null;
    if (entry.kind === 'assistant') memory.daySent = state.dayAsked;
    if (entry.kind === 'message-deleted') loseEditor(state);
    if (entry.kind === 'prompt-rebuilt') [memory.headMode, memory.lastMode] = [entry.headMode, entry.mode];
    if (entry.kind === 'turn-zone') addZone(state, entry, isSeen);
    return state;
  },
  isRestart: (_state, entry) => changesHistory(entry),
});

/** The open notes are sent as changes to what was sent before, so all of them are sent again. */
function loseEditor(state: MemoryState): void {
  state.isEditorLost = true;
  state.memory.editor = null;
}

type ZoneEntry = SessionEntry & { readonly kind: 'turn-zone' };

function addEditor(state: MemoryState, { before, after, editor }: ZoneEntry): void {
  const isAll = [...before, ...after].some(
    ({ section, text }) => section === editorContextSection.id && hasAllOpenNotes(text),
  );
  if (isAll) state.isEditorLost = false;
  if (!state.isEditorLost) state.memory.editor = editor;
}

function addZone(state: MemoryState, entry: ZoneEntry, isSeen: boolean): void {
  const { walk, memory } = state;
  memory.current = true;
  memory.headMode ??= entry.mode;
  memory.lastMode = entry.mode;
  // The model does not see covered or dropped entries any more.
  if (!isSeen) {
    loseEditor(state);
    return;
  }
  addEditor(state, entry);
  const texts = [...entry.before, ...entry.after];
  const has = ({ id }: { readonly id: string }): boolean => texts.some(({ section }) => section === id);
  memory.seesOpenNotes ||= has(editorContextSection);
  if (has(modeNoticeSection)) memory.noticedMode = entry.mode;
  if (has(dayNoticeSection)) state.dayAsked = state.asked;
  for (const { section, text } of texts) memory.sent.set(section, text);
  for (const [path, print] of notesSentWith(entry)) {
    // Only the text of a note that is still shown whole need not be sent again; forms name it as it was sent.
    const target = targetOf.note(entry.id, escapeAttribute(path).text);
    if (isShownWhole(walk.forms.get(target))) memory.notes.set(path, print);
    else memory.notes.delete(path);
  }
}

type SentZone = Pick<EntryBody & { readonly kind: 'turn-zone' }, 'told'>;

/** How notes were sent that were not sent whole, by path. */
export type NotesInPart = Readonly<Record<string, PartForm>>;

export function notesSentInPart(zone: SentZone): NotesInPart {
  return Object.fromEntries(
    notesSentWith(zone).flatMap(([path, print]) => {
      const form = partFormOf(print);
      return form === null ? [] : [[path, form]];
    }),
  );
}

/** Returns the path and the fingerprint of each note whose text was sent with a message. */
function notesSentWith({ told = {} }: SentZone): [string, string][] {
  const sent = Object.entries(told).filter(([key]) => key.startsWith(noteKey));
  return sent.map(([key, print]) => [key.slice(noteKey.length), print]);
}

function isShownWhole(form: ContextForm | undefined): boolean {
  return form === undefined || form === 'whole' || form === 'pinned';
}

interface CompactedState {
  readonly previousContext: CompactedContext | null;
  /** Paths of the active skills whose text was removed. */
  readonly activeSkills: readonly string[];
}

/**
 * Returns what the prompt contains in place of the history that a compaction removed: the summary and the active skills
 * (R135, R150).
 */
export function foldCompacted(entries: readonly SessionEntry[]): CompactedState {
  const summary = summaryInForce(entries);
  if (summary === null) return { previousContext: null, activeSkills: [] };
  const { snapshot, paths, removed, kept, skills } = summary;
  const shown = new Set(skillsIn(visibleEntries(entries)));
  return {
    previousContext: {
      summary: summaryLines(snapshot),
      filesReferenced: paths,
      topics: openTasks(snapshot),
      messagesRemoved: removed,
      messagesKept: kept,
    },
    activeSkills: skills.filter((skill) => !shown.has(skill)),
  };
}

/**
 * Returns the skills whose text these entries bring in, each once: those that a message names, and those loaded by
 * activate_skill. Each is the path of a note, or the label of a skill without one.
 */
export function skillsIn(entries: readonly SessionEntry[]): string[] {
  return [...skillSet(entries)];
}

const skillSet = runningFold<SessionEntry, Set<string>>({
  start: () => new Set(),
  add(skills, entry) {
    for (const skill of skillsOfEntry(entry)) skills.add(skill);
    return skills;
  },
});

function skillsOfEntry(entry: SessionEntry): string[] {
  if (entry.kind === 'user') return entry.mentions.filter(({ kind }) => kind === 'skill').map(({ id }) => id);
  if (entry.kind !== 'tool-result' || entry.name !== 'activate_skill' || entry.isError) return [];
  const given = entry.frame?.attributes['source'];
  return given === undefined ? entry.sources.slice(0, 1).map(({ path }) => path) : [given];
}
