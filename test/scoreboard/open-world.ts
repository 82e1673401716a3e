/** A vault with Docent's own stack over it, as the composition root joins it: from the tool call to the bytes on disk. */
import type * as obsidian from 'obsidian';
import { MemoryAdapter } from 'obsidian-workbench/jest';
import { Chat } from '../../src/core/chat/chat';
import type { ChatPorts } from '../../src/core/chat/chat-view-state';
import type { ChatServers } from '../../src/core/context/chat-tools';
import { Hooks } from '../../src/core/hooks/hooks';
import { succeed } from '../../src/core/ports/failure';
import type { Model } from '../../src/core/ports/model';
import type { Vault } from '../../src/core/ports/vault';
import { NoteCache } from '../../src/core/prompt/facts/attached-notes';
import { sections } from '../../src/core/prompt/sections';
import { SessionLog } from '../../src/core/session/session-log';
import type { PermissionMode } from '../../src/core/settings/mode';
import { decodeSettings } from '../../src/core/settings/settings';
import { tools } from '../../src/core/tools';
import type { WritingPorts } from '../../src/core/writing/apply/write-steps';
import { pathsOf, VaultChanges } from '../../src/vault/changes';
import { clock, digest, identifiers, timing } from '../../src/vault/device';
import { readHostState } from '../../src/vault/host-state';
import { ObsidianVault } from '../../src/vault/obsidian-vault';
import { openStack } from '../../src/vault/stack';
import { createStateNotes } from '../../src/vault/user-notes';
import { openWriting } from '../../src/vault/writing';
import { closeApp, openApp } from '../bench/open-app';
import { forgetfulStore, memoryDevice } from '../support/memory-ports';

/** A folder of the vault that is a link to one outside it. */
export const linkedFolder = 'Linked';
const root = '/home/me/vault';

export interface World {
  readonly app: obsidian.App;
  readonly adapter: MemoryAdapter;
  openChat(model: Model, permission: PermissionMode, more?: ChatExtras): Promise<Chat>;
  close(): Promise<void>;
}

/** What a chat has in addition to its vault. */
export interface ChatExtras {
  readonly hooks?: Hooks;
  readonly servers?: ChatServers;
}

/** Defences that are left out, to see that something fails without them. */
export interface Weakness {
  /** The path guard, before staging and before the disk, and the fence. */
  readonly guard?: boolean;
  /** The question before a call to a server. */
  readonly question?: boolean;
}

export async function openWorld(files: Readonly<Record<string, string>>, weakness: Weakness = {}): Promise<World> {
  const adapter = new MemoryAdapter({ files });
  const app = await openApp(adapter);
  const { settings } = decodeSettings(null);
  const agentFolder = (): string => settings.agentFolder;
  const ownFolders = (): string[] => ['chats', 'exports'].map((name) => `${agentFolder()}/${name}`);
  const changes = new VaultChanges(app, (path) => ownFolders().some((folder) => path.startsWith(`${folder}/`)));
  const disk = openStack(app, changes, ownFolders);
  const manifest = { id: 'docent', dir: `${app.vault.configDir}/plugins/docent` };
  const realPaths = { realPath: (path: string) => Promise.resolve(realPathIn(adapter, path)) };
  const writing = openWriting({
    app,
    changes,
    disk,
    manifest,
    realPaths,
    device: memoryDevice(),
    agentFolder,
    contextFiles: () => settings.contextFiles,
  });
  const vault: Vault = weakness.guard === true ? new ObsidianVault(app, changes) : disk.vault;
  const notes = new NoteCache(vault);
  const chats: Chat[] = [];
  changes.start((batch) => {
    notes.forget(pathsOf(batch));
    for (const chat of chats) chat.changes?.heard(pathsOf(batch));
  });
  await disk.refresh();
  return {
    app,
    adapter,
    openChat: async (model, permission, { hooks = new Hooks(timing.after), servers } = {}) => {
      const ports: ChatPorts = {
        vault,
        notes,
        sections,
        tools,
        tokenizer: { count: (text) => Math.ceil(text.length / 4), exact: true },
        clock,
        device: memoryDevice(),
        refresh: disk.refresh,
        flush: disk.flush,
        hooks,
        ...(servers !== undefined && { servers: weakness.question === true ? unasked(servers) : servers }),
        hostState: readHostState(app, () => settings, disk),
        agentFolder,
        writing: weakness.guard === true ? withoutGuard(writing.ports) : writing.ports,
        settings: () => settings,
        model: () => succeed(model),
        note: () => {},
        states: createStateNotes(
          app.vault,
          () => `${agentFolder()}/states`,
          () => settings.contextFiles,
        ),
      };
      const log = { store: forgetfulStore, clock, identifiers, digest, writer: 'world', session: 'world' };
      const chat = await Chat.open(SessionLog.start(identifiers.next(), log), ports);
      await chat.choose({ permission, mode: 'assistant', tier: 5 });
      chats.push(chat);
      return chat;
    },
    close: async () => {
      for (const chat of chats) chat.close();
      changes.stop();
      await closeApp(app);
    },
  };
}

/** As if its calls stayed on the device. */
function unasked(servers: ChatServers): ChatServers {
  const harmless = servers.tools().map((each) => ({ ...each, effect: 'reads' as const }));
  return { infos: () => servers.infos(), tools: () => harmless };
}

function withoutGuard(ports: WritingPorts): WritingPorts {
  const pass = async (path: string) => succeed(path as never);
  return {
    ...ports,
    staging: { ...ports.staging, guardNew: (path) => succeed(String(path)) },
    writer: async () => {
      const writer = await ports.writer();
      return writer.ok ? succeed({ ...writer.value, guard: { existing: pass, fresh: pass } }) : writer;
    },
  };
}

function realPathIn(adapter: MemoryAdapter, path: string): string | null {
  if (path !== '' && !adapter.paths().includes(path)) return null;
  if (path === linkedFolder || path.startsWith(`${linkedFolder}/`))
    return `/elsewhere${path.slice(linkedFolder.length)}`;
  return path === '' ? root : `${root}/${path}`;
}
