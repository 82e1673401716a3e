/**
 * Follows Docent's own folder: at once when it is moved or renamed in the app, and by its chats when it was moved
 * outside.
 */
import { type App, normalizePath, type TFile } from 'obsidian';
import { foldPlace } from '../core/base/fold';
import type { UnsavedTexts } from '../core/ports/device';
import { words } from '../text';
import type { VaultChanges } from './changes';

export interface AgentFolderPorts {
  readonly app: App;
  readonly changes: Pick<VaultChanges, 'followMoves'>;
  /** Remembers on this device the chat that was stored last, and in which folder. */
  readonly memory: UnsavedTexts;
  current(): string;
  change(folder: string): Promise<void>;
  /** Names the folder on this device alone: another one may list it in another spelling. */
  spell(folder: string): void;
  /** Shows a sentence until the user has seen it. */
  say(text: string): void;
  /** Asks the user whether to use a folder that may be the missing one. */
  confirm(missing: string, found: string): Promise<boolean>;
}

export interface AgentFolder {
  /** Must be called when the chats are not where they should be: looks for them elsewhere. */
  find(): Promise<void>;
  /**
   * Must be called when the vault is read and when the settings change: spells the folder as the vault does where the
   * disk takes another spelling for the same, since the vault would not list what is in it.
   */
  spell(): Promise<void>;
  /** Must be called with each chat of which something was stored. */
  used(conversation: string): void;
}

const memoryKey = 'last-stored-chat';

interface LastUsed {
  readonly conversation: string;
  readonly folder: string;
}

/** Returns what was remembered; null for what this version cannot read. */
function readLastUsed(text: string | null): LastUsed | null {
  try {
    const { conversation, folder } = JSON.parse(text ?? 'null') as Partial<LastUsed>;
    return typeof conversation === 'string' && typeof folder === 'string' ? { conversation, folder } : null;
  } catch {
    return null;
  }
}

const logPattern = /^(.+)\/chats\/[a-z0-9]+\/[a-z0-9]+-[a-z0-9]+(?:-\d+)?\.jsonl$/;

/** A folder that is being moved is first missing, and a moment later somewhere else. */
const tries = 4;
const pauseMilliseconds = 300;

export function followAgentFolder(ports: AgentFolderPorts): AgentFolder {
  const { app, changes, memory } = ports;
  let lastUsed: LastUsed | null = null;
  /** Folders that the user does not want, in this session. */
  const declined = new Set<string>();
  let finding: Promise<void> | null = null;
  let isReported = false;

  const recall = async (): Promise<LastUsed | null> => lastUsed ?? readLastUsed(await memory.read(memoryKey));
  const remember = (conversation: string, folder: string): void => {
    lastUsed = { conversation, folder };
    // What is not remembered is only asked about.
    void memory.write(memoryKey, JSON.stringify(lastUsed));
  };
  const follow = async (folder: string): Promise<void> => {
    await ports.change(folder);
    const last = await recall();
    if (last !== null) remember(last.conversation, normalizePath(folder));
    ports.say(words.agentFolder.followed(folder));
  };
  changes.followMoves((from, to) => {
    const folder = normalizePath(ports.current());
    const below = belowPlace(from, folder);
    if (below === null) return;
    // A disk that keeps spellings apart may have both, and then the other one was moved.
    const isSpelledAlike = folder === from || folder.startsWith(`${from}/`);
    if (isSpelledAlike || app.vault.getAbstractFileByPath(folder) === null) void follow(to + below);
  });

  /** Asks about each folder that the user has not declined; returns whether one was to be asked about. */
  const offer = async (missing: string, found: readonly string[]): Promise<boolean> => {
    const open = found.filter((folder) => !declined.has(folder));
    for (const folder of open) {
      if (await ports.confirm(missing, folder)) {
        await follow(folder);
        return true;
      }
      declined.add(folder);
    }
    return open.length > 0;
  };
  const find = async (): Promise<void> => {
    const missing = normalizePath(ports.current());
    const last = await recall();
    // A user who sets another folder begins there; the chats before stay where they are.
    if (last !== null && last.folder !== missing) return;
    const known = last?.conversation ?? null;
    for (let left = known === null ? 1 : tries; left > 0; left -= 1) {
      if (await app.vault.adapter.exists(`${missing}/chats`)) return;
      const found = foldersWithChats(app.vault.getFiles()).filter((folder) => folder !== missing);
      const sure = known === null ? [] : await existing(found, known);
      if (sure.length === 1) return follow(sure[0] as string);
      if (await offer(missing, found)) return;
      if (left > 1) await new Promise((resolve) => void window.setTimeout(resolve, pauseMilliseconds));
    }
    if (known === null || isReported) return;
    isReported = true;
    const isThere = await app.vault.adapter.exists(missing);
    ports.say(isThere ? words.agentFolder.chatsMissing(`${missing}/chats`) : words.agentFolder.missing(missing));
  };
  const existing = async (folders: readonly string[], conversation: string): Promise<string[]> => {
    const { adapter } = app.vault;
    const checked = await Promise.all(folders.map((folder) => adapter.exists(`${folder}/chats/${conversation}`)));
    return folders.filter((_, index) => checked[index]);
  };
  return {
    spell: async () => {
      const folder = normalizePath(ports.current());
      if (app.vault.getAbstractFileByPath(folder) !== null) return;
      const twin = app.vault.getAllFolders().find(({ path }) => foldPlace(path) === foldPlace(folder));
      if (twin !== undefined && (await app.vault.adapter.exists(folder))) ports.spell(twin.path);
    },
    find: () => (finding ??= find().finally(() => (finding = null))),
    used: (conversation) => {
      const folder = normalizePath(ports.current());
      if (conversation !== lastUsed?.conversation || folder !== lastUsed.folder) remember(conversation, folder);
    },
  };
}

/** Returns what follows a place in a path, from its slash on, in any spelling; null for a path elsewhere. */
function belowPlace(place: string, path: string): string | null {
  const names = path.split('/');
  const count = place.split('/').length;
  if (foldPlace(names.slice(0, count).join('/')) !== foldPlace(place)) return null;
  return names
    .slice(count)
    .map((name) => `/${name}`)
    .join('');
}

/** Returns the folders whose `chats` folder holds logs, each once. */
function foldersWithChats(files: readonly Pick<TFile, 'path' | 'extension'>[]): string[] {
  const logs = files.filter(({ extension }) => extension === 'jsonl');
  return [...new Set(logs.flatMap(({ path }) => logPattern.exec(path)?.[1] ?? []))].sort();
}
