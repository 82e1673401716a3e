/** Reads a list out of a box with one entry a line: each once, and none that is empty. */
export function linesOf(value: unknown, clean: (line: string) => string): string[] {
  const lines = String(value)
    .split('\n')
    .map((line) => clean(line.trim()));
  return [...new Set(lines)].filter((line) => line !== '');
}
