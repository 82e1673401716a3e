/** Days written out in five languages, as the numbers by which dated notes are named. */
import { datedWords } from '../../../../src/core/search/query';

const numbersIn = (text: string): string[] => [...datedWords(text.split(' '))].sort().map(([, number]) => number);

it.each([
  ['01', 'january jan januar janvier enero'],
  ['02', 'february feb februar fevrier febrero'],
  ['03', 'march mar marz mars marzo'],
  ['04', 'april apr avril abril'],
  ['05', 'may mai mayo'],
  ['06', 'june jun juni juin junio'],
  ['07', 'july jul juli juillet julio'],
  ['08', 'august aug aout agosto'],
  ['09', 'september sep sept septembre septiembre'],
  ['10', 'october oct oktober okt octobre octubre'],
  ['11', 'november nov novembre noviembre'],
  ['12', 'december dec dezember dez decembre diciembre'],
])('knows the month %s by all its names', (month, names) => {
  for (const name of names.split(' ')) expect([name, numbersIn(`3 ${name} 2026`)]).toEqual([name, ['03', month]]);
});

it.each([
  ['march 2026', ['03']],
  ['march 31 2026', ['03', '31']],
  ['the 1st may 1999', ['01', '05']],
  ['may 32 2026', []],
  ['0 may 2026', ['05']],
  ['may 1899', []],
  ['in may', []],
])('takes “%s” for %j', (text, numbers) => {
  expect(numbersIn(text)).toEqual(numbers);
});
