/** Dates: days written out in a question, as the terms by which dated notes are named. */

const months: readonly (readonly string[])[] = [
  ['january', 'jan', 'januar', 'janvier', 'enero'],
  ['february', 'feb', 'februar', 'fevrier', 'febrero'],
  ['march', 'mar', 'marz', 'mars', 'marzo'],
  ['april', 'apr', 'avril', 'abril'],
  ['may', 'mai', 'mayo'],
  ['june', 'jun', 'juni', 'juin', 'junio'],
  ['july', 'jul', 'juli', 'juillet', 'julio'],
  ['august', 'aug', 'aout', 'agosto'],
  ['september', 'sep', 'sept', 'septembre', 'septiembre'],
  ['october', 'oct', 'oktober', 'okt', 'octobre', 'octubre'],
  ['november', 'nov', 'novembre', 'noviembre'],
  ['december', 'dec', 'dezember', 'dez', 'decembre', 'diciembre'],
];

/**
 * For the places of folded words that write a date with a month by name and a year, the numbers they are in
 * `2026-05-02`; a day stands beside its month.
 */
export function datedWords(words: readonly string[]): ReadonlyMap<number, string> {
  const dated = new Map<number, string>();
  words.forEach((word, at) => {
    const month = months.findIndex((names) => names.includes(word));
    if (month === -1) return;
    const dayBefore = dayOf(words[at - 1]);
    const dayAfter = dayOf(words[at + 1]);
    const yearAt = isYear(words[at + 1]) ? at + 1 : dayAfter !== undefined && isYear(words[at + 2]) ? at + 2 : -1;
    if (yearAt === -1) return;
    dated.set(at, String(month + 1).padStart(2, '0'));
    if (dayBefore !== undefined) dated.set(at - 1, dayBefore);
    else if (yearAt === at + 2 && dayAfter !== undefined) dated.set(at + 1, dayAfter);
  });
  return dated;
}

function dayOf(word: string | undefined): string | undefined {
  const day = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word ?? '')?.[1];
  return day !== undefined && Number(day) >= 1 && Number(day) <= 31 ? day.padStart(2, '0') : undefined;
}

function isYear(word: string | undefined): boolean {
  return /^(?:19|20)\d\d$/.test(word ?? '');
}
