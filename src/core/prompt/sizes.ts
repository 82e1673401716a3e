/** Sizes and counts as prompts write them. */

/** Whole kilobytes, rounded up: coarse, so that a small edit seldom changes the text. */
export function sizeOf(bytes: number): string {
  return `${grouped(Math.ceil(bytes / 1024))} KB`;
}

/** As `1 note` or `1,200 notes`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
