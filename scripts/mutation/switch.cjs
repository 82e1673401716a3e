// Compiles many mutants into the sources at once, each next to the original: one run finds which tests reach which, and
// a mutant is switched on by its number without compiling again. DOCENT_MUTATION_SITES names a JSON file that lists the
// sites of scripts/mutation/sites.mjs, each with its number.
const { readFileSync } = require('node:fs');
const path = require('node:path');

const root = path.resolve(__dirname, '../..');

/** How a mutant is combined with the original: each is evaluated at most once, and only the chosen one. */
const forms = {
  expression: ({ number, after }, original) => `(${isOn(number)} ? (${after}) : (${hit(number)}, (${original})))`,
  statement: ({ number }, original) => `{ if (!(${isOn(number)})) { ${hit(number)}; ${original} } }`,
  member: ({ number, after, before }) => `(${isOn(number)} ? '${after}' : (${hit(number)}, '${before}'))`,
};
const isOn = (number) => `__docentMutant === ${number}`;
/**
 * Copies globals to constants, because they are slow to read in a sandbox of jest. On the first line, so that all lines
 * keep their numbers.
 */
const header = 'const __docentMutant = globalThis.__docentMutant, __docentHit = globalThis.__docentHit; ';
const hit = (number) => `__docentHit?.(${number})`;

/**
 * Returns the text with a switch at each of its sites, which may be nested.
 * @throws if the text is not the one in which the sites were found
 */
function weave(text, sites) {
  const ordered = [...sites].sort((one, other) => one.start - other.start || other.end - one.end);
  const stale = ordered.find(({ start, end, before }) => text.slice(start, end) !== before);
  if (stale) throw new Error(`${stale.id}: the source has changed since its sites were found.`);
  return header + weavePart(text, ordered, 0, text.length);
}

function weavePart(text, ordered, from, to) {
  let woven = '';
  let position = from;
  let rest = ordered;
  while (rest.length > 0) {
    const [outer, ...others] = rest;
    const inner = others.filter(({ start }) => start < outer.end);
    rest = others.slice(inner.length);
    const isMember = outer.form === 'member';
    // a.some becomes a['some'], and a?.some becomes a?.['some'].
    const isPlainMember = isMember && !text.slice(position, outer.start).endsWith('?.');
    const before = text.slice(position, outer.start);
    woven += isPlainMember ? before.replace(/\.(\s*)$/, '$1') : before;
    const put = forms[outer.form](outer, weavePart(text, inner, outer.start, outer.end));
    woven += isMember ? `[${put}]` : put;
    position = outer.end;
  }
  return woven + text.slice(position, to);
}

/** Returns the text with this one mutant in it, and no switch. */
function applySite(text, { start, end, after }) {
  return text.slice(0, start) + after + text.slice(end);
}

const listed = process.env.DOCENT_MUTATION_SITES;
const sitesOf = new Map();
for (const site of listed ? JSON.parse(readFileSync(listed, 'utf8')) : []) {
  const file = path.join(root, site.file);
  sitesOf.set(file, [...(sitesOf.get(file) ?? []), site]);
}

/** Returns the text to compile. */
function weaveFile(text, file) {
  return sitesOf.has(file) ? weave(text, sitesOf.get(file)) : text;
}

module.exports = { applySite, weave, weaveFile };
