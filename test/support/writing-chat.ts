/** A chat that writes, over the emulated app: its vault stack, write port and journal are the plugin's own. */
import { createTestApp, MemoryAdapter, type TestApp } from 'obsidian-workbench/jest';
import { Chat } from '../../src/core/chat/chat';
import type { ChatPorts } from '../../src/core/chat/chat-view-state';
import { Hooks } from '../../src/core/hooks/hooks';
import type { DeviceStorage } from '../../src/core/ports/device';
import { succeed } from '../../src/core/ports/failure';
import type { Model } from '../../src/core/ports/model';
import type { DiskVault } from '../../src/core/ports/vault';
import { NoteCache } from '../../src/core/prompt/facts/attached-notes';
import { sections } from '../../src/core/prompt/sections';
import type { Mention } from '../../src/core/session/entry';
import { SessionLog } from '../../src/core/session/session-log';
import type { PermissionMode } from '../../src/core/settings/mode';
import { defaultSettings, type Settings } from '../../src/core/settings/settings';
import { tools } from '../../src/core/tools';
import type { Tool } from '../../src/core/tools/tool';
import { instructionPlaces } from '../../src/core/writing/guard/instruction-places';
import { pathsOf, VaultChanges } from '../../src/vault/changes';
import { openStack } from '../../src/vault/stack';
import { type OpenWriting, openWriting } from '../../src/vault/writing';
import { rested, until } from './chat-bench';
import {
  countingIdentifiers,
  digest,
  fakeClock,
  logPorts,
  memoryDevice,
  type MemoryStore,
  memoryStore,
  roughTokenizer,
} from './memory-ports';
import { type ScriptedModel, type Step, scriptedModel } from './scripted-model';
import { hostState } from './turn-world';

export interface WritingChat {
  readonly app: TestApp;
  readonly adapter: MemoryAdapter;
  readonly writing: OpenWriting;
  readonly hooks: Hooks;
  /** The vault as the agent may see it. */
  readonly vault: DiskVault;
  readonly store: MemoryStore;
  readonly chat: Chat;
  /** With which the chat was opened. */
  readonly ports: ChatPorts;
  readonly model: ScriptedModel;
  /** Sends a message that names the notes and folders of the options, and waits until the turn has ended. */
  ask(text: string): Promise<void>;
  read(path: string): Promise<string>;
  /** All files but those of the app and of Docent, with their bytes in hexadecimal. */
  tree(): Promise<Record<string, string>>;
  /** The same conversation as a new process opens it, with a model of its own. */
  reopen(...answers: readonly Step[][]): Promise<WritingChat>;
  /** Another conversation over the same vault, as a new process opens it. */
  openOther(...answers: readonly Step[][]): Promise<WritingChat>;
}

export interface WritingChatOptions {
  readonly files: Record<string, string>;
  readonly permission?: PermissionMode;
  /** What the user names in each message, so that Auto-edit may write there: notes, and folders with a slash at the end. */
  readonly named?: readonly string[];
  /** Whether files that direct the agent wait until they are allowed. */
  readonly instructionsWait?: boolean;
  readonly tier?: 1 | 2 | 3 | 4 | 5;
  /** Offered in addition to the tools of every chat. */
  readonly moreTools?: readonly Tool[];
  readonly appSettings?: Record<string, unknown>;
  readonly chaosSeed?: number;
  /** What the settings say. */
  readonly settings?: Partial<Settings>;
  /** Ports in place of those of the bench. */
  readonly morePorts?: Partial<ChatPorts>;
}

/** @param path of a folder if it ends in a slash */
export function mentionOf(path: string): Mention {
  const id = path.replace(/\/$/, '');
  return { kind: path.endsWith('/') ? 'folder' : 'note', id, label: id };
}

const appJson = '.obsidian/app.json';

export async function writingChat(options: WritingChatOptions, ...answers: readonly Step[][]): Promise<WritingChat> {
  const { files, permission, tier, appSettings = { alwaysUpdateLinks: true }, chaosSeed = null, settings } = options;
  const adapter = new MemoryAdapter({ files: { ...files, [appJson]: JSON.stringify(appSettings) } });
  const { moreTools = [], morePorts = {}, named = [], instructionsWait = false } = options;
  const place = {
    instructionsWait,
    moreTools,
    morePorts,
    named,
    adapter,
    device: memoryDevice(),
    chaosSeed,
    settings: { ...defaultSettings, ...settings },
  };
  const bench = await open(place, memoryStore(), scriptedModel(answers), 1);
  if (permission !== undefined) await bench.chat.choose({ permission });
  if (tier !== undefined) await bench.chat.choose({ tier });
  return bench;
}

interface Place {
  readonly instructionsWait: boolean;
  readonly moreTools: readonly Tool[];
  readonly morePorts: Partial<ChatPorts>;
  readonly named: readonly string[];
  readonly adapter: MemoryAdapter;
  readonly device: DeviceStorage;
  readonly chaosSeed: number | null;
  readonly settings: Settings;
}

async function open(
  place: Place,
  store: MemoryStore,
  model: ScriptedModel,
  session: number,
  conversation = 'c1',
): Promise<WritingChat> {
  const { adapter, device, chaosSeed, settings, instructionsWait } = place;
  const places = instructionPlaces('Docent', settings.contextFiles, null);
  const app = await createTestApp({ adapter, chaosSeed, bare: true });
  const changes = new VaultChanges(app, () => false);
  const ownFolders = ['Docent/chats'];
  const disk = openStack(
    app,
    changes,
    () => ownFolders,
    () => settings,
    instructionsWait ? { device, digest, places: () => places } : undefined,
  );
  const notes = new NoteCache(disk.vault);
  const manifest = { id: 'docent', dir: '.obsidian/plugins/docent' };
  const folders = {
    agentFolder: () => 'Docent',
    instructionPlaces: () => places,
  };
  const writing = openWriting({ app, changes, disk, manifest, realPaths: null, device, ...folders });
  store.shard = `s${session}`;
  const identifiers = countingIdentifiers(`s${session}-`);
  const clock = place.morePorts.clock ?? fakeClock();
  const log = await SessionLog.open(conversation, logPorts(store, { session: `s${session}`, identifiers, clock }));
  if (!log.ok) throw new Error(log.failure.words);
  const ports: ChatPorts = {
    vault: disk.vault,
    notes,
    sections,
    tools: place.moreTools.length === 0 ? tools : [...tools, ...place.moreTools],
    tokenizer: roughTokenizer,
    clock,
    device,
    agentFolder: () => 'Docent',
    hostState,
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
    ...place.morePorts,
  };
  const chat = await Chat.open(log.value, ports);
  changes.start((batch) => {
    notes.forget(pathsOf(batch));
    const moves = batch.flatMap(({ path: to, oldPath: from }) => (from === undefined ? [] : [{ from, to }]));
    chat.changes?.heard(pathsOf(batch), moves);
  });
  await disk.refresh();
  // What links to a note is known later than what the note is.
  const { metadataCache } = app;
  const isIndexed = (): boolean =>
    app.vault
      .getMarkdownFiles()
      .every((file) => metadataCache.getFileCache(file) && metadataCache.resolvedLinks[file.path] !== undefined);
  while (!isIndexed()) await new Promise((resolve) => setTimeout(resolve, 5));
  return {
    app,
    adapter,
    writing,
    hooks: ports.hooks,
    vault: disk.vault,
    store,
    chat,
    ports,
    model,
    ask: async (text) => {
      const sent = await chat.send(text, place.named.map(mentionOf));
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
      return open(place, store, scriptedModel(answers), session + 1, conversation);
    },
    openOther: async (...answers) => {
      changes.stop();
      await app.close();
      return open(place, store, scriptedModel(answers), session + 1, `c${session + 1}`);
    },
  };
}

/** Renames a note as the user does, and waits until that was noticed. */
export async function renameNote({ app }: Pick<WritingChat, 'app'>, from: string, to: string): Promise<void> {
  const file = app.vault.getAbstractFileByPath(from);
  if (file === null) throw new Error(`There is no ${from}.`);
  await app.fileManager.renameFile(file, to);
  await new Promise((resolve) => setTimeout(resolve, 50));
}
