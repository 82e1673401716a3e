/** The vault as core reads it: files, notes, outlines, links. */
import type { Outcome } from './failure';

/** The app's own reader and writer of YAML, so that what is accepted is what the app will see. */
export interface Yaml {
  /** Throws on what is not YAML. */
  parse(text: string): unknown;
  stringify(value: unknown): string;
}

// Ports: everything core asks of the world, as interfaces that adapters outside core implement.

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
