/** Fair shares: how much of a budget each of many texts gets, and the part of a text that fits its share. */

export interface Measure {
  count(text: string): number;
}

/** No text gets more than it needs; what small ones leave goes to the others in equal parts. */
export function fairShares(sizes: readonly number[], budget: number): number[] {
  const shares = sizes.map(() => 0);
  let left = Math.max(0, budget);
  const bySize = sizes.map((size, index) => ({ size, index })).sort((a, b) => a.size - b.size || a.index - b.index);
  bySize.forEach(({ size, index }, done) => {
    const share = Math.min(size, Math.floor(left / (bySize.length - done)));
    shares[index] = share;
    left -= share;
  });
  return shares;
}

/** Tokens of the words that stand for what was left out. */
export const markerTokens = 16;

/** The beginning of a text within the tokens, whole lines where it can be, never half a character; with a marker. */
export function trimText(text: string, tokens: number, measure: Measure): string {
  if (measure.count(text) <= tokens) return text;
  const room = tokens - markerTokens;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure.count(wholePoints(text.slice(0, middle))) <= room) low = middle;
    else high = middle - 1;
  }
  const cut = wholePoints(text.slice(0, low));
  const line = cut.lastIndexOf('\n');
  const kept = line > cut.length / 2 ? cut.slice(0, line + 1) : cut;
  const left = text.length - kept.length;
  return `${kept}${kept === '' || kept.endsWith('\n') ? '' : '\n'}[… ${left} more characters; read_note reads on.]`;
}

function wholePoints(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
