/** A chat that writes, over the emulated app: its vault stack, write port and journal are the plugin's own. */
import { Chat } from '../../../src/core/chat';
import type { ChatPorts } from '../../../src/core/chat-ports';
import { succeed } from '../../../src/core/failure';
import { Hooks } from '../../../src/core/hooks/hooks';
import type { DiskVault, Model } from '../../../src/core/ports';
import type { PermissionMode } from '../../../src/core/permission-mode';
import { NoteCache } from '../../../src/core/prompt/note-cache';
import { sections } from '../../../src/core/prompt/sections';
import { SessionLog } from '../../../src/core/session/session-log';
import { defaultSettings, type Settings } from '../../../src/core/settings/settings';
import { tools } from '../../../src/core/tools';
import { pathsOf, VaultChanges } from '../../../src/vault/changes';
import { openVault } from '../../../src/vault/open-vault';
import { openWriting, type OpenWriting } from '../../../src/vault/open-writing';
import { MemoryAdapter } from '../../workbench/emulator/data/memory-adapter';
import { createTestApp, type TestApp } from '../../workbench/emulator/jest';
import {
  countingIdentifiers,
  fakeClock,
  logPorts,
  memoryDevice,
  memoryStore,
  roughTokenizer,
  type MemoryStore,
} from './memory-ports';
import { rested, until } from './chat-bench';
import { scriptedModel, type ScriptedModel, type Step } from './scripted-model';
import { surroundings } from './turn-world';

export interface WritingChat {
  readonly app: TestApp;
  readonly adapter: MemoryAdapter;
  readonly writing: OpenWriting;
  readonly hooks: Hooks;
  /** The vault as the agent may see it. */
  readonly vault: DiskVault;
  readonly store: MemoryStore;
  readonly chat: Chat;
  readonly model: ScriptedModel;
  /** Sends a message and waits until the turn has ended. */
  ask(text: string): Promise<void>;
  read(path: string): Promise<string>;
  /** All files but those of the app and of Docent, with their bytes in hexadecimal. */
  tree(): Promise<Record<string, string>>;
  /** The same conversation as a new process opens it, with a model of its own. */
  reopen(...answers: readonly Step[][]): Promise<WritingChat>;
}

export interface WritingChatOptions {
  readonly files: Record<string, string>;
  readonly permission?: PermissionMode;
  readonly appSettings?: Record<string, unknown>;
  readonly chaosSeed?: number;
  /** What the settings say. */
  readonly settings?: Partial<Settings>;
}

const appJson = '.obsidian/app.json';

export async function writingChat(options: WritingChatOptions, ...answers: readonly Step[][]): Promise<WritingChat> {
  const { files, permission, appSettings = { alwaysUpdateLinks: true }, chaosSeed = null, settings } = options;
  const adapter = new MemoryAdapter({ files: { ...files, [appJson]: JSON.stringify(appSettings) } });
  const bench = await open(adapter, memoryStore(), scriptedModel(answers), chaosSeed, 1, {
    ...defaultSettings,
    ...settings,
  });
  if (permission !== undefined) await bench.chat.choose({ permission });
  return bench;
}

async function open(
  adapter: MemoryAdapter,
  store: MemoryStore,
  model: ScriptedModel,
  chaosSeed: number | null,
  session: number,
  settings: Settings,
): Promise<WritingChat> {
  const app = await createTestApp({ adapter, chaosSeed });
  const changes = new VaultChanges(app, () => false);
  const disk = openVault(
    app,
    changes,
    () => ['Docent/chats'],
    () => settings,
  );
  const notes = new NoteCache(disk.vault);
  const manifest = { id: 'docent', dir: '.obsidian/plugins/docent' };
  const folders = { agentFolder: () => 'Docent', contextFiles: () => settings.contextFiles };
  const writing = openWriting({ app, changes, disk, manifest, realPaths: null, ...folders });
  store.shard = `s${session}`;
  const identifiers = countingIdentifiers(`s${session}-`);
  const log = await SessionLog.open('c1', logPorts(store, { session: `s${session}`, identifiers }));
  if (!log.ok) throw new Error(log.failure.words);
  const ports: ChatPorts = {
    vault: disk.vault,
    notes,
    sections,
    tools,
    tokenizer: roughTokenizer,
    clock: fakeClock(),
    device: memoryDevice(),
    agentFolder: () => 'Docent',
    surroundings,
    refresh: disk.refresh,
    flush: disk.flush,
    hooks: new Hooks((milliseconds, act) => {
      const timer = setTimeout(act, milliseconds);
      return () => clearTimeout(timer);
    }),
    settings: () => settings,
    note: () => undefined,
    model: () => succeed<Model>(model),
    writing: writing.ports,
  };
  const chat = await Chat.open(log.value, ports);
  changes.start((batch) => {
    notes.forget(pathsOf(batch));
    chat.changes?.heard(pathsOf(batch));
  });
  await disk.refresh();
  const isIndexed = (): boolean => app.vault.getMarkdownFiles().every((file) => app.metadataCache.getFileCache(file));
  while (!isIndexed()) await new Promise((resolve) => setTimeout(resolve, 5));
  return {
    app,
    adapter,
    writing,
    hooks: ports.hooks,
    vault: disk.vault,
    store,
    chat,
    model,
    ask: async (text) => {
      const sent = await chat.send(text, []);
      if (!sent.ok) throw new Error(sent.failure.words);
      await until(chat, rested);
    },
    read: (path) => adapter.read(path),
    tree: async () => {
      const paths = app.vault.getFiles().map(({ path }) => path);
      const bytes = await Promise.all(paths.sort().map((path) => adapter.readBinary(path)));
      return Object.fromEntries(paths.map((path, index) => [path, Buffer.from(bytes[index]!).toString('hex')]));
    },
    reopen: async (...answers) => {
      changes.stop();
      await app.close();
      return open(adapter, store, scriptedModel(answers), chaosSeed, session + 1, settings);
    },
  };
}
