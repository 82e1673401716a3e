/** Reads a list out of a box with one entry a line: each once, and none that is empty. */
export function linesOf(value: unknown, clean: (line: string) => string = (line) => line): string[] {
  const lines = String(value)
    .split('\n')
    .map((line) => clean(line.trim()));
  return [...new Set(lines)].filter((line) => line !== '');
}

/** The same of paths of folders, with or without a slash at their ends. */
export function foldersOf(value: unknown): string[] {
  return linesOf(value, (line) => line.replace(/^\/+|\/+$/g, ''));
}
