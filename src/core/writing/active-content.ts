/** Active content: what a note can hold that runs, loads or leads out of the vault; only what is new in it counts (6.5). */
import { activeInCanvas, activeInBase } from './active-files';
import { activeInMarkdown } from './active-markdown';

export type ActiveKind =
  'code-block' | 'inline-code' | 'template' | 'html' | 'remote-image' | 'scheme' | 'canvas-link' | 'base-formula';

export interface ActiveItem {
  readonly kind: ActiveKind;
  /** What would run or load it: a plugin's name, a language, a host or a tag. */
  readonly runner: string;
  /** The passage itself, by which two are the same. */
  readonly passage: string;
}

export function activeContentIn(path: string, text: string): ActiveItem[] {
  if (/\.canvas$/i.test(path)) return activeInCanvas(text);
  if (/\.base$/i.test(path)) return [...activeInBase(text), ...activeInMarkdown(text)];
  return activeInMarkdown(text);
}

/** What the text after holds more often than the one before. */
export function newActiveContent(path: string, before: string, after: string): ActiveItem[] {
  const known = new Map<string, number>();
  for (const item of activeContentIn(path, before)) known.set(keyOf(item), (known.get(keyOf(item)) ?? 0) + 1);
  return activeContentIn(path, after).filter((item) => {
    const left = known.get(keyOf(item)) ?? 0;
    if (left > 0) known.set(keyOf(item), left - 1);
    return left === 0;
  });
}

function keyOf({ kind, runner, passage }: ActiveItem): string {
  return `${kind}\n${runner}\n${passage}`;
}

/** Hosts that the text after links to and the one before does not. */
export function newHosts(before: string, after: string): string[] {
  const known = hostsIn(before);
  return [...hostsIn(after)].filter((host) => !known.has(host));
}

function hostsIn(text: string): Set<string> {
  const hosts = new Set<string>();
  for (const match of text.matchAll(/https?:\/\/(?:[^\s/@]*@)?([^\s/:?#)\]>"'`|]+)/gi)) {
    if (match[1] !== undefined) hosts.add(match[1].toLowerCase());
  }
  return hosts;
}
