/** What the changes of a chat ask of that chat. */
import type { Outcome } from '../ports/failure';
import type { Vault } from '../ports/vault';
import type { EntryBody, SessionEntry } from '../session/entry';
import type { PermissionMode } from '../settings/mode';
import type { AppliedFile } from './changes-in-chat';
import type { Review } from './review';
import type { WritingPorts } from './writing-ports';

export interface ChangesChat {
  readonly log: { readonly entries: readonly SessionEntry[] };
  /** The vault as it is on disk, behind its fence. */
  readonly under: Vault;
  readonly ports: WritingPorts;
  record(body: EntryBody): Promise<Outcome<unknown>>;
  isRunning(): boolean;
  /** What the agent may do by itself as the user has chosen. */
  permission(): PermissionMode;
  /** Drops what is kept of notes that may have changed. */
  forget(paths: readonly string[]): void;
  /** Told of all reviews whenever one of them changes, and whose text, other than the user's, the chat holds. */
  show(shown: { readonly reviews: readonly Review[]; readonly taint: string | null }): void;
  /** Told of files as they then are on disk. */
  applied(files: readonly AppliedFile[]): Promise<Outcome<unknown>>;
}
