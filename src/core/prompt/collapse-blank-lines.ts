/** Three or more line ends in a row become two (R017). */
export function collapseBlankLines(text: string): string {
  return text.includes('\n\n\n') ? text.replace(/\n{3,}/g, '\n\n') : text;
}
