/** The device as core asks it: stores, clock, chance, hashes, the computer and its repository. */
import type { Outcome } from './failure';

/** Notes in which the state of the work is kept for later, in the agent folder. */
export interface StateNotes {
  /** Writes a new note; none that is there is touched. The path that it got. */
  save(name: string, text: string): Promise<Outcome<string>>;
}

/** One file of a conversation's log. Only the process that created a shard appends to it. */
export interface Shard {
  readonly name: string;
  readonly text: string;
}

export interface StoredConversation {
  readonly id: string;
  /** Newest change of any shard, milliseconds since the epoch. */
  readonly modified: number;
  /** Sum of shard sizes in bytes. */
  readonly size: number;
}

/** Where conversations are kept: append-only, one folder a conversation, one file a writer session. */
export interface SessionStore {
  conversations(): Promise<Outcome<readonly StoredConversation[]>>;
  /** All shards, conflict copies included; an unknown conversation has none. */
  shards(conversationId: string): Promise<Outcome<readonly Shard[]>>;
  /** Appends whole lines, each ending in a newline. On failure nothing is promised to be on disk. */
  append(conversationId: string, lines: string): Promise<Outcome<void>>;
}

/** Small values that stay on this device: writer id, drafts, streaming checkpoints. */
export interface DeviceStorage {
  get(key: string): string | null;
  /** Null removes the value. */
  set(key: string, value: string | null): void;
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

/** The computer that the app runs on, as far as it is not the vault. On a phone there is none. */
export interface Computer {
  /** Absolute, null when unknown. */
  readonly home: string | null;
  /** Absolute, null when unknown. */
  readonly vaultRoot: string | null;
  /** A variable of the environment that the app was started in. */
  variable(name: string): string | undefined;
  exists(path: string): Promise<boolean>;
  /** Whether the user agreed to that is asked elsewhere. Fails like Vault.read. */
  read(path: string): Promise<Outcome<string>>;
  /** Makes the folders above it, and replaces what stood there. */
  write(path: string, text: string): Promise<Outcome<void>>;
}

/** A file that a commit would change. */
export interface ChangedFile {
  readonly path: string;
  readonly how: 'added' | 'changed' | 'deleted' | 'moved';
  /** Where it was, when it was moved. */
  readonly from?: string;
}

/** What a commit would hold. */
export interface RepositoryChanges {
  /** False when nothing is staged, and these are all changes of files that the repository knows. */
  readonly staged: boolean;
  readonly files: readonly ChangedFile[];
  /** The differences as git writes them, a text a file, in the order of the files. */
  readonly diffs: readonly string[];
  /** Changed files that are kept from the agent, or were too many to look at. */
  readonly leftOut: number;
}

/** The git repository of the vault's folder, looked at and never changed. On a phone there is none. */
export interface Repository {
  /** Fails in words when git is missing or does not answer. */
  changes(signal: AbortSignal): Promise<Outcome<RepositoryChanges>>;
}
