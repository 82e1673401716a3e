let format: Intl.NumberFormat | undefined;

/** Writes a number with its thousands grouped. One formatter serves all: making one takes longer than its work. */
export function grouped(number: number): string {
  format ??= new Intl.NumberFormat('en');
  return format.format(number);
}
