/** LiveFrames: draws an answer that streams in as often as leaves most of the time to the rest of the app. */
import type { ChatState } from '../../core/chat/chat-view-state';

/** Milliseconds between two drawings: a frame, or so many times what the last one took. */
const frame = 40;
const share = 4;

export class LiveFrames {
  private timer = 0;
  private delay = frame;

  constructor(
    private readonly window: Window,
    private readonly draw: () => void,
  ) {}

  /** Draws once the time has come, unless that is due already. */
  schedule(): void {
    if (this.timer !== 0) return;
    this.timer = this.window.setTimeout(() => {
      this.timer = 0;
      const start = performance.now();
      this.draw();
      // The views draw in a microtask that was queued by now.
      void Promise.resolve().then(() => {
        this.delay = Math.max(frame, (performance.now() - start) * share);
      });
    }, this.delay);
  }

  cancel(): void {
    this.window.clearTimeout(this.timer);
    this.timer = 0;
  }
}

/** Whether nothing but the text that streams in has changed. */
export function differsOnlyInLive(before: ChatState, after: ChatState): boolean {
  const keys = Object.keys(after) as (keyof ChatState)[];
  return keys.every((key) => key === 'live' || before[key] === after[key]);
}
