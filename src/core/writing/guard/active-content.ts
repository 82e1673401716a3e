/**
 * Active content: parts of a note that run code, load resources, or link out of the vault; only new ones count (6.5).
 * Takes linear time for any text: what is too long to check is itself an item, so that a person looks at it.
 */
import type { ActiveItem } from './active-code';
import { activeInMarkdown } from './active-markdown';
import { decodeYamlEscapes, hostOf, isRemote, webAddressesIn } from './addresses';

export type { ActiveItem };

/** Characters of a text beyond which it is not checked. */
const maxChecked = 524_288;

/** Texts and characters of them whose items are remembered, because a review asks for the same ones again and again. */
const maxRemembered = 48;
const maxRememberedCharacters = 4_000_000;

let remembered = new Map<string, readonly ActiveItem[]>();
let rememberedCharacters = 0;

export function activeContentIn(path: string, text: string): readonly ActiveItem[] {
  if (text.length > maxChecked) return [{ kind: 'unchecked', runner: '', passage: text }];
  const kind = /\.(canvas|base|csv)$/i.exec(path)?.[1]?.toLowerCase() ?? 'note';
  const key = `${kind}\n${text}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const items = scan(kind, text);
  if (remembered.size >= maxRemembered || rememberedCharacters + key.length > maxRememberedCharacters) {
    remembered = new Map();
    rememberedCharacters = 0;
  }
  remembered.set(key, items);
  rememberedCharacters += key.length;
  return items;
}

function scan(kind: string, text: string): readonly ActiveItem[] {
  try {
    if (kind === 'canvas') return activeInCanvas(text);
    return [...(activeInOthers[kind]?.(text) ?? []), ...activeInMarkdown(text)];
  } catch {
    return [{ kind: 'unchecked', runner: '', passage: text }];
  }
}

/** Returns the active content that occurs more often in the new text than in the old one. */
export function newActiveContent(path: string, before: string, after: string): ActiveItem[] {
  if (before === after) return [];
  const known = new Map<string, number>();
  for (const item of activeContentIn(path, before)) known.set(keyOf(item), (known.get(keyOf(item)) ?? 0) + 1);
  return activeContentIn(path, after).filter((item) => {
    const key = keyOf(item);
    const left = known.get(key) ?? 0;
    if (left > 0) known.set(key, left - 1);
    return left === 0;
  });
}

function keyOf({ kind, runner, passage }: ActiveItem): string {
  return `${kind}\n${runner}\n${passage}`;
}

/** Returns the hosts that the new text links to and the old one does not. */
export function newHosts(before: string, after: string): string[] {
  const known = hostsIn(before);
  return [...hostsIn(after)].filter((host) => !known.has(host));
}

function hostsIn(text: string): Set<string> {
  const hosts = webAddressesIn(text).flatMap((address) => {
    // What looks like a name and a password may be an address, a mark of Markdown behind it, and a word.
    const [first = ''] = address.split(/[)\]}*_~]/, 1);
    const short = hostOf(first);
    return [hostOf(address), /[.\d]/.test(short) ? short : ''];
  });
  return new Set(hosts.filter((host) => host !== ''));
}

// Active content of other files: cards of a canvas, and formulas of a base that draw HTML or load images.

/** A canvas that cannot be parsed counts as active as a whole. */
function activeInCanvas(text: string): ActiveItem[] {
  if (text.trim() === '') return [];
  const nodes = nodesOf(text);
  if (nodes === null) return [{ kind: 'canvas-link', runner: 'Canvas', passage: text }];
  return nodes.flatMap((node): ActiveItem[] => {
    const { type, url, ...others } = node;
    if (type === 'link' || typeof url === 'string') {
      return [{ kind: 'canvas-link', runner: 'Canvas', passage: String(url) }];
    }
    return Object.entries(others).flatMap(([key, value]): ActiveItem[] => {
      if (typeof value !== 'string') return [];
      if (key === 'text' || key === 'label') return activeInMarkdown(value);
      return isRemote(value) ? [{ kind: 'canvas-link', runner: 'Canvas', passage: value }] : [];
    });
  });
}

/** Returns the nodes and the edges of a canvas. */
function nodesOf(text: string): Readonly<Record<string, unknown>>[] | null {
  try {
    const canvas: unknown = JSON.parse(text);
    if (typeof canvas !== 'object' || canvas === null) return null;
    const { nodes = [], edges = [] } = canvas as { readonly nodes?: unknown; readonly edges?: unknown };
    if (!Array.isArray(nodes) || !Array.isArray(edges)) return null;
    const all: readonly unknown[] = [nodes, edges].flat();
    const isNode = (node: unknown): node is Record<string, unknown> => typeof node === 'object' && node !== null;
    return all.every(isNode) ? [...all] : null;
  } catch {
    return null;
  }
}

/** In addition to what they have in common with notes. */
const activeInOthers: Readonly<Record<string, (text: string) => ActiveItem[]>> = {
  base: activeInBase,
  csv: activeInCsv,
};

const baseCall = /\b(?:(?:html|image)["']?\s*[(:]|link\s*\((?!\s*file[\w.]*\s*[,)]))[^\n]*/gi;

/** Cards of a base show the image that its view names, and links open an address; a formula can make up both. */
function activeInBase(text: string): ActiveItem[] {
  const decoded = decodeYamlEscapes(text);
  const drawn = [...decoded.matchAll(baseCall)].map(([passage]) => passage.trim());
  const items = [...drawn, ...webAddressesIn(decoded)];
  return items.map((passage) => ({ kind: 'base-formula', runner: 'Bases', passage }));
}

/**
 * A cell that begins like a formula, which a spreadsheet evaluates when the user opens the table there. A sign before a
 * number makes one if the cell also calls something: a function, another program, or another sheet.
 */
const formulaCell =
  /(?:^\ufeff?|[,;\t])[ \t]{0,4}"?[ \t]{0,4}(?:[=@\uff1d\uff20]|[+-](?=[^\d.,;\s"-]|[^,;\t\r\n"]{0,200}(?:[(|]|!\S)))[^\n]*/gm;

function activeInCsv(text: string): ActiveItem[] {
  return [...text.matchAll(formulaCell)].map(([passage]) => ({ kind: 'formula', runner: 'Excel', passage }));
}
