/** The words that users read, in the current language. */
import { en } from './en';
import { grouped } from './en/count';

/** English is the only catalog so far; a second one gets its own folder next to it, with the same type. */
export type Words = typeof en;
export const words: Words = en;

/** Formats token counts for users: grouped digits, “≈” before an estimate. */
export function formatTokens(tokens: number, exact: boolean): string {
  return `${exact ? '' : '≈'}${grouped(tokens)}`;
}
