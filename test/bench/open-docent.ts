/**
 * Opens Docent without its chat view: the plugin's own vault stack, settings and chat over an emulated app, connected
 * as in main.ts.
 */
import type * as obsidian from 'obsidian';
import { Chat } from '../../src/core/chat/chat';
import type { ChatPorts } from '../../src/core/chat/chat-view-state';
import { Hooks } from '../../src/core/hooks/hooks';
import { type Outcome, succeed } from '../../src/core/ports/failure';
import type { Model, Tokenizer } from '../../src/core/ports/model';
import type { Vault } from '../../src/core/ports/vault';
import { NoteCache } from '../../src/core/prompt/facts/attached-notes';
import { sections } from '../../src/core/prompt/sections';
import { SessionLog } from '../../src/core/session/session-log';
import { decodeSettings, type Settings } from '../../src/core/settings/settings';
import { tools } from '../../src/core/tools';
import { instructionPlaces } from '../../src/core/writing/guard/instruction-places';
import { openModel } from '../../src/models/open';
import { ExactTokenizer } from '../../src/tokens/open';
import { VaultChanges } from '../../src/vault/changes';
import { clock, identifiers, timing } from '../../src/vault/device';
import { digest } from '../../src/vault/hash';
import { readHostState } from '../../src/vault/host-state';
import { openStack } from '../../src/vault/stack';
import { openWriting } from '../../src/vault/writing';
import { openGate, forgetfulStore, memoryDevice } from '../support/memory-ports';
import { countInSlices } from './count-in-slices';

export interface Docent {
  readonly vault: Vault;
  readonly settings: Settings;
  readonly ports: ChatPorts;
  /** A new chat that lives in memory only. */
  startChat(): Promise<Chat>;
  close(): void;
}

export interface DocentOptions {
  readonly settings?: Settings;
  readonly tokenizer?: Tokenizer;
  /** Tokens; replaces what is known of the model. */
  readonly contextWindow?: number;
  /** Replaces the models of the settings. */
  readonly model?: ChatPorts['model'];
}

/** Creates a new stack with empty caches, in the state that follows the opening of the chat view. */
export async function openDocent(app: obsidian.App, options: DocentOptions = {}): Promise<Docent> {
  const { settings = decodeSettings(null).settings, contextWindow } = options;
  const { model = (id: string) => withWindow(openModel(id, settings, noNetwork), contextWindow) } = options;
  const tokenizer = options.tokenizer ?? new ExactTokenizer(countInSlices());
  const ownFolders = ['chats', 'exports'].map((name) => `${settings.agentFolder}/${name}`);
  const changes = new VaultChanges(app, (path) => ownFolders.some((folder) => path.startsWith(`${folder}/`)));
  const disk = openStack(app, changes, () => ownFolders);
  const { vault, refresh, flush } = disk;
  const manifest = { id: 'docent', dir: `${app.vault.configDir}/plugins/docent` };
  const agentFolder = (): string => settings.agentFolder;
  const writing = openWriting({
    app,
    changes,
    disk,
    manifest,
    realPaths: null,
    device: memoryDevice(),
    agentFolder,
    instructionPlaces: () => instructionPlaces(agentFolder(), settings.contextFiles, null),
  });
  const notes = new NoteCache(vault);
  changes.start((batch) => notes.forget(batch.flatMap(({ path, oldPath = path }) => [path, oldPath])));
  await refresh();
  const ports: ChatPorts = {
    vault,
    notes,
    sections,
    // A list of its own, so that what is remembered about a list of tools is not there yet.
    tools: [...tools],
    tokenizer,
    clock,
    device: memoryDevice(),
    refresh,
    flush,
    hooks: new Hooks(timing.after),
    hostState: readHostState(app, () => settings, disk),
    agentFolder,
    writing: writing.ports,
    settings: () => settings,
    model,
    note: () => {},
  };
  return {
    vault,
    settings,
    ports,
    startChat: () => {
      const log = { store: forgetfulStore, clock, identifiers, digest, writer: 'bench', session: 'bench' };
      return Chat.open(SessionLog.start(identifiers.next(), log), ports);
    },
    close: () => changes.stop(),
  };
}

/** What the user has set in this vault, so that a plan is the one that the plugin would make. */
export async function readSettings({ vault: { adapter, configDir } }: obsidian.App): Promise<Settings> {
  const path = `${configDir}/plugins/docent/data.json`;
  const stored: unknown = (await adapter.exists(path)) ? JSON.parse(await adapter.read(path)) : null;
  return decodeSettings(stored).settings;
}

function withWindow(found: Outcome<Model>, contextWindow: number | undefined): Outcome<Model> {
  if (!found.ok || contextWindow === undefined) return found;
  const { value: model } = found;
  return succeed({
    description: { ...model.description, contextWindow },
    stream: (plan, signal) => model.stream(plan, signal),
  });
}

const refuse = (): Promise<never> => Promise.reject(new Error('Nothing is sent from here.'));

const noNetwork: Parameters<typeof openModel>[2] = {
  transport: { fetch: refuse, requestUrl: refuse, memory: memoryDevice() },
  timing: timing,
  gate: openGate(null),
};
