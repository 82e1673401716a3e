/** Keeps long work from holding the main thread. */
const SLICE_MS = 12;

/** Resolves in a later task, so that timers, input and painting get their turn. */
export const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** `await` the result inside a loop: it only waits when the current slice is used up. */
export function createSlicer(limit = SLICE_MS): () => Promise<void> | undefined {
  let start = performance.now();
  return () => {
    if (performance.now() - start < limit) return undefined;
    return breathe().then(() => {
      start = performance.now();
    });
  };
}
