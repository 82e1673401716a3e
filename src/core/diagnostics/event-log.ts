/** The ring log: the last events in plain words, redacted before they are kept, for the diagnostics a user copies. */
import { redact } from '../base/redact';
import type { Clock } from '../ports/device';

/** Events kept; older ones fall out. */
const capacity = 500;

export interface LoggedEvent {
  readonly time: number;
  /** Part of Docent that it happened in, such as `settings` or `turn`. */
  readonly area: string;
  readonly words: string;
}

export class EventLog {
  private readonly ring: LoggedEvent[] = [];

  /** @param secrets the exact values that must never be kept, asked anew for each event */
  constructor(
    private readonly clock: Clock,
    private readonly secrets: () => readonly string[],
  ) {}

  add(area: string, words: string): void {
    this.ring.push({ time: this.clock.now(), area, words: redact(words, this.secrets()) });
    if (this.ring.length > capacity) this.ring.shift();
  }

  /** Oldest first. */
  get events(): readonly LoggedEvent[] {
    return [...this.ring];
  }
}
