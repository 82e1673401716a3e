/** The ports of the write pipeline: vault files, the journal's storage, path checks, and hashes of bytes. */
import type { Outcome } from '../../ports/failure';

/** SHA-256 as lowercase hex. */
export type BytesDigest = (bytes: Uint8Array) => string;

/**
 * The files of the vault, for the write pipeline only. Nothing here throws: a failure of kind `storage` may succeed
 * when retried; `not-found`, `refused` and `unreadable` are final.
 */
export interface WritePort {
  /** Saves the text typed into open views of this file; fails if a view cannot save. */
  flush(path: string): Promise<Outcome<void>>;
  /** Reads from the disk, bypassing every cache. */
  readBytes(path: string): Promise<Outcome<Uint8Array>>;
  /**
   * Reads and writes atomically with respect to Obsidian and its plugins.
   * @param decide gets the whole text, byte order mark included, and returns the new text, or null for no change
   */
  process(path: string, decide: (text: string) => string | null): Promise<Outcome<'written' | 'left'>>;
  /** Fails if anything exists at the path; the folder must exist. */
  create(path: string, bytes: Uint8Array): Promise<Outcome<void>>;
  /** Creates the missing folders above a path and returns them, outermost first. */
  ensureFolders(path: string): Promise<Outcome<readonly string[]>>;
  /** Removes a folder if it is empty. */
  removeEmptyFolder(folder: string): Promise<void>;
  /** Moves a file through Obsidian, which updates the links to it as the user's setting says. */
  rename(from: string, to: string): Promise<Outcome<void>>;
  /**
   * Moves a file to the trash, never deletes it: uses the vault's `.trash` if the user's setting is permanent deletion
   * (H9).
   */
  trash(path: string): Promise<Outcome<void>>;
  /** Returns every file that Obsidian may rewrite when this one moves, including files hidden from the agent. */
  linkSources(path: string): readonly string[];
  /** Waits, up to a limit, until Obsidian's index has seen the last write to each path. */
  indexed(paths: readonly string[]): Promise<void>;
  /** Waits until none of the paths has changed for half a second. */
  settled(paths: readonly string[]): Promise<void>;
}

/**
 * Storage for the journal's records and copies: one folder for each device, since a sync service may bring the journals
 * of all of them together. A device writes and removes only in its own folder, and in that of the first layout, which
 * had one for all: its writer is null.
 */
export interface JournalStore {
  /** Names this device, as in the logs of chats. */
  readonly writer: string;
  /** Returns all segments of the log; in one that cannot be read, one damaged line says why. */
  segments(): Promise<Outcome<readonly Segment[]>>;
  /** Appends to a segment of this device, creating it if it does not exist. */
  append(segment: string, text: string): Promise<Outcome<void>>;
  removeSegment(segment: Pick<Segment, 'writer' | 'name'>): Promise<Outcome<void>>;
  blobs(): Promise<Outcome<readonly StoredBlob[]>>;
  /** Fails with kind `not-found` if there is none. */
  readBlob(hash: string, writer: string | null): Promise<Outcome<Uint8Array>>;
  /** Stores a copy of this device. */
  writeBlob(hash: string, bytes: Uint8Array): Promise<Outcome<void>>;
  removeBlob(blob: Pick<StoredBlob, 'writer' | 'hash'>): Promise<Outcome<void>>;
}

export interface Segment {
  readonly writer: string | null;
  readonly name: string;
  readonly text: string;
  readonly isUnread?: true;
}

export interface StoredBlob {
  readonly writer: string | null;
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modified: number;
}

/** Checks paths again, right before a write to them (H1, H2). */
export interface WriteGuard {
  /** @param isBack whether a write is taken back, in a file that may be hidden from the agent by now */
  existing(path: string, isBack?: boolean): Promise<Outcome<void>>;
  /** @param isBack whether the file had this path before, under a name that Docent may not give */
  fresh(path: string, isBack?: boolean): Promise<Outcome<void>>;
}

/** Resolves symbolic links on a device whose file system has them; null for a path that does not exist. */
export interface RealPaths {
  /** The root is the empty path. */
  realPath(path: string): Promise<string | null>;
}

export type Pause = (milliseconds: number) => Promise<void>;
