/** What the write pipeline asks of the world: files, the journal's own store, YAML, and hashes of bytes. */
import type { Outcome } from '../../ports/failure';

/** SHA-256 as lowercase hex. */
export type BytesDigest = (bytes: Uint8Array) => string;

/**
 * The files of the vault, for the pipeline alone. Nothing here throws: a failure of kind `storage` means that the disk
 * refused and that trying again may help; `not-found`, `refused` and `unreadable` are final.
 */
export interface WritePort {
  /** Saves what was typed into any open view of this file; a view that cannot save is a failure. */
  flush(path: string): Promise<Outcome<void>>;
  /** From the disk, past every cache. */
  readBytes(path: string): Promise<Outcome<Uint8Array>>;
  /**
   * Reads and writes in one step that nothing in the app can get between.
   * @param decide gets the whole text, byte order mark included, and answers with the new text, or with null to leave it
   */
  process(path: string, decide: (text: string) => string | null): Promise<Outcome<'written' | 'left'>>;
  /** Fails when anything stands at the path; the folder must exist. */
  create(path: string, bytes: Uint8Array): Promise<Outcome<void>>;
  /** Makes the missing folders above a path and names them, outermost first. */
  ensureFolders(path: string): Promise<Outcome<readonly string[]>>;
  /** Removes a folder that is empty; leaves any other. */
  removeEmptyFolder(folder: string): Promise<void>;
  /** Moves a file by way of the app, which rewrites the links to it as the user prefers. */
  rename(from: string, to: string): Promise<Outcome<void>>;
  /** Never for good: the vault's own trash where the user's setting would delete for good (H9). */
  trash(path: string): Promise<Outcome<void>>;
  /** Every file that the app may rewrite when this one moves, whatever the fence hides. */
  linkSources(path: string): readonly string[];
  /** Waits until the app's index has seen the last write of each path, within a bound. */
  indexed(paths: readonly string[]): Promise<void>;
  /** Waits until none of the paths has changed for half a second. */
  settled(paths: readonly string[]): Promise<void>;
}

/** Where the journal keeps its records and the copies of what was there before: a folder of the plugin, on this device. */
export interface JournalStore {
  /** All segments of the log. */
  segments(): Promise<Outcome<readonly Segment[]>>;
  /** Appends to a segment, which is made when it does not exist. */
  append(segment: string, text: string): Promise<Outcome<void>>;
  /** Puts a whole segment in place of itself, when old records are dropped. */
  replace(segment: string, text: string): Promise<Outcome<void>>;
  removeSegment(segment: string): Promise<Outcome<void>>;
  blobs(): Promise<Outcome<readonly StoredBlob[]>>;
  /** A failure of kind `not-found` when there is none. */
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

/** Checks paths once more, right before something is written to them (H1, H2). */
export interface WriteGuard {
  existing(path: string): Promise<Outcome<void>>;
  fresh(path: string): Promise<Outcome<void>>;
}

/** Where paths really lead on a device that has links in its file system; null for what does not exist. */
export interface RealPaths {
  /** The root is the empty path. */
  realPath(path: string): Promise<string | null>;
}

export type Pause = (milliseconds: number) => Promise<void>;
