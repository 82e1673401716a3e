/** The vault as core reads it: files, notes, outlines, links. */
import type { Outcome } from './failure';

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

interface Heading {
  readonly level: number;
  readonly text: string;
  /** Zero-based line. */
  readonly line: number;
}

export interface NoteLink {
  /** The link as written, without alias. */
  readonly target: string;
  /** The file it leads to, if it exists. */
  readonly path?: string;
  readonly embed: boolean;
  readonly line: number;
}

/** What the index knows about a note without reading its body. */
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
  /** Text without a byte order mark; line endings as in the file. */
  readonly text: string;
  readonly size: number;
  readonly modified: number;
}

/**
 * The vault as tools, facts, and mentions see it. Layers wrap one another by implementing this port: the adapter, then
 * the path guard, then the fence.
 */
export interface Vault {
  readonly name: string;
  /** Whether it has the pages of one subject, which every question is about. */
  readonly isGuide?: boolean;
  /**
   * Returns all visible files, sorted by path in code unit order. The list is replaced after any change of a file or an
   * outline; `editsBetween` may know what was edited.
   */
  files(): readonly FileEntry[];
  /** Returns all visible folders except the root, sorted by path; replaced when a folder is added or removed. */
  folders(): readonly string[];
  /** Returns the indexed file of exactly this path, or the only one that differs just in case or Unicode form. */
  file(path: string): FileEntry | undefined;
  /** Never throws: fails as not-found, unreadable, not-text, too-large, or refused. */
  read(path: string, signal?: AbortSignal): Promise<Outcome<NoteText>>;
  /** Returns undefined until the index has reached the note, and for attachments. */
  outline(path: string): NoteOutline | undefined;
  /** Returns the tags of the outline, which cost less than the rest of it. */
  tags(path: string): readonly string[] | undefined;
  /** Returns the paths of the other notes and canvases that link to this file, sorted. */
  backlinks(path: string): readonly string[];
  /** Returns the path that a link text leads to if written in the note at `fromPath`. */
  resolveLink(linkText: string, fromPath: string): string | undefined;
}

/** The vault on disk, including files that are not text. */
export interface DiskVault extends Vault {
  /** Fails like `read`, except that not-text never occurs. */
  readBytes(path: string): Promise<Outcome<Uint8Array>>;
}

/** Obsidian's own YAML parser and writer, so that what is accepted is what Obsidian will read. */
export interface Yaml {
  /** Throws if the text is not YAML. */
  parse(text: string): unknown;
  stringify(value: unknown): string;
}
