/** Assembles core: the only file that knows its lists of sections, tools, mentions, commands, checks and prompts. */
import { ChatIndex } from './core/chat/chat-index';
import { ChatMirror, type ChatNotePorts } from './core/chat/chat-note';
import { type ChatPorts, modelFor, SentRequests } from './core/chat/chat-view-state';
import { OpenChats } from './core/chat/open-chats';
import { ChatTitles } from './core/context/chat-titles';
import { chatToolsOf } from './core/context/chat-tools';
import { type CheckPorts, runChecks } from './core/diagnostics/check';
import { checks } from './core/diagnostics/checks';
import { type EventLog, type DiagnosticsInput, printDiagnostics } from './core/diagnostics/event-log';
import type { PluginEvents } from './core/hooks/context-events';
import type { Hooks } from './core/hooks/hooks';
import type { AttachedImages } from './core/images/attached-images';
import { PromptRegistry } from './core/library/prompt-registry';
import type { GivenSkill } from './core/library/skills';
import { toolsFor } from './core/library/subagents';
import { loadWorkspace, type WorkspaceData } from './core/library/workspaces';
import { McpServers, type McpServersPorts } from './core/mcp/mcp-servers';
import { mentionSources } from './core/mentions';
import { chatCommands } from './core/mentions/commands';
import { followAllMoves, followMove } from './core/mentions/mention-text';
import { linkTextOf } from './core/mentions/note';
import { allowsOutside } from './core/own-prompt/text-files';
import type { Clock, Computer, DeviceStorage, Digest, Identifiers } from './core/ports/device';
import { succeed } from './core/ports/failure';
import type { ConnectMcp } from './core/ports/network';
import type { Vault } from './core/ports/vault';
import { builtInPrompts } from './core/prompt/built-in';
import { type SwitchPorts, sectionsOn } from './core/prompt/composition-options';
import { NoteCache } from './core/prompt/facts/attached-notes';
import { assistant } from './core/prompt/modes';
import { type OverridePorts, readCustomBase } from './core/prompt/override';
import { templateBudgets } from './core/prompt/prompt-orchestrator';
import { sections } from './core/prompt/sections';
import { SystemPromptBuilder, type SystemPromptOptions } from './core/prompt/system-prompt-builder';
import { builtInTemplates } from './core/prompt/tiered-prompt-store';
import { IndexUpkeep, type UpkeepPorts } from './core/search/index-upkeep';
import { forgetPassages } from './core/search/passage-index';
import { tools } from './core/tools';
import { describeFailure } from './core/ports/failure';
import { words } from './text';
import { builtInReaderId } from './models/built-in-reader/built-in-reader';
import type { Models } from './models/open';
import type { Tokens } from './tokens/open';
import type { DiagnosticsPorts } from './ui/state/ports';
import { pathsOf, type VaultChange } from './vault/changes';
import { dayOf } from './vault/device';
import type { VaultRoom } from './vault/open';
import type { SettingsFile } from './vault/settings-file';

export interface AgentOutside {
  readonly file: SettingsFile;
  readonly device: DeviceStorage;
  readonly gate: McpServersPorts['gate'];
  readonly log: EventLog;
  readonly hooks: Hooks;
  readonly events: PluginEvents;
  /** Returns the skills of other plugins and of the home folder; the same array while nothing changes. */
  readonly givenSkills: () => readonly GivenSkill[];
  /** Reads those of the home folder again. */
  readonly refreshSkills: () => Promise<void>;
  readonly vault: VaultRoom;
  readonly models: Models;
  readonly tokens: Tokens;
  readonly connect: ConnectMcp;
  /** Null on mobile. */
  readonly computer: Computer | null;
  readonly images: NonNullable<ChatPorts['images']> & Required<Pick<AttachedImages, 'add'>>;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly digest: Digest;
  readonly after: NonNullable<ChatPorts['after']>;
  readonly whenIdle: UpkeepPorts['whenIdle'];
  readonly watchAway: NonNullable<ChatPorts['watchAway']>;
  /** Shows a text to the user for a while. */
  readonly report: UpkeepPorts['report'];
  /** Names this device in the logs of chats. */
  readonly writer: string;
  /** Called with the system prompt of each request that was sent. */
  readonly promptSent: NonNullable<ChatPorts['promptSent']>;
}

/** How a caller reads notes and workspaces; without `loadWorkspace`, mentioned workspaces have their basic fields. */
interface PromptReaders {
  readNoteContent(path: string): Promise<string>;
  readonly loadWorkspace?: (id: string) => Promise<WorkspaceData | null>;
}

export interface Agent {
  readonly chat: ChatPorts;
  readonly chats: OpenChats;
  /** The list of stored chats. */
  readonly chatIndex: ChatIndex;
  /** How stored chats are read as notes. */
  readonly chatNotes: ChatNotePorts;
  readonly registry: PromptRegistry;
  /** The requests that were sent since the plugin was loaded. */
  readonly sentRequests: SentRequests;
  readonly servers: McpServers;
  readonly notes: NoteCache;
  readonly searchIndex: IndexUpkeep;
  readonly mentionSources: typeof mentionSources;
  readonly commands: typeof chatCommands;
  readonly sections: typeof sections;
  /** The template on which a new custom mode is based. */
  readonly firstMode: typeof assistant;
  readonly templateBudgets: typeof templateBudgets;
  /**
   * Returns a system prompt for a request without a history, or null if the options give it no text. Notes and workspaces
   * are read as Docent reads them, so that hidden notes have no text, unless the caller reads them itself.
   * @throws if the options are not an object, or not as SystemPromptOptions describes them
   */
  readonly buildSystemPrompt: (options: SystemPromptOptions, readers?: PromptReaders) => Promise<string | null>;
  readonly check: DiagnosticsPorts['check'];
  /** Returns the text of the diagnostics, without any secret. */
  printDiagnostics(parts: Omit<DiagnosticsInput, 'settings' | 'notes' | 'log'>): string;
  /** Must be called with every batch of vault changes. */
  changed(batch: readonly VaultChange[]): void;
  /** Must be called with every move of a file or folder, once the vault has it under its new name. */
  moved(from: string, to: string): void;
  close(): void;
}

export function openAgent(outside: AgentOutside): Agent {
  const { file, device, log, hooks, models, tokens, computer, clock, identifiers, digest, writer } = outside;
  const { vault, refresh, flush, hostState, writing, stateNotes } = outside.vault;
  const settings = (): SettingsFile['settings'] => file.settings;
  const agentFolder = (): string => file.settings.agentFolder;
  const notes = new NoteCache(vault);
  const registry = new PromptRegistry();
  registry.replaceSource('static', builtInPrompts);
  const { after, whenIdle } = outside;
  const servers = new McpServers({
    ...{ connect: outside.connect, gate: outside.gate, device, registry, clock, after, builtIn: tools },
    choices: () => file.settings.mcpServers,
    note: (text) => log.add('servers', text),
  });
  const searchIndex = new IndexUpkeep({
    ...{ vault, store: outside.vault.searchStore, after, whenIdle },
    report: (problem) => outside.report(problem),
  });
  const stopListening = file.subscribe(() => {
    servers.choicesChanged();
    searchIndex.look();
  });
  const override: OverridePorts & SwitchPorts = {
    ...{ computer, settings, agentFolder },
    allowsOutside: (path) => allowsOutside(device, path),
  };
  const sentRequests = new SentRequests();
  const chat: ChatPorts = {
    ...{ vault, notes, registry, tools, servers, clock, device, flush, hooks, hostState },
    unsaved: outside.vault.unsaved,
    refresh: async () => {
      await Promise.all([refresh(), outside.refreshSkills()]);
      searchIndex.look();
    },
    ...{ agentFolder, settings, after, images: outside.images, promptSent: outside.promptSent },
    addImage: (file, conversation) => outside.images.add(file, conversation),
    watchAway: outside.watchAway,
    ...{ events: outside.events, givenSkills: outside.givenSkills },
    get sections() {
      return sectionsOn(sections, override);
    },
    customTemplate: async (world, signal) => {
      // Without a chat, nothing was compared yet.
      await outside.vault.refreshInstructions();
      const base = await readCustomBase(override, world, signal);
      return base.ok ? base.value : { blocked: base.failure };
    },
    writing: writing.ports,
    namedNow: ({ text, mentions, at }) => {
      const moves = at === undefined ? [] : writing.moves.since(at);
      return followAllMoves({ text, mentions }, moves, (path) => linkTextOf(vault, path)).mentions;
    },
    movesSince: (time) => writing.moves.since(time),
    tokenizer: tokens.tokenizer,
    factors: tokens.factors,
    model: (id) => {
      const found = models.open(id);
      return found.ok ? succeed(sentRequests.watch(found.value)) : found;
    },
    note: (text) => log.add('turn', text),
    states: stateNotes,
  };
  const session = identifiers.next();
  const store = outside.vault.chatLogs(`${writer}-${session}`);
  const chats = new OpenChats(chat, { store, clock, identifiers, digest, writer, session });
  const chatIndex = new ChatIndex({
    ...{ store, digest, memory: outside.vault.unsaved },
    usagePlace: { day: dayOf, isMetered: (model) => model !== builtInReaderId },
    annotate: (id, body) => chats.annotate(id, body),
    trash: (id) => chats.trash(id, () => outside.vault.trashChat(id)),
  });
  const chatNotes: ChatNotePorts = { store, digest, live: (id) => chats.live(id) };
  let reported = '';
  const mirror = new ChatMirror({
    ...{ files: writing.chatNotes, chats: chatNotes, after },
    isOn: () => file.settings.mirrorChats,
    failed: (failure) => {
      const said = words.chatNotes.notMirrored(describeFailure(failure));
      log.add('chats', said);
      // A disk that refuses one note refuses the next one, too.
      if (said !== reported) outside.report(said);
      reported = said;
    },
  });
  const titles = new ChatTitles({
    ...{ tokenizer: tokens.tokenizer, after, settings },
    isOn: () => file.settings.titlesByModel,
    live: (id) => chats.live(id),
    model: (id) => modelFor(id, chat),
    store: (id, body) => chatIndex.annotate(id, body),
    note: (text) => log.add('chats', text),
  });
  chats.onChanged((id) => {
    mirror.touched(id);
    titles.touched(id);
  });
  const checked: CheckPorts = {
    ...{ vault, override, agentFolder, settings, writes: writing, templates: builtInTemplates },
    givenSkills: outside.givenSkills,
    tokenizer: tokens.tokenizer,
    get toolNames() {
      return chatToolsOf(chat).map(({ name }) => name);
    },
    get subagentToolNames() {
      return toolsFor({ tools: [] }, chatToolsOf(chat)).map(({ name }) => name);
    },
    registered: (id) => registry.get(id),
    templateBudget: (tier) => templateBudgets[tier],
    platform: () => hostState.device().platform,
    settingsProblems: () => file.problems(),
    waiting: () => outside.vault.instructions.waiting(),
    contextFiles: () => hostState.settings().contextFiles,
    model: (id) => chat.model(id),
    access: models.access,
    events: () => log.events,
    readNote: (path, signal) => notes.read(path, signal),
  };
  return {
    ...{
      chat,
      chats,
      chatIndex,
      chatNotes,
      sentRequests,
      registry,
      servers,
      notes,
      searchIndex,
      mentionSources,
      commands: chatCommands,
      sections,
      templateBudgets,
    },
    firstMode: assistant,
    buildSystemPrompt: async (options, readers = readersOf(vault, notes)) => {
      // The vault may not be followed yet.
      await outside.vault.refreshInstructions();
      return buildPrompt(options, readers);
    },
    check: async (choices, scope, signal) => {
      // A note that was just saved is in no list until its text is compared, and its problems would end for a moment.
      await outside.vault.refreshInstructions();
      return runChecks(checks, checked, choices, scope, signal);
    },
    printDiagnostics: (parts) =>
      printDiagnostics({ ...parts, settings: file.settings, notes: vault.files().length, log }),
    changed: (batch) => {
      const paths = pathsOf(batch);
      notes.forget(paths);
      // The index of the app reports notes that did not change, too.
      forgetPassages(vault, pathsOf(batch.filter(({ kind }) => kind !== 'indexed')));
      searchIndex.changed();
      void chats.heard(batch);
    },
    moved: (from, to) => {
      const linkText = (path: string): string => linkTextOf(vault, path);
      chats.replaceQueued((message) => followMove(message, from, to, linkText) ?? message);
      void chats.moved();
    },
    close: () => {
      stopListening();
      searchIndex.close();
      servers.close();
      chats.close();
      mirror.close();
      titles.close();
    },
  };
}

function readersOf(vault: Vault, notes: NoteCache): PromptReaders {
  const { signal } = new AbortController();
  const readNote: NoteCache['read'] = (path) => notes.read(path, signal);
  return {
    readNoteContent: async (path) => {
      const note = await notes.read(path, signal);
      if (!note.ok) throw new Error(note.failure.words);
      return note.value.text;
    },
    loadWorkspace: (id) => loadWorkspace(id, { vault, readNote }, signal),
  };
}

async function buildPrompt(options: SystemPromptOptions, readers: PromptReaders): Promise<string | null> {
  // Another plugin may pass anything.
  if (typeof options !== 'object' || (options as unknown) === null) {
    throw new TypeError('buildSystemPrompt takes an object of options: see docs/hooks.md of Docent.');
  }
  const { loadWorkspace: load } = readers;
  const read = (path: string): Promise<string> => readers.readNoteContent(path);
  return new SystemPromptBuilder(read, load).build(options);
}
