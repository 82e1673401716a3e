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

/** Storage for the journal's records and copies: a folder of the plugin on this device. */
export interface JournalStore {
  /** Returns all segments of the log. */
  segments(): Promise<Outcome<readonly Segment[]>>;
  /** Appends to a segment, creating it if it does not exist. */
  append(segment: string, text: string): Promise<Outcome<void>>;
  /** Replaces the whole text of a segment, after old records were dropped. */
  replace(segment: string, text: string): Promise<Outcome<void>>;
  removeSegment(segment: string): Promise<Outcome<void>>;
  blobs(): Promise<Outcome<readonly StoredBlob[]>>;
  /** Fails with kind `not-found` if there is none. */
  readBlob(hash: string): Promise<Outcome<Uint8Array>>;
  writeBlob(hash: string, bytes: Uint8Array): Promise<Outcome<void>>;
  removeBlob(hash: string): Promise<Outcome<void>>;
}

export interface Segment {
  readonly name: string;
  readonly text: string;
}

export interface StoredBlob {
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
}

/** Checks paths again, right before a write to them (H1, H2). */
export interface WriteGuard {
  existing(path: string): Promise<Outcome<void>>;
  fresh(path: string): Promise<Outcome<void>>;
}

/** Resolves symbolic links on a device whose file system has them; null for a path that does not exist. */
export interface RealPaths {
  /** The root is the empty path. */
  realPath(path: string): Promise<string | null>;
}

export type Pause = (milliseconds: number) => Promise<void>;
