/** Character references as Markdown and HTML read them, as far as an address can be hidden in them. */

const named: Readonly<Record<string, string>> = {
  amp: '&',
  colon: ':',
  sol: '/',
  bsol: '\\',
  period: '.',
  tab: '\t',
  newline: '\n',
  lpar: '(',
  rpar: ')',
  num: '#',
  quest: '?',
  equals: '=',
  commat: '@',
  lt: '<',
  gt: '>',
  quot: '"',
};

export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,8}));/gi,
    (match, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? match;
      const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : match;
    },
  );
}
