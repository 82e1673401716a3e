/** Watches the bytes of an answer: who ended it, whether it fell silent, and that no byte that arrived is lost. */
import type { Pace } from './pace';

/** 'complete' is an end in good order, which says nothing about whether the answer itself was complete. */
export type BodyEnding = 'complete' | 'reset' | 'silent' | 'stalled' | 'too-long' | 'aborted' | 'unwanted';

export interface BodyWatch {
  readonly pace: Pace;
  readonly signal: AbortSignal;
  readonly firstByteMilliseconds: number;
  readonly stallMilliseconds: number;
  readonly onEnd: (ending: BodyEnding) => void;
}

/** No event of any provider comes near this; a line without an end would fill the memory. */
const longestLine = 1_048_576;
const lineFeed = 10;

/**
 * The same bytes, read as fast as they come. However the source ends, this stream ends in good order: a stream that
 * fails drops what its readers have not fetched yet, and that would be text the provider did send.
 */
export function watchBody(body: ReadableStream<Uint8Array>, watch: BodyWatch): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let over = false;
  let disarm = (): void => undefined;
  let close = (): void => undefined;

  const end = (ending: BodyEnding): void => {
    if (over) return;
    over = true;
    disarm();
    watch.signal.removeEventListener('abort', onAbort);
    watch.onEnd(ending);
    close();
    // The connection may be broken already; then there is nothing left to release.
    if (ending !== 'complete') reader.cancel().catch(() => undefined);
  };
  const onAbort = (): void => end('aborted');
  const arm = (milliseconds: number, ending: BodyEnding): void => {
    disarm();
    disarm = watch.pace.after(milliseconds, () => end(ending));
  };

  const pump = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    let lineLength = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (over) return;
      if (done) return end('complete');
      const lastBreak = value.lastIndexOf(lineFeed);
      lineLength = lastBreak < 0 ? lineLength + value.length : value.length - lastBreak - 1;
      if (lineLength > longestLine) return end('too-long');
      controller.enqueue(value);
      arm(watch.stallMilliseconds, 'stalled');
    }
  };

  return new ReadableStream<Uint8Array>({
    start(controller) {
      close = () => controller.close();
      arm(watch.firstByteMilliseconds, 'silent');
      watch.signal.addEventListener('abort', onAbort);
      if (watch.signal.aborted) onAbort();
      else pump(controller).catch(() => end('reset'));
    },
    cancel() {
      close = () => undefined;
      end('unwanted');
    },
  });
}
