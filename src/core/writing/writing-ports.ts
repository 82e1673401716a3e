/** What a chat asks of the world to stage, apply and take back changes; one for all chats. */
import type { Outcome } from '../ports/failure';
import type { ForeignNotes } from './foreign-notes';
import type { PolicyPlaces } from './policy';
import type { StagedVaultPorts } from './staged-vault';
import type { WriteQueue } from './write-queue';
import type { Writer } from './writer';

export interface WritingPorts {
  readonly staging: Omit<StagedVaultPorts, 'taint'>;
  readonly queue: WriteQueue;
  /** The way to the disk, its journal opened and what a crash left open settled; a failure when there is none. */
  writer(): Promise<Outcome<Writer>>;
  /** What chats wrote while others' text was in view. */
  readonly foreign: ForeignNotes;
  /** Where plans stand, and what gives the agent instructions. */
  places(): PolicyPlaces;
  /** Whether there is a person who can be asked, now or later. */
  canAsk(): boolean;
}
