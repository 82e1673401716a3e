/** DiagnosticsPorts: what the diagnostics ask of the rest of Docent. */
import type { CheckPlace, CheckReport, NextChoices, WriteRecords } from '../../core/diagnostics/check';
import type { Outcome } from '../../core/ports/failure';
import type { UnclearChoice } from '../../core/session/entry';
import type { OwnPromptPorts } from '../own-prompt/own-prompt-ports';

/** Writes that a crash cut off. */
export interface CutOffWrites {
  unclear: WriteRecords['unclear'];
  /** Settles all of them to one file, as the user chose. */
  readonly settleAt: (path: string, choice: UnclearChoice) => Promise<Outcome<void>>;
}

export interface DiagnosticsPorts {
  /**
   * Carries out the checks.
   * @param choices those of the chat that the next request belongs to; null when none is open
   */
  check(choices: NextChoices | null, scope: CheckPlace['scope'], signal: AbortSignal): Promise<readonly CheckReport[]>;
  /** Calls the listener when the vault or the settings changed. */
  onChange(listener: () => void): () => void;
  openNote(linkText: string, newTab: boolean): void;
  openSettings(): void;
  readonly ownPrompt: Pick<OwnPromptPorts, 'carryOut'>;
  /** Makes the folder and those above it, as far as they are missing. */
  createFolder(path: string): Promise<Outcome<void>>;
  /** Absent where nothing is written. */
  readonly cutOff?: CutOffWrites;
  /** Puts the diagnostics on the clipboard, and says so. */
  copyDiagnostics(): void;
}
