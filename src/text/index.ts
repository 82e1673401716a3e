/** The words a person reads, in the language in use. */
import { en } from './en';

/** English is the only catalogue so far; a second one gets a file beside it of the same type. */
export type Words = typeof en;
export const words: Words = en;

/** Token counts as people read them: grouped digits, a tilde before an estimate. */
export function formatTokens(tokens: number, exact: boolean): string {
  return `${exact ? '' : '~'}${tokens.toLocaleString('en')}`;
}
