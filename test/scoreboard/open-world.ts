/** A vault with Docent's own stack over it, as the composition root joins it: from the tool call to the bytes on disk. */
import type * as obsidian from 'obsidian';
import { MemoryAdapter } from 'obsidian-workbench/jest';
import { Chat } from '../../src/core/chat/chat';
import type { ChatPorts } from '../../src/core/chat/chat-view-state';
import type { ChatServers } from '../../src/core/context/chat-tools';
import { Hooks } from '../../src/core/hooks/hooks';
import { succeed } from '../../src/core/ports/failure';
import type { Model } from '../../src/core/ports/model';
import { NoteCache } from '../../src/core/prompt/facts/attached-notes';
import { sections } from '../../src/core/prompt/sections';
import { SessionLog } from '../../src/core/session/session-log';
import type { PermissionMode } from '../../src/core/settings/mode';
import { decodeSettings } from '../../src/core/settings/settings';
import { tools } from '../../src/core/tools';
import { instructionPlaces } from '../../src/core/writing/guard/instruction-places';
import { pathsOf, VaultChanges } from '../../src/vault/changes';
import { clock, identifiers, timing } from '../../src/vault/device';
import { digest } from '../../src/vault/hash';
import { readHostState } from '../../src/vault/host-state';
import { openStack } from '../../src/vault/stack';
import { createStateNotes } from '../../src/vault/user-notes';
import { type OpenWriting, openWriting } from '../../src/vault/writing';
import { closeApp, openApp } from '../bench/open-app';
import { memoryDevice, memoryStore } from '../support/memory-ports';

/** A folder of the vault that is a link to one outside it. */
export const linkedFolder = 'Linked';
const root = '/home/me/vault';

export interface World {
  readonly app: obsidian.App;
  readonly adapter: MemoryAdapter;
  readonly writing: OpenWriting;
  openChat(model: Model, permission: PermissionMode, more?: ChatExtras): Promise<Chat>;
  close(): Promise<void>;
}

/** What a chat has in addition to its vault. */
export interface ChatExtras {
  readonly hooks?: Hooks;
  readonly servers?: ChatServers;
  /** The chat of an earlier process in this world, which is opened again from its log. */
  readonly again?: Chat;
  /** On another device, which has the log and no grant of this one. */
  readonly isElsewhere?: boolean;
}

/** @param allowed the instruction files that the user let in, with their texts then; none waits if absent */
export async function openWorld(
  files: Readonly<Record<string, string>>,
  allowed?: Readonly<Record<string, string>>,
): Promise<World> {
  const adapter = new MemoryAdapter({ files });
  const app = await openApp(adapter, { bare: true });
  const { settings } = decodeSettings(null);
  const agentFolder = (): string => settings.agentFolder;
  const ownFolders = ['chats', 'exports', 'trust'].map((name) => `${agentFolder()}/${name}`);
  const changes = new VaultChanges(app, (path) => ownFolders.some((folder) => path.startsWith(`${folder}/`)));
  const device = memoryDevice();
  const places = instructionPlaces(agentFolder(), settings.contextFiles, null);
  const instructed = allowed === undefined ? undefined : { device, digest, places: () => places };
  const disk = openStack(app, changes, () => ownFolders, undefined, instructed);
  disk.instructions.letIn(Object.entries(allowed ?? {}).map(([path, text]) => ({ path, text })));
  const manifest = { id: 'docent', dir: `${app.vault.configDir}/plugins/docent` };
  const realPaths = { realPath: (path: string) => Promise.resolve(realPathIn(adapter, path)) };
  const writing = openWriting({
    app,
    changes,
    disk,
    manifest,
    realPaths,
    device,
    agentFolder,
    instructionPlaces: () => places,
  });
  const { vault } = disk;
  const notes = new NoteCache(vault);
  const store = memoryStore();
  const chats: Chat[] = [];
  changes.start((batch) => {
    notes.forget(pathsOf(batch));
    for (const chat of chats) chat.changes?.heard(pathsOf(batch));
  });
  await disk.refresh();
  return {
    app,
    adapter,
    writing,
    openChat: async (
      model,
      permission,
      { hooks = new Hooks(timing.after), servers, again, isElsewhere = false } = {},
    ) => {
      const ports: ChatPorts = {
        vault,
        notes,
        sections,
        tools,
        tokenizer: { count: (text) => Math.ceil(text.length / 4), exact: true },
        clock,
        device: isElsewhere ? memoryDevice() : device,
        refresh: disk.refresh,
        flush: disk.flush,
        hooks,
        ...(servers !== undefined && { servers }),
        hostState: readHostState(app, () => settings, disk),
        agentFolder,
        writing: writing.ports,
        settings: () => settings,
        model: () => succeed(model),
        note: () => {},
        states: createStateNotes(
          app.vault,
          () => `${agentFolder()}/states`,
          () => settings.contextFiles,
        ),
      };
      const place = { store, clock, identifiers, digest, writer: 'world', session: `session-${chats.length}` };
      const log =
        again === undefined
          ? succeed(SessionLog.start(identifiers.next(), place))
          : await SessionLog.open(again.id, place);
      if (!log.ok) throw new Error(log.failure.words);
      const chat = await Chat.open(log.value, ports);
      if (again === undefined) await chat.choose({ permission, mode: 'assistant', tier: 5 });
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

function realPathIn(adapter: MemoryAdapter, path: string): string | null {
  if (path !== '' && !adapter.paths().includes(path)) return null;
  if (path === linkedFolder || path.startsWith(`${linkedFolder}/`))
    return `/elsewhere${path.slice(linkedFolder.length)}`;
  return path === '' ? root : `${root}/${path}`;
}
