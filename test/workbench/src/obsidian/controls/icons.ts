/** The icon library: Lucide by kebab-case id, Obsidian's older ids, and icons that plugins add. */
import { icons as lucideIcons } from 'lucide';
import { oldIcons } from './old-icons';

type IconNode = [tag: string, attributes: Record<string, string | number | undefined>][];

const svgNamespace = 'http://www.w3.org/2000/svg';
const added = new Map<string, string>();

function toKebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z])(?=[a-z]|$)/g, '$1-$2')
    .replace(/([a-zA-Z])(\d)/g, '$1-$2')
    .replace(/(\d)x-(\d)/g, '$1x$2')
    .replace(/-([01])([01])$/, '-$1-$2')
    .toLowerCase();
}

/** Lucide's own name of an id. Drawings are looked up one by one: the page fetches those that are rarely used. */
function toLucideName(id: string): string {
  return id.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());
}

function getLucide(id: string): IconNode | null {
  const name = toLucideName(id);
  if (!Object.hasOwn(lucideIcons, name) || toKebabCase(name) !== id) return null;
  return lucideIcons[name as keyof typeof lucideIcons] as IconNode;
}

function createIcon(id: string, attributes: Record<string, string>): SVGSVGElement {
  const svg = activeDocument.createElementNS(svgNamespace, 'svg');
  svg.setAttribute('class', `svg-icon ${id}`);
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  return svg;
}

/** Parsed as XML, in an inert document: nothing in a plugin's drawing can load or run while it is read. */
function createDrawing(id: string, content: string): SVGSVGElement {
  const svg = createIcon(id, { viewBox: '0 0 100 100' });
  const parsed = new DOMParser().parseFromString(`<svg xmlns="${svgNamespace}">${content}</svg>`, 'image/svg+xml');
  for (const child of Array.from(parsed.documentElement.childNodes))
    svg.appendChild(svg.ownerDocument.importNode(child, true));
  return svg;
}

function createLucide(id: string, node: IconNode): SVGSVGElement {
  const svg = createIcon(`lucide-${id}`, {
    xmlns: svgNamespace,
    width: '24',
    height: '24',
    viewBox: '0 0 24 24',
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': '2',
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
  });
  for (const [tag, attributes] of node) {
    const child = svg.ownerDocument.createElementNS(svgNamespace, tag);
    for (const [name, value] of Object.entries(attributes)) child.setAttribute(name, String(value));
    svg.appendChild(child);
  }
  return svg;
}

/** A fresh element for a known id, with or without the `lucide-` prefix; null for an unknown one. */
export function getIcon(iconId: string): SVGSVGElement | null {
  const own = added.get(iconId);
  if (own !== undefined) return createDrawing(iconId, own);
  const id = iconId.replace(/^lucide-/, '');
  const lucide = getLucide(id);
  if (lucide) return createLucide(id, lucide);
  const old = oldIcons[id];
  if (old === undefined) return null;
  if (old.startsWith('<')) return createDrawing(id, old);
  const replacement = getLucide(old);
  return replacement ? createLucide(old, replacement) : null;
}

/** What a test runner can set on its globals, to hear of each id that has no icon. */
interface MissingIcons {
  reportMissingIcon?(iconId: string): void;
}

/** Replaces the content of an element with an icon; an unknown id leaves the element empty. */
export function setIcon(parent: HTMLElement, iconId: string): void {
  const icon = iconId ? getIcon(iconId) : null;
  parent.empty();
  if (icon) parent.appendChild(icon);
  else (globalThis as MissingIcons).reportMissingIcon?.(iconId);
}

export function addIcon(iconId: string, svgContent: string): void {
  added.set(iconId, svgContent);
}

export function removeIcon(iconId: string): void {
  added.delete(iconId);
}

export function getIconIds(): string[] {
  const ids = Object.keys(lucideIcons).map((name) => `lucide-${toKebabCase(name)}`);
  return [...ids, ...Object.keys(oldIcons), ...added.keys()];
}
