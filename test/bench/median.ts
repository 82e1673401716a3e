/** The middle of several measurements, rounded to hundredths. */

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('There is nothing to take the median of.');
  return Math.round(middle * 100) / 100;
}
