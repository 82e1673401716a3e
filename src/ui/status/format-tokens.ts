/** Token counts as people read them: grouped digits, a tilde before an estimate. */

export function formatTokens(tokens: number, exact: boolean): string {
  return `${exact ? '' : '~'}${tokens.toLocaleString('en')}`;
}
