/** The device as core sees it: stores, clock, identifiers, hashes, the computer, and its Git repository. */
import { fail, type Outcome, succeed, unexpectedFailure } from './failure';

/** Notes in the agent folder that save the state of the work for later. */
export interface StateNotes {
  /** Writes a new note and returns its path. Never overwrites an existing note. */
  save(name: string, text: string): Promise<Outcome<string>>;
}

/** One file of a chat's log. Only the process that created a shard appends to it. */
export interface Shard {
  readonly name: string;
  readonly text: string;
  /** Whether it could not be read, so that its text is only what went wrong. */
  readonly isUnread?: true;
}

export interface StoredConversation {
  readonly id: string;
  /** Newest change of any shard, milliseconds since the epoch. */
  readonly modified: number;
  /** Sum of shard sizes in bytes. */
  readonly size: number;
  /** Its folder, which could not be listed, and what the disk reported; the rest is then unknown. */
  readonly unlisted?: { readonly folder: string; readonly detail: string };
}

/** By what a change of a shard is noticed without reading it. */
export interface ShardMark {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modified: number;
}

/** Stores chats append-only: one folder per conversation, one file per writer session. */
export interface SessionStore {
  conversations(): Promise<Outcome<readonly StoredConversation[]>>;
  /**
   * Returns all shards, including conflict copies; an unknown conversation has none.
   * @param names only these, as far as they exist
   */
  shards(conversationId: string, names?: readonly string[]): Promise<Outcome<readonly Shard[]>>;
  /** Returns the marks of all shards, without reading them; absent where nobody else writes. */
  readonly marks?: (conversationId: string) => Promise<Outcome<readonly ShardMark[]>>;
  /**
   * Appends whole lines, each ending in a newline, and returns the mark that the shard then has, with the bytes that
   * were added. After a failure, the lines may or may not be on disk.
   */
  append(conversationId: string, lines: string): Promise<Outcome<AppendedShard | undefined>>;
}

export interface AppendedShard extends ShardMark {
  readonly added: number;
}

/**
 * Texts that must survive a crash but are in no log yet: drafts, the text of a running answer, and which chat is open.
 * Each is on this device within two seconds.
 */
export interface UnsavedTexts {
  /** Returns null if there is none, or if it cannot be read. */
  read(key: string): Promise<string | null>;
  /** Stores the text; null removes it. Of several calls for a key, the last one wins. */
  write(key: string, text: string | null): Promise<Outcome<void>>;
}

/** Small values that stay on this device, such as the writer id. A process that is killed may lose those of its last seconds. */
export interface DeviceStorage {
  get(key: string): string | null;
  /** Null removes the value. Never throws: a value that does not fit holds until the app is closed. */
  set(key: string, value: string | null): void;
}

/** Stores texts in the device storage, for which they may be too long, and which a crash may set back. */
function textsOnDevice(device: DeviceStorage): UnsavedTexts {
  return {
    read: (key) => Promise.resolve(device.get(key)),
    write: (key, text) => {
      try {
        device.set(key, text);
        return Promise.resolve(succeed(undefined));
      } catch (thrown) {
        return Promise.resolve(fail(unexpectedFailure(thrown)));
      }
    },
  };
}

/** Returns where texts are stored that no log has yet: the device storage, where there is nothing better. */
export function unsavedOf(ports: { readonly unsaved?: UnsavedTexts; readonly device: DeviceStorage }): UnsavedTexts {
  return ports.unsaved ?? textsOnDevice(ports.device);
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Fresh identifiers: lowercase letters and digits, unique for all practical purposes. */
export interface Identifiers {
  next(): string;
}

/** SHA-256 of the UTF-8 bytes, as lowercase hex. */
export type Digest = (text: string) => string;

/** The computer outside the vault. Not available on mobile. */
export interface Computer {
  /** Absolute, null when unknown. */
  readonly home: string | null;
  /** Absolute, null when unknown. */
  readonly vaultRoot: string | null;
  /** Returns a variable of the environment in which Obsidian was started. */
  variable(name: string): string | undefined;
  exists(path: string): Promise<boolean>;
  /** Returns the names of the folders in a folder, sorted; none if it is missing or cannot be read. */
  folders(path: string): Promise<readonly string[]>;
  /** Fails like Vault.read. The caller checks whether the user agreed to the read. */
  read(path: string): Promise<Outcome<string>>;
  /** Creates missing parent folders and replaces an existing file. */
  write(path: string, text: string): Promise<Outcome<void>>;
}

/** A file that a commit would change. */
export interface ChangedFile {
  readonly path: string;
  readonly how: 'added' | 'changed' | 'deleted' | 'moved';
  /** The path before a move; absent otherwise. */
  readonly from?: string;
}

/** What a commit would contain. */
export interface RepositoryChanges {
  /** False if nothing is staged; the changes are then those of all tracked files. */
  readonly staged: boolean;
  readonly files: readonly ChangedFile[];
  /** The diffs as Git writes them, one text per file, in the order of `files`. */
  readonly diffs: readonly string[];
  /** Number of changed files that are hidden from the agent or exceed the limit on files to read. */
  readonly leftOut: number;
}

/** The Git repository of the vault's folder. Read-only; no program is run. */
export interface Repository {
  /** Fails with an explanation if the repository has a form that is not read, or is damaged. */
  changes(signal: AbortSignal): Promise<Outcome<RepositoryChanges>>;
}
