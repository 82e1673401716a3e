/** Fails with the sentences alone, one a line, instead of a comparison of lists. */
export function expectNoFaults(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const failure = new Error(faults.join('\n'));
  Error.captureStackTrace(failure, expectNoFaults);
  throw failure;
}
