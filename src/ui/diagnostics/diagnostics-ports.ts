/** DiagnosticsPorts: what the diagnostics ask of the rest of Docent. */
import type { CheckPlace, CheckReport, NextChoices } from '../../core/diagnostics/check';
import type { Outcome } from '../../core/failure';
import type { OwnPromptPorts } from '../own-prompt/own-prompt-ports';

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
  /** Settles a write that was cut off, as the user chose; absent where nothing is written. */
  settleWrite?(path: string, choice: 'as-is' | 'before'): Promise<Outcome<void>>;
  /** Puts the diagnostics on the clipboard, and says so. */
  copyDiagnostics(): void;
}
