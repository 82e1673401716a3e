/** Opens the vault: what chats read, how they write, and where Docent's own files are. */
import { type DataAdapter, FileSystemAdapter, Notice, Platform, type Plugin } from 'obsidian';
import { isEqual } from '../core/base/equality';
import type { HostState } from '../core/context/chat-tools';
import type { DeviceStorage, Repository, UnsavedTexts } from '../core/ports/device';
import type { BlockStore } from '../core/search/index-upkeep';
import type { Outcome } from '../core/ports/failure';
import type { RealPaths } from '../core/writing/changeset/ports';
import { defaultSettings, type Settings } from '../core/settings/settings';
import { instructionPlaces, settingsFile } from '../core/writing/guard/instruction-places';
import { words } from '../text';
import { type AgentFolderPorts, followAgentFolder } from './agent-folder';
import { type VaultChange, VaultChanges } from './changes';
import { type ChatImages, createImageFiles, SessionFiles, trashChat } from './chat-files';
import { clock, ownerOf } from './device';
import { digest } from './hash';
import { readHostState } from './host-state';
import { yaml } from './obsidian-vault';
import type { SettingsFile } from './settings-file';
import { createSearchStore } from './search-store';
import { type HiddenBySettings, openStack, type VaultStack } from './stack';
import { createDatabasePlace, createFilePlace, createUnsavedTexts } from './unsaved-texts';
import {
  createFolder,
  createPromptNotes,
  createStateNotes,
  createTextFiles,
  type Edited,
  folderNotes,
} from './user-notes';
import { type OpenWriting, openWriting } from './writing';

export interface VaultOutside {
  readonly file: SettingsFile;
  readonly device: DeviceStorage;
  /** Null where the file system is not available. */
  readonly realPaths: RealPaths | null;
  /** Asks the user whether to use a folder of chats that may be the missing one. */
  readonly confirmFolder: AgentFolderPorts['confirm'];
  /** Returns the path of the note with the custom system prompt; null if there is none in the vault. */
  ownPrompt(): string | null;
}

export interface VaultRoom extends VaultStack {
  readonly writing: OpenWriting;
  readonly changes: Pick<VaultChanges, 'subscribe' | 'followMoves'>;
  /** Starts to follow the vault; changes are reported in batches. */
  follow(onChanges: (batch: readonly VaultChange[]) => void): void;
  readonly isFollowed: () => boolean;
  readonly hostState: HostState;
  readonly images: ChatImages;
  /** Looks for the agent folder if its chats are missing, and asks about what it finds. */
  findAgentFolder(): Promise<void>;
  /** @param writer names what this device writes in this session */
  chatLogs(writer: string): SessionFiles;
  /** The blocks of the search index. */
  readonly searchStore: BlockStore;
  /** Moves the files of a chat to the trash of the user’s choice. */
  trashChat(conversation: string): Promise<Outcome<void>>;
  /** Drafts and the text of running answers. */
  readonly unsaved: UnsavedTexts;
  readonly stateNotes: ReturnType<typeof createStateNotes>;
  readonly textFiles: ReturnType<typeof createTextFiles>;
  readonly promptNotes: ReturnType<typeof createPromptNotes>;
  /** The prompts folder alone, which is read before the vault is followed. */
  readonly promptFolder: ReturnType<typeof folderNotes>;
  /** Calls the listener when something in the prompts folder changes, even before the vault is followed. */
  followPrompts(listener: () => void): void;
  /** The Git repository in the vault's folder. */
  readonly repository: Repository;
  /** Calls the listener when files of chats change, from now on, with the ids of these chats. */
  followChats(listener: (conversations: ReadonlySet<string>) => void): void;
  readonly createFolder: (path: string) => ReturnType<typeof createFolder>;
  /** Parses the properties of a note that is not in the vault. */
  readonly parseYaml: (text: string) => unknown;
}

export function openVault(plugin: Plugin, outside: VaultOutside): VaultRoom {
  const { file, device, realPaths, confirmFolder } = outside;
  const { app, manifest } = plugin;
  const agentFolder = (): string => file.settings.agentFolder;
  const contextFiles = (): readonly string[] => file.settings.contextFiles;
  const inAgentFolder = (name: string) => (): string => `${agentFolder()}/${name}`;
  const chats = inAgentFolder('chats');
  const prompts = inAgentFolder('prompts');
  const exports = inAgentFolder('exports');
  const trust = inAgentFolder('trust');
  const ownFolders = onceFor(agentFolder, () => [chats(), exports(), trust()]);
  const folder = manifest.dir ?? `${app.vault.configDir}/plugins/${manifest.id}`;
  const place = vaultRootOf(app.vault.adapter) ?? `${app.vault.getName()} ${app.vault.adapter.getResourcePath('')}`;
  const database = `docent-${digest(place).slice(0, 16)}`;
  const unsavedPlace = createDatabasePlace(database);
  const searchStore = createSearchStore(`${database}-search`);
  for (const each of [unsavedPlace, searchStore]) plugin.register(() => each.close());
  const unsaved = createUnsavedTexts(
    [unsavedPlace, createFilePlace(app.vault.adapter, `${folder}/unsaved`, ownerOf(device))],
    device,
    () => clock.now(),
  );
  const changes = new VaultChanges(app, (path) => ownFolders().some((folder) => path.startsWith(`${folder}/`)));
  changes.followMoves((from, to) => file.moved(from, to));
  const ownFolder = followAgentFolder({
    ...{ app, changes, memory: unsaved, current: agentFolder, confirm: confirmFolder },
    say: (text) => new Notice(text, 0),
    change: (folder) => file.change({ agentFolder: folder }),
    spell: (folder) => file.spell(folder),
  });
  plugin.register(file.subscribe(() => void ownFolder.spell()));
  app.workspace.onLayoutReady(() => void ownFolder.spell());
  const hidden = (): HiddenBySettings => {
    const { keptFolders, keptTags } = file.hidden;
    return { keptFolders, keptTags, isClosed: file.damage?.isClosed ?? false };
  };
  const places = onceFor(
    () => file.settings,
    () => instructionPlaces(agentFolder(), contextFiles(), outside.ownPrompt()),
  );
  const stack = openStack(app, changes, ownFolders, hidden, {
    ...{ device, digest, places },
    inSettings: () => instructionsIn(file.settings),
  });
  const edited: Edited = (path, before, text) => {
    stack.instructions.edited(path, before, text);
    return stack.refreshInstructions();
  };
  let inSettings = instructionsIn(file.settings);
  const followSettings = (settings: Settings, isOwn: boolean): void => {
    const before = inSettings;
    inSettings = instructionsIn(settings);
    if (inSettings === before) return;
    if (isOwn) stack.instructions.edited(settingsFile, before, inSettings);
    // Until the chat view is opened, nothing lists the vault.
    if (changes.revision !== null) void stack.refreshInstructions();
  };
  plugin.register(file.subscribe(followSettings));
  const usedSettings = (): Settings => {
    const { settings } = file;
    if (!stack.instructions.isTextOut(settingsFile, instructionsIn(settings))) return settings;
    const { agentName, additionalInstructions } = defaultSettings;
    return { ...settings, agentName, additionalInstructions };
  };
  plugin.register(() => changes.stop());
  let isReported = false;
  return {
    ...stack,
    refresh: async () => {
      await stack.refresh();
      if (stack.isAppUnread() && !isReported) new Notice(words.keeping.appUnread);
      isReported = stack.isAppUnread();
    },
    writing: openWriting({
      ...{ app, changes, disk: stack, manifest, realPaths, device, agentFolder },
      instructionPlaces: places,
    }),
    changes,
    follow: (onChanges) => changes.start(onChanges),
    isFollowed: () => changes.revision !== null,
    hostState: readHostState(app, usedSettings, stack),
    images: createImageFiles(app.vault, chats),
    chatLogs: (writer) => new SessionFiles(app.vault.adapter, chats, writer, ownFolder),
    trashChat: (conversation) => trashChat(app, `${chats()}/${conversation}`),
    findAgentFolder: async () => {
      if (!(await app.vault.adapter.exists(chats()))) await ownFolder.find();
    },
    searchStore,
    unsaved,
    stateNotes: createStateNotes(app.vault, inAgentFolder('states'), contextFiles),
    textFiles: createTextFiles(app.vault, {
      edited,
      waits: (path, text) => stack.instructions.isTextOut(path, text.replace(/^\ufeff/, '')),
    }),
    promptNotes: createPromptNotes(app, stack.flush, edited),
    promptFolder: folderNotes(app, prompts),
    followPrompts: (listener) => changes.watchFolder(prompts, listener),
    repository: {
      changes: async (signal) => {
        const { readChanges } = await import('./repository/read-changes');
        const { adapter, configDir } = app.vault;
        const { isHidden, isHiddenText } = stack;
        // Git for Windows is installed with this choice.
        const convertsLineEnds = Platform.isWin;
        return readChanges({ adapter, realPaths, configDir, convertsLineEnds, isHidden, isHiddenText }, signal);
      },
    },
    followChats: (listener) => changes.watchFiles(chats, listener),
    createFolder: (path) => createFolder(app.vault, path),
    parseYaml: (text) => yaml.parse(text),
  };
}

/** Returns what the settings say to the model in the user’s words; empty by default. */
function instructionsIn({ agentName, additionalInstructions }: Settings): string {
  const name = agentName === defaultSettings.agentName ? '' : `name: ${agentName}`;
  return [name, additionalInstructions].filter((part) => part.trim() !== '').join('\n\n');
}

/** Returns the absolute path of the vault folder, or null where the vault is not a folder of a desktop file system. */
export function vaultRootOf(adapter: DataAdapter): string | null {
  return adapter instanceof FileSystemAdapter ? adapter.getBasePath() : null;
}

/** Makes a value again only when another one, of which it is made, was replaced; an equal value stays the same. */
function onceFor<Value>(source: () => unknown, make: () => Value): () => Value {
  let of: unknown;
  let made: { readonly value: Value } | undefined;
  return () => {
    const now = source();
    if (made === undefined || now !== of) {
      const value = make();
      if (made === undefined || !isEqual(value, made.value)) made = { value };
    }
    of = now;
    return made.value;
  };
}
