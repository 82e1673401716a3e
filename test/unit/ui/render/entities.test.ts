/** @jest-environment jsdom */
/** Character references are decoded as a browser decodes them, and what is none stays as it is written. */
import { readFileSync } from 'node:fs';
import { decodeEntities } from '../../../../src/ui/render/entities';

const byBrowser = (text: string): string => {
  const page = new DOMParser().parseFromString(`<pre>.${text}</pre>`, 'text/html');
  return page.body.textContent.slice(1);
};
const names = [...readFileSync('src/ui/render/entities.ts', 'utf8').matchAll(/^ {2}(\w+): ['"]/gm)].map(
  ([, name]) => name,
);

it('knows the names as a browser does', () => {
  expect(names.length).toBeGreaterThan(30);
  for (const name of names) expect([name, decodeEntities(`&${name};`)]).toEqual([name, byBrowser(`&${name};`)]);
});

it.each(['&#65;', '&#x1F600;', '&#X41;', '&#0;', '&#xD800;', '&#x110000;', '&amp;lt;', '&lt;&gt; &#8364;'])(
  'decodes %s once',
  (text) => {
    expect(decodeEntities(text)).toBe(byBrowser(text));
  },
);

it.each(['plain', '&', '&amp', '&unknownname;', '&constructor;', '&#;', '&#x;', '& amp;', '&#12345678;'])(
  'leaves %s as it is',
  (text) => {
    expect(decodeEntities(text)).toBe(text);
  },
);
