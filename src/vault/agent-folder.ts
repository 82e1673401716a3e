/**
 * Follows Docent's own folder: at once when it is moved or renamed in the app, and by its chats when it was moved
 * outside.
 */
import { type App, normalizePath, type TFile } from 'obsidian';
import type { UnsavedTexts } from '../core/ports/device';
import { words } from '../text';
import type { VaultChanges } from './changes';

export interface AgentFolderPorts {
  readonly app: App;
  readonly changes: Pick<VaultChanges, 'followMoves'>;
  /** Remembers on this device the chat that was stored last. */
  readonly memory: UnsavedTexts;
  current(): string;
  change(folder: string): Promise<void>;
  /** Shows a sentence until the user has seen it. */
  say(text: string): void;
  /** Asks the user whether to use a folder that may be the missing one. */
  confirm(missing: string, found: string): Promise<boolean>;
}

export interface AgentFolder {
  /** Must be called when the chats are not where they should be: looks for them elsewhere. */
  find(): Promise<void>;
  /** Must be called with each chat of which something was stored. */
  used(conversation: string): void;
}

const memoryKey = 'last-stored-chat';
const logPattern = /^(.+)\/chats\/[a-z0-9]+\/[a-z0-9]+-[a-z0-9]+(?:-\d+)?\.jsonl$/;

/** A folder that is being moved is first missing, and a moment later somewhere else. */
const tries = 4;
const pauseMilliseconds = 300;

export function followAgentFolder(ports: AgentFolderPorts): AgentFolder {
  const { app, changes, memory } = ports;
  let lastUsed: string | null = null;
  /** Folders that the user does not want, in this session. */
  const declined = new Set<string>();
  let finding: Promise<void> | null = null;
  let isReported = false;

  const follow = async (folder: string): Promise<void> => {
    await ports.change(folder);
    ports.say(words.agentFolder.followed(folder));
  };
  changes.followMoves((from, to) => {
    const folder = normalizePath(ports.current());
    if (folder === from || folder.startsWith(`${from}/`)) void follow(to + folder.slice(from.length));
  });

  const find = async (): Promise<void> => {
    const missing = normalizePath(ports.current());
    const known = lastUsed ?? (await memory.read(memoryKey));
    for (let left = known === null ? 1 : tries; left > 0; left -= 1) {
      if (await app.vault.adapter.exists(`${missing}/chats`)) return;
      const found = foldersWithChats(app.vault.getFiles()).filter((folder) => folder !== missing);
      const sure = known === null ? [] : await existing(found, known);
      if (sure.length === 1) return follow(sure[0] as string);
      const open = found.filter((folder) => !declined.has(folder));
      for (const folder of open) {
        if (await ports.confirm(missing, folder)) return follow(folder);
        declined.add(folder);
      }
      if (open.length > 0) return;
      if (left > 1) await new Promise((resolve) => void window.setTimeout(resolve, pauseMilliseconds));
    }
    if (known === null || isReported) return;
    isReported = true;
    ports.say(words.agentFolder.missing(missing));
  };
  const existing = async (folders: readonly string[], conversation: string): Promise<string[]> => {
    const { adapter } = app.vault;
    const checked = await Promise.all(folders.map((folder) => adapter.exists(`${folder}/chats/${conversation}`)));
    return folders.filter((_, index) => checked[index]);
  };
  return {
    find: () => (finding ??= find().finally(() => (finding = null))),
    used: (conversation) => {
      if (conversation === lastUsed) return;
      lastUsed = conversation;
      // What is not remembered is only asked about.
      void memory.write(memoryKey, conversation);
    },
  };
}

/** Returns the folders whose `chats` folder holds logs, each once. */
function foldersWithChats(files: readonly Pick<TFile, 'path' | 'extension'>[]): string[] {
  const logs = files.filter(({ extension }) => extension === 'jsonl');
  return [...new Set(logs.flatMap(({ path }) => logPattern.exec(path)?.[1] ?? []))].sort();
}
