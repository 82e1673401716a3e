/**
 * Finds what a note runs, loads, or opens. Reads lines and marks, not a parsed document: it finds more than any parser
 * shows, because the parser that matters is Obsidian's. Each pass takes linear time for any text.
 */
import { type ActiveItem, codeBlocksIn, deepFormulasIn, inlinePrefix, TooManyMarks } from './active-code';
import {
  addressAt,
  decodeAddress,
  decodeSpelling,
  decodeYamlEscapes,
  hostOf,
  isOpenScheme,
  isRemote,
  schemeOf,
  webAddressesIn,
} from './addresses';

/** Characters of a line, and levels of quotes, lists, and brackets, beyond which a person has to look. */
const maxLine = 16_384;
const maxDepth = 50;
/** Tags and items beyond which a text is not checked. */
const maxTags = 16_000;
const maxItems = 8_000;

/** Finds active content in Markdown. Prefers false positives: a passage inside a displayed code block counts too. */
export function activeInMarkdown(text: string): ActiveItem[] {
  const plain = text.includes('\r') ? text.split(/\r\n?|\n/).join('\n') : text;
  const lines = plain.split('\n');
  return [
    ...uncheckedLines(lines),
    ...codeBlocksIn(lines),
    ...inlineCode(plain),
    ...templates(plain),
    ...html(plain),
    ...linksAndImages(plain),
    ...bareSchemes(plain),
    ...formulas(plain),
    ...properties(lines),
  ];
}

function uncheckedLines(lines: readonly string[]): ActiveItem[] {
  return lines
    .filter((line) => line.length > maxLine || isDeep(line))
    .map((passage) => ({ kind: 'unchecked', runner: '', passage }));
}

function isDeep(line: string): boolean {
  if (line.length <= maxDepth) return false;
  let [columns, markers, open] = [0, 0, 0];
  let at = 0;
  for (; at < line.length && ' \t>'.includes(line.charAt(at)); at += 1) {
    if (line.charAt(at) === '>') markers += 1;
    else columns += 1;
  }
  const list = /(?:[-*+]|\d{1,9}[.)])[ \t>]+/y;
  for (list.lastIndex = at; list.test(line);) markers += 1;
  for (at = line.indexOf('['); at !== -1 && open <= maxDepth; at = nextBracket(line, at)) {
    open = line.charAt(at) === '[' ? open + 1 : Math.max(0, open - 1);
  }
  return open > maxDepth || (markers > 0 && markers + columns / 2 > maxDepth && !/^[-* \t]+$/.test(line));
}

function nextBracket(line: string, from: number): number {
  for (let at = from + 1; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code === 91 || code === 93) return at;
  }
  return -1;
}

function inlineCode(text: string): ActiveItem[] {
  const items: ActiveItem[] = [];
  for (let at = text.indexOf('`'); at !== -1;) {
    const next = text.indexOf('`', at + 1);
    const inner = text.slice(at + 1, next === -1 ? undefined : next);
    const [, prefix = ''] = next === -1 ? [] : (inlinePrefix.exec(inner) ?? []);
    if (prefix !== '') items.push({ kind: 'inline-code', runner: inlineRunner(prefix), passage: `\`${inner}` });
    if (items.length > maxItems) throw new TooManyMarks();
    at = next;
  }
  return items;
}

function inlineRunner(prefix: string): string {
  if (/^(?:INPUT|VIEW|BUTTON|EMBED)/.test(prefix)) return 'Meta Bind';
  return prefix.startsWith('js') ? 'JS Engine' : prefix.includes('dc') ? 'Datacore' : 'Dataview';
}

function templates(text: string): ActiveItem[] {
  return [...text.matchAll(/<%[^\n]*/g)].map(([passage]) => ({ kind: 'template', runner: 'Templater', passage }));
}

/** Commands of formulas that open an address, load, style, or name other commands, wherever their arguments are. */
export const activeCommand =
  /\\(?:href|url|require|includegraphics|style|class|cssid|data|html[a-z]*|mmltoken|bbox|unicode|special|input|include|csname|def|gdef|edef|let|newcommand|renewcommand|newenvironment|renewenvironment|loadmacros?|texttip|mathtip|toggle|action)(?![a-z])/i;

function formulas(text: string): ActiveItem[] {
  // An element may be a formula by its class, and spells its commands as HTML does.
  const decoded = text.includes('<') ? decodeSpelling(text) : text;
  const isElement = decoded.includes('<') && /\bmath\b/i.test(decoded);
  const found = isElement || text.includes('$') ? commandsIn(text) : [];
  const known = new Set(found);
  const spelled = isElement && decoded !== text ? commandsIn(decoded).filter((passage) => !known.has(passage)) : [];
  return [...found, ...spelled].map((passage) => ({ kind: 'formula', runner: 'MathJax', passage }));
}

function commandsIn(text: string): string[] {
  const commands = new RegExp(`${activeCommand.source}[^\\n\\\\]*`, 'gi');
  return [...text.matchAll(commands)].map(([passage]) => passage).concat(deepFormulasIn(text));
}

// HTML. A piece reaches from one tag to the next; what follows its tag in the piece is examined as if it belonged to it
// as far as a later `>`, because quotes decide where a tag ends.

const heavyTags: ReadonlySet<string> = new Set(
  (
    'iframe webview object embed script style link meta base form frame frameset applet portal bgsound param ' +
    'foreignobject animate plaintext xmp'
  ).split(' '),
);

/** Attributes that only describe or lay out their element. */
const harmlessAttributes: ReadonlySet<string> = new Set(
  (
    'id title alt align valign width height colspan rowspan span start reversed type value open dir lang datetime name ' +
    'color size face border cellpadding cellspacing scope abbr class rel target role hidden controls loop muted ' +
    'autoplay cite clear compact nowrap summary rules frame loading decoding draggable tabindex translate label for ' +
    'min max low high optimum headers bgcolor char charoff disabled checked selected multiple'
  ).split(' '),
);

const autolink = /^<([a-z][a-z0-9+.-]{1,31}):[^\s<>]+>/i;
const anyAttribute = /(?:^|[^a-z0-9_:.@-])([a-z_:@][a-z0-9_:.@-]*)\s*=/gi;
const strictAttribute = /[\s/]*([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/y;

function html(text: string): ActiveItem[] {
  const items: ActiveItem[] = [];
  const tags: RegExpExecArray[] = [];
  for (const tag of text.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
    if (tags.push(tag) > maxTags) throw new TooManyMarks();
  }
  const pieceOf = holdsBlankLines.test(text) ? wholePiece : pieceToBlank;
  tags.forEach(({ index, 1: slash = '', 2: name = '' }, place) => {
    items.push(...itemsOfTag({ name: name.toLowerCase(), slash, piece: pieceOf(text, index, tags[place + 1]?.index) }));
  });
  return [...items, ...codeElements(text, tags)];
}

/** Plugins run code spans of HTML, too, by their visible text. Each reaches to its last closing tag, or to the next. */
function codeElements(text: string, tags: readonly RegExpExecArray[]): ActiveItem[] {
  const items: ActiveItem[] = [];
  let next = text.length;
  let closings = new Map<string, number>();
  for (const { index, 1: slash = '', 2: written = '' } of Array.from(tags).reverse()) {
    const name = written.toLowerCase();
    if (name !== 'code' && name !== 'pre') continue;
    if (slash !== '') {
      if (!closings.has(name)) closings.set(name, index);
      continue;
    }
    const passage = text.slice(index, closings.get(name) ?? next);
    // The text of an element inside this one goes on with its own.
    const texts = visibleTexts(passage).map((each) => (closings.has(name) ? each : `${each} `));
    const [, prefix = ''] = texts.map((each) => inlinePrefix.exec(each)).find((found) => found !== null) ?? [];
    if (prefix !== '') items.push({ kind: 'inline-code', runner: inlineRunner(prefix), passage });
    next = index;
    closings = new Map<string, number>();
  }
  return items.reverse();
}

/** Tags at which a browser ends an element of code that is still open, and begins another one. */
const blockTag =
  /<\/?(?:p|div|li|[uod]l|d[dt]|t[dhr]|table|caption|h[1-6]|blockquote|section|article|header|footer|main|aside|nav|details|summary|center|fig\w+|address|hr|button)(?![\w-])[^<>]*>|\n[ \t]*\n/i;

/** Returns what is seen of an element, and of each block in it, from the first sign that a prefix may begin with. */
function visibleTexts(element: string): string[] {
  const [tag] = /^<(?:[^>"']|"[^"]*"|'[^']*')*>/.exec(element) ?? [''];
  const inside = withoutComments(element.slice(tag.length || element.indexOf('>') + 1));
  // A browser reads a tag on to its end, with other opening brackets in it.
  return [inside, ...inside.split(blockTag), without(inside, '<', '>')].map(visibleText);
}

function visibleText(inside: string): string {
  const plain = inside
    .replace(/<[^<>]*>|%%[^%]*%%|!\[[^[\]]*\]\([^()]*\)|==|[*_~`]/g, '')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1');
  return decodeSpelling(plain.replace(/&dollar;/g, '$').replace(/&l(?:brack|sqb);/g, '[')).replace(
    /^(?:&\w+;|&nbsp|[^\p{L}\p{N}$=])+/u,
    '',
  );
}

function withoutComments(text: string): string {
  return without(text, '<!--', '-->');
}

function without(text: string, opening: string, closing: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let start = text.indexOf(opening); start !== -1; start = text.indexOf(opening, from)) {
    kept.push(text.slice(from, start));
    const end = text.indexOf(closing, start);
    from = end === -1 ? text.length : end + closing.length;
  }
  return [...kept, text.slice(from)].join('');
}

interface Tag {
  readonly name: string;
  readonly slash: string;
  /** The text up to the next tag. */
  readonly piece: string;
}

function itemsOfTag({ name, slash, piece }: Tag): ActiveItem[] {
  const items: ActiveItem[] = [];
  const end = tagEnd(piece);
  if (heavyTags.has(name) || isLoading(name, piece.slice(1 + slash.length + name.length, end))) {
    items.push({ kind: 'html', runner: name, passage: piece.slice(0, end + 1) });
  }
  const [link, scheme = ''] = autolink.exec(piece) ?? [];
  if (link !== undefined && !isOpenScheme(`${scheme}:`)) {
    items.push({ kind: 'scheme', runner: scheme.toLowerCase(), passage: link });
  }
  return items;
}

/** What begins HTML in which tags go on behind blank lines, and the end of a comment that only browsers know. */
const holdsBlankLines = /<(?:pre|textarea|script|style)(?![\w-])|<\?|<!(?!--)|--!>/i;

function wholePiece(text: string, start: number, next: number | undefined): string {
  return text.slice(start, next);
}

function pieceToBlank(text: string, start: number, next: number | undefined): string {
  const piece = text.slice(start, next);
  const blank = /\n[ \t]*\n/.exec(piece)?.index;
  return blank === undefined ? piece : piece.slice(0, blank);
}

/** Returns the offset of the last `>` of a piece, or its length without one: the tag may go on in the next piece. */
function tagEnd(piece: string): number {
  const last = piece.lastIndexOf('>');
  return last === -1 ? piece.length : last;
}

function isLoading(tag: string, inside: string): boolean {
  const attributes = strictAttributes(inside) ?? looseAttributes(inside);
  return attributes.some(([name, value]) => {
    if (name === 'href') return tag !== 'a' || !isPlainAddress(value);
    return !harmlessAttributes.has(name) || (name === 'class' && /language-/i.test(decodeSpelling(value)));
  });
}

type Attribute = readonly [name: string, value: string];

/** Returns the attributes of a tag that can be read in one way only; else null. */
function strictAttributes(inside: string): Attribute[] | null {
  if (inside.includes('>') && !/^(?:[^"'>]|"[^"]*"|'[^']*')*$/.test(inside)) return firstTagAlone(inside);
  const found: Attribute[] = [];
  strictAttribute.lastIndex = 0;
  let end = 0;
  for (let match = strictAttribute.exec(inside); match !== null; match = strictAttribute.exec(inside)) {
    end = strictAttribute.lastIndex;
    if (match[2] !== undefined) found.push([(match[1] ?? '').toLowerCase(), match[2].replace(/^["']|["']$/g, '')]);
  }
  return /^[\s/]*$/.test(inside.slice(end)) ? found : null;
}

/** Without quotes, the text behind the end of a tag is not a part of it. */
function firstTagAlone(inside: string): Attribute[] | null {
  return /["']/.test(inside) || inside.slice(0, inside.indexOf('>')).includes('=') ? null : [];
}

function looseAttributes(inside: string): Attribute[] {
  return [...inside.matchAll(anyAttribute)].map(({ 0: whole, 1: name = '', index }) => {
    const value = inside.slice(index + whole.length, index + whole.length + 300).replace(/^\s*["']?/, '');
    return [name.toLowerCase(), value];
  });
}

function isPlainAddress(value: string): boolean {
  const address = decodeAddress(value).trim();
  return schemeOf(address) === null || isOpenScheme(address);
}

// Links and images. A label without any mark ends at its first bracket. Where a label holds marks, every later
// destination in its block counts as that of the image.

const plainEmbed = /!\[\[([^[\]\n`\\<$]{1,500})\]\](?![([])/y;
const plainImage = /!\[([^[\]`\\<$%]*)\]/y;
const plainReference = /\[([^[\]]{0,1000})\]/y;
const plainInline = /\([^\s()<>\\]*\)/y;

interface Definitions {
  /** Remote addresses by label. */
  readonly byLabel: ReadonlyMap<string, string>;
  /** A remote address whose label can be read in several ways. */
  readonly unsure: string | undefined;
  /** Any remote address. */
  readonly any: string | undefined;
  readonly items: readonly ActiveItem[];
}

function linksAndImages(text: string): ActiveItem[] {
  const definitions = definitionsIn(text);
  const items: ActiveItem[] = [...definitions.items];
  const marks = /!?\[|\]|\n(?=[ \t>]*\n)/g;
  let opened = -1;
  /** Where the first label of this block begins that holds marks; -1 without one. */
  let unsure = -1;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const at = mark.index;
    const image = mark[0] === '![' ? readImage(text, at, definitions) : null;
    if (image !== null) {
      items.push(...image.items);
      marks.lastIndex = image.end;
    } else if (mark[0] === '\n') {
      [opened, unsure] = [-1, -1];
    } else if (mark[0] === ']') {
      items.push(...linkAt(text, opened, at, unsure, definitions));
    } else {
      opened = at;
      if (mark[0] === '![' && unsure === -1) unsure = at;
    }
    if (items.length > maxItems) throw new TooManyMarks();
  }
  return items;
}

/** Reads an image or an embed with a plain label; null for any other. */
function readImage(text: string, at: number, definitions: Definitions) {
  plainEmbed.lastIndex = at;
  const [embed, target = ''] = plainEmbed.exec(text) ?? [];
  if (embed !== undefined) {
    const address = decodeAddress(target.trim());
    return { items: isRemote(address) ? [remoteImage(embed, address)] : [], end: at + embed.length };
  }
  plainImage.lastIndex = at;
  const [image, label = ''] = plainImage.exec(text) ?? [];
  if (image === undefined || /\n[ \t>]*\n/.test(label)) return null;
  const end = at + image.length;
  const addresses = [inlineAddress(text, end), ...referencesAt(text, end, label, definitions)];
  return { items: addresses.flatMap((address) => imageItem(`![${label}]`, address)), end };
}

/** Returns the addresses that an image may take from definitions. */
function referencesAt(text: string, end: number, label: string, { byLabel, unsure }: Definitions): string[] {
  if (byLabel.size === 0 && unsure === undefined) return [];
  plainReference.lastIndex = end;
  const [, name = ''] = plainReference.exec(text) ?? [];
  const named = [label, name].flatMap((each) => byLabel.get(foldLabel(each)) ?? []);
  plainInline.lastIndex = end;
  return named.length > 0 || unsure === undefined || plainInline.test(text) ? named : [unsure];
}

function linkAt(text: string, opened: number, at: number, unsure: number, definitions: Definitions): ActiveItem[] {
  const address = inlineAddress(text, at + 1);
  const label = text.slice(Math.max(opened, at - 200, 0), at + 1);
  if (unsure === -1) return openedItem(label, address);
  const start = text.slice(unsure, Math.min(at, unsure + 40));
  return [address, definitions.any ?? ''].flatMap((each) => imageItem(`${start}…]`, each));
}

/** Returns the address between the parentheses at an offset; empty without them. */
function inlineAddress(text: string, at: number): string {
  return text.charAt(at) === '(' ? addressAt(text, at + 1) : '';
}

function imageItem(image: string, address: string): ActiveItem[] {
  return isRemote(address) ? [remoteImage(`${image} ${address}`, address)] : openedItem(image, address);
}

function remoteImage(passage: string, address: string): ActiveItem {
  return { kind: 'remote-image', runner: hostOf(address), passage };
}

/** Returns an item for an address that opens something other than a page. */
function openedItem(label: string, address: string): ActiveItem[] {
  const scheme = schemeOf(address);
  if (scheme === null || isOpenScheme(address)) return [];
  return [{ kind: 'scheme', runner: scheme, passage: `${label} ${address}` }];
}

function definitionsIn(text: string): Definitions {
  const byLabel = new Map<string, string>();
  let [unsure, any]: (string | undefined)[] = [];
  const items: ActiveItem[] = [];
  const marks = /\[|\]:/g;
  let opened = -1;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const at = mark.index;
    if (mark[0] === '[') {
      opened = at;
      continue;
    }
    const label = labelBefore(text, opened, at);
    const address = addressAt(text, at + 2);
    if (isRemote(address)) {
      any ??= address;
      if (label === null) unsure ??= address;
      else byLabel.set(foldLabel(label), address);
    } else if (!/^\^\S+$/.test(label ?? '') && !address.endsWith(':')) {
      items.push(...openedItem(`[${(label ?? '').slice(0, 200)}]:`, address));
    }
    if (text.charAt(at - 1) !== '\\') opened = -1;
  }
  return { byLabel, unsure, any, items };
}

/** Returns the label that ends at a bracket, if it can be read in one way only; else null. */
function labelBefore(text: string, opened: number, at: number): string | null {
  if (opened === -1 || text.charAt(at - 1) === '\\' || text.charAt(opened - 1) === '\\') return null;
  const label = text.slice(opened + 1, at);
  return /[\\\n`<]/.test(label) ? null : label;
}

/** The lines of a label may begin with quote marks. */
function foldLabel(label: string): string {
  return label
    .replace(/[\s>]+/g, ' ')
    .trim()
    .toLowerCase()
    .toUpperCase();
}

const maxScheme = 31;

/** Finds addresses with other schemes in plain text. */
function bareSchemes(text: string): ActiveItem[] {
  const items: ActiveItem[] = [];
  for (let at = text.indexOf('://'); at !== -1;) {
    let start = at;
    while (start > 0 && at - start < maxScheme && /[a-z0-9+.-]/i.test(text.charAt(start - 1))) start -= 1;
    while (start < at && !/[a-z]/i.test(text.charAt(start))) start += 1;
    let end = at + 3;
    while (end < text.length && !' \t\n)]>"\'`'.includes(text.charAt(end))) end += 1;
    const passage = text.slice(start, end);
    if (at - start > 1 && !isOpenScheme(passage)) {
      items.push({ kind: 'scheme', runner: text.slice(start, at).toLowerCase(), passage });
    }
    at = text.indexOf('://', end);
  }
  return items;
}

// Properties that plugins load an image from, or take commands from.

const loadedProperty =
  /(?:cover|banner|image|img|thumb|poster|icon|background|header|logo|avatar|photo|picture|hero|art)[^:{},]{0,40}:(?!\/\/)/i;
const runProperty = /onload|[-_]script|^script$|^tq_extra/i;

function properties(lines: readonly string[]): ActiveItem[] {
  if (!/^\ufeff?---[ \t]*$/.test(lines[0] ?? '')) return [];
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line));
  if (end === -1) return [];
  const decoded = decodeYamlEscapes(lines.slice(1, end).join('\n'));
  let all: string[] | undefined;
  return entriesOf(decoded).flatMap((entry): ActiveItem[] => {
    const key = entry.slice(0, entry.search(/:|$/)).replace(/["']/g, '');
    if (runProperty.test(key)) return [{ kind: 'code-block', runner: key.trim(), passage: entry }];
    if (!loadedProperty.test(entry)) return [];
    // An alias has the value of another entry.
    if (!/[:[{,\s]\*\S/.test(entry)) return imagesOf(key, [...webAddressesIn(entry), ...bareHostsIn(entry)]);
    const first = all === undefined;
    all ??= webAddressesIn(decoded);
    return imagesOf(key, first ? all : all.slice(0, 1));
  });
}

/** Addresses without a scheme, which the app takes from its own page. */
function bareHostsIn(entry: string): string[] {
  return [...entry.matchAll(/[\s"'[(,{]([\\/]{2}[^\s\\/"',\])}]{1,4096})/g)].map(([, address = '']) => address);
}

function imagesOf(key: string, addresses: readonly string[]): ActiveItem[] {
  return addresses.map((address) => remoteImage(`${key}: ${address}`, address));
}

/** Splits YAML before each line that begins a top-level entry. */
function entriesOf(yaml: string): string[] {
  const entries: string[][] = [];
  for (const line of yaml.split('\n')) {
    if (entries.length === 0 || /^[^\s\-:}\]#?]/.test(line)) entries.push([line]);
    else entries[entries.length - 1]?.push(line);
  }
  return entries.map((entry) => entry.join('\n'));
}
