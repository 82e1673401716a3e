/** The sheets of the views: each is used, and each class in them is one that a view gives. */
import { readdirSync, readFileSync } from 'node:fs';

const filesBelow = (folder: string, ending: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((file) => ending.test(file))
    .sort();
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '');

const list = 'src/ui/styles.css';
const sheets = filesBelow('src/ui', /\.css$/)
  .filter((file) => file !== list)
  .map((file) => ({ file, text: withoutComments(readFileSync(file, 'utf8')) }));
const code = filesBelow('src', /\.tsx?$/)
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

/** Those of the app, of its device and of its own controls. */
const ofTheApp = [
  ...['clickable-icon', 'cm-line', 'external-link', 'is-mobile', 'is-phone', 'mod-root', 'mod-rtl'],
  'show-view-header',
];
const isOfTheApp = (name: string): boolean => ofTheApp.includes(name) || name.startsWith('setting-item-');
/** All that could be a class in the code, as each is there between other characters. */
const inCode = new Set(code.match(/[\w-]+/g));
/** Beginnings of classes whose end a view puts in, such as `is-${level}`. */
const begun = [...new Set(Array.from(code.matchAll(/([\w-]+-)\$\{/g), ([, beginning = '']) => beginning))];

function isGiven(name: string): boolean {
  if (inCode.has(name)) return true;
  return begun.some((beginning) => {
    const end = name.slice(beginning.length);
    return name.startsWith(beginning) && code.includes(`'${end}'`);
  });
}

it('every sheet is in the list', () => {
  const listed = Array.from(
    readFileSync(list, 'utf8').matchAll(/^@import '\.\/(.*)';$/gm),
    ([, file]) => `src/ui/${file}`,
  );
  expect([...listed].sort()).toEqual(sheets.map(({ file }) => file));
});

it('the list holds nothing else', () => {
  const rest = withoutComments(readFileSync(list, 'utf8')).replace(/^@import .*;$/gm, '');
  expect(rest.trim()).toBe('');
});

it('every class stands in a view', () => {
  const orphans = sheets.flatMap(({ file, text }) => {
    const names = new Set(Array.from(text.matchAll(/\.(-?[a-z_][\w-]*)/gi), ([, name = '']) => name));
    return [...names]
      .filter((name) => !isOfTheApp(name) && !isGiven(name))
      .map((name) => `${file} styles .${name}, which no view gives: delete the rule.`);
  });
  expect(orphans).toEqual([]);
});

it('no rule is made important: what weighs more is said by its selector', () => {
  expect(sheets.filter(({ text }) => text.includes('!important')).map(({ file }) => file)).toEqual([]);
});

it('no selector makes the browser match a whole chat again at each change', () => {
  // Part of a class name is looked at again in all that is inside at each change of a class, and what an element
  // contains at each change inside: only small elements, and the last of a selector, can afford it.
  const partOfClass = /[\w.-]*\[class[*^$]=[^\]]*\]/g;
  const container = /[\w.-]*:has\(/g;
  const found = sheets.flatMap(({ text }) => [...(text.match(partOfClass) ?? []), ...(text.match(container) ?? [])]);
  expect([...new Set(found)].sort()).toEqual([
    '.docent-message-actions.docent-message-actions:has(',
    '.setting-item:has(',
    "[class*='docent-code-']",
    'blockquote:has(',
  ]);
});
