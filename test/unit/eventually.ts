/** Waits for what a person would wait for, instead of a while that a busy machine may not hold. */

const patienceMilliseconds = 5_000;

/** @throws Error naming what did not come within five seconds */
export async function eventually(holds: () => boolean, what: string): Promise<void> {
  const end = Date.now() + patienceMilliseconds;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`Did not come: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
