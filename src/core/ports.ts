/** Ports: everything core asks of the world, as interfaces that adapters outside core implement. */
import type { Failure, Outcome } from './failure';
import type { StopReason, ToolCallPart, Usage } from './message';
import type { Prices } from './prices';
import type { RequestPlan } from './request/request-plan';

export interface FileEntry {
  /** Vault-relative, forward slashes, exactly as indexed. */
  readonly path: string;
  /** A note is a Markdown file; anything else is an attachment. */
  readonly kind: 'note' | 'attachment';
  /** Bytes on disk. */
  readonly size: number;
  /** Milliseconds since the epoch. For display and cache keys only: never proof that a file is unchanged. */
  readonly modified: number;
}

export interface Heading {
  readonly level: number;
  readonly text: string;
  /** Zero-based line. */
  readonly line: number;
}

export interface NoteLink {
  /** The link as written, without alias. */
  readonly target: string;
  /** The file it leads to, when there is one. */
  readonly path?: string;
  readonly embed: boolean;
  readonly line: number;
}

/** What the index knows of a note without reading its body. */
export interface NoteOutline {
  readonly path: string;
  readonly headings: readonly Heading[];
  /** With the leading `#`, in order of first use. */
  readonly tags: readonly string[];
  readonly links: readonly NoteLink[];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly blocks: readonly { readonly id: string; readonly line: number }[];
}

export interface NoteText {
  readonly path: string;
  /** Text without a byte order mark; line ends as in the file. */
  readonly text: string;
  readonly size: number;
  readonly modified: number;
}

/**
 * The vault as tools, facts and mentions see it. Layers stack by implementing this same port:
 * the adapter, then the path guard, then the fence.
 */
export interface Vault {
  readonly name: string;
  /** All visible files, sorted by path in code unit order. */
  files(): readonly FileEntry[];
  /** All visible folders except the root, sorted by path. */
  folders(): readonly string[];
  /** The indexed file of exactly this path, or of its only twin that differs in case or Unicode form. */
  file(path: string): FileEntry | undefined;
  /** Never throws: what cannot be read is a failure of kind not-found, unreadable, not-text, too-large or refused. */
  read(path: string, signal?: AbortSignal): Promise<Outcome<NoteText>>;
  /** Undefined while the index has not reached the note, and for attachments. */
  outline(path: string): NoteOutline | undefined;
  /** Paths of the notes that link to this file, sorted. */
  backlinks(path: string): readonly string[];
  /** Where a link text leads when written in the note at fromPath. */
  resolveLink(linkText: string, fromPath: string): string | undefined;
}

/** The vault as it lies on the disk, where files hold more than texts. */
export interface DiskVault extends Vault {
  /** Fails like `read`, but for the kind not-text. */
  readBytes(path: string): Promise<Outcome<Uint8Array>>;
}

export type ModelEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** Opaque data that belongs to the reasoning streamed so far. */
  | { readonly type: 'reasoning-end'; readonly providerData?: unknown }
  | { readonly type: 'tool-call'; readonly call: ToolCallPart }
  /** The provider's own terminal event; without it the answer counts as interrupted. */
  | { readonly type: 'finish'; readonly reason: StopReason; readonly usage?: Usage }
  /** The request was refused for now and is sent again by itself after that long; words say why. */
  | { readonly type: 'waiting'; readonly words: string; readonly milliseconds: number }
  /** Something about the connection that the user should know; the answer goes on. */
  | { readonly type: 'notice'; readonly words: string }
  | { readonly type: 'failure'; readonly failure: Failure };

export interface ModelDescription {
  /** `provider/model`, as stored in settings and session entries. */
  readonly id: string;
  readonly label: string;
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens. */
  readonly outputLimit: number;
  /** Whether tools are declared to the model natively; else they are described in the prompt. */
  readonly nativeTools: boolean;
  /** Whether its provider keeps the beginning of a request for the next one. */
  readonly cachesPrompts: boolean;
  /** Whether it looks at pictures; it is told of them in words unless given. */
  readonly takesImages?: boolean;
  /** Tokens of the shortest beginning that it keeps; the usual one unless given. */
  readonly cacheMinimum?: number;
  /** List prices, as far as they are known. */
  readonly prices?: Prices;
  /** False for one that cannot write a summary of a conversation. */
  readonly summarises?: boolean;
}

/** A language model, or the built-in reader that stands in for one. */
export interface Model {
  readonly description: ModelDescription;
  /**
   * Streams one answer to the plan. Never throws once called: a failure is the last event.
   * Ends without a 'finish' event only when the answer was cut off or aborted.
   */
  stream(plan: RequestPlan, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** Notes in which the state of the work is kept for later, in the agent folder. */
export interface StateNotes {
  /** Writes a new note; none that is there is touched. The path that it got. */
  save(name: string, text: string): Promise<Outcome<string>>;
}

export interface Tokenizer {
  /** Tokens in a text. */
  count(text: string): number;
  /** False once a count was an estimate; estimates are shown with a tilde. */
  readonly exact: boolean;
  /**
   * Resolves when all that was asked for is known exactly, as far as it can be; `exact` is true again from then on.
   * Absent where counts never get better.
   */
  settle?(): Promise<void>;
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
