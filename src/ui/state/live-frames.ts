/** LiveFrames: draws an answer that streams in as often as leaves most of the time to the rest of the app. */
import type { ChatState } from '../../core/chat/chat-view-state';
import type { AnswerItem } from '../../core/chat/transcript';

/** Milliseconds between two drawings: a frame, or so many times what the last one took. */
const frame = 40;
const share = 4;
/** The same for text that comes faster than anyone reads, and above how many characters a millisecond that is. */
const fastFrame = 160;
const fastGrowth = 2;

export class LiveFrames {
  private timer = 0;
  private delay = frame;
  /** How many characters were drawn last, and when. */
  private length = 0;
  private drawnAt = 0;

  /** @param draw returns what it drew */
  constructor(
    private window: Window,
    private readonly draw: () => AnswerItem | null,
  ) {}

  /** Draws once the time has come, unless that is due already. */
  schedule(): void {
    if (this.timer !== 0) return;
    this.timer = this.window.setTimeout(() => {
      this.timer = 0;
      const start = performance.now();
      const length = lengthOf(this.draw());
      const isFast = length - this.length > (start - this.drawnAt) * fastGrowth;
      [this.length, this.drawnAt] = [length, start];
      // The views draw in a microtask that was queued by now.
      void Promise.resolve().then(() => {
        this.delay = Math.max(isFast ? fastFrame : frame, (performance.now() - start) * share);
      });
    }, this.delay);
  }

  cancel(): void {
    this.window.clearTimeout(this.timer);
    this.timer = 0;
  }

  /** Goes on in another window: the timers of one that is closed never fire. */
  moveTo(window: Window): void {
    this.cancel();
    this.window = window;
    this.schedule();
  }
}

function lengthOf(live: AnswerItem | null): number {
  return (live?.parts ?? []).reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0);
}

/** Whether nothing but the text that streams in has changed. */
export function differsOnlyInLive(before: ChatState, after: ChatState): boolean {
  const keys = Object.keys(after) as (keyof ChatState)[];
  return keys.every((key) => key === 'live' || before[key] === after[key]);
}

/** Calls `act` once after that many milliseconds, unless the returned function is called first. */
export function waitFor(milliseconds: number, act: () => void): () => void {
  const timer = window.setTimeout(act, milliseconds);
  return () => window.clearTimeout(timer);
}
