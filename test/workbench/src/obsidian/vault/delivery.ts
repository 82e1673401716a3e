/** Delivers vault events in the order they happened, at once or after the delay that chaos asks for. */
import type { Chaos } from './chaos';

interface Pending {
  due: number;
  deliver: () => void;
}

export class Delivery {
  private pending: Pending[] = [];
  private waiting: (() => void)[] = [];
  private running = false;

  constructor(private chaos: Chaos) {}

  send(deliver: () => void): void {
    const delay = this.chaos.eventDelay();
    if (delay === 0 && !this.running) return deliver();
    const last = this.pending[this.pending.length - 1];
    this.pending.push({ due: Math.max(Date.now() + delay, last?.due ?? 0), deliver });
    if (!this.running) this.schedule();
  }

  /** Resolves once nothing is on its way. */
  delivered(): Promise<void> {
    if (!this.running) return Promise.resolve();
    return new Promise((resolve) => void this.waiting.push(resolve));
  }

  private schedule(): void {
    const next = this.pending[0];
    this.running = next !== undefined;
    if (next) setTimeout(() => this.drain(), Math.max(0, next.due - Date.now()));
    else for (const resolve of this.waiting.splice(0)) resolve();
  }

  private drain(): void {
    const now = Date.now();
    let count = 0;
    while (count < this.pending.length && this.pending[count]!.due <= now) this.pending[count++]!.deliver();
    this.pending.splice(0, count);
    this.schedule();
  }
}
