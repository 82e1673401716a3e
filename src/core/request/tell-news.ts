/** What changed in the reference texts since they were sent, as lines for the turn that follows (design 5). */
import { fingerprint } from '../base/equality';
import { element, write } from '../markup/markup';
import type { KeptReference } from '../session/entry';
import type { FreshItem } from './arrange-reference';

/** Files told by name in one turn; the rest are counted. */
const mostFiles = 20;

export interface NewsPart {
  readonly section: string;
  readonly text: string;
}

export interface News {
  readonly parts: readonly NewsPart[];
  /** What is known once this is told, by key, each with its fingerprint; empty for what is gone. */
  readonly told: Readonly<Record<string, string>>;
  /** In words, such as `note created: A.md`. */
  readonly reasons: readonly string[];
}

export const noNews: News = { parts: [], told: {}, reasons: [] };

export function tellNews(kept: KeptReference, fresh: readonly FreshItem[]): News {
  const told: Record<string, string> = {};
  const reasons: string[] = [];
  const files = newsOfFiles(kept, fresh);
  for (const { path, print, reason } of files) {
    told[`line:${path}`] = print;
    reasons.push(reason);
  }
  const lines = files.slice(0, mostFiles).map(({ line }) => line);
  if (files.length > lines.length) lines.push(`… and ${files.length - lines.length} more; list_folder shows them.`);
  const parts: NewsPart[] =
    lines.length === 0
      ? []
      : [{ section: 'vault-listing', text: write([element('vault_changes', {}, lines.join('\n'))]).text }];
  for (const item of newsOfItems(kept, fresh)) {
    told[item.key] = item.hash;
    reasons.push(`${item.section} ${item.hash === '' ? 'gone' : 'changed'}`);
    parts.push({ section: item.section, text: sayOf(item, kept) });
  }
  return { parts, told, reasons };
}

/** A text that stands at the head already is only named, so that it stands there alone (R227). */
function sayOf({ key, hash, text }: ItemNews, kept: KeptReference): string {
  const name = key.slice(key.indexOf(':') + 1);
  if (hash === '') return `No longer holds: ${name}.`;
  const isAtHead = kept.items.some((item) => item.key === key && item.hash === hash);
  return isAtHead
    ? `Holds again, as it stands at the beginning: ${name}.`
    : `This holds now in place of what stood before:\n${text}`;
}

interface FileNews {
  readonly path: string;
  readonly print: string;
  readonly line: string;
  readonly reason: string;
}

function newsOfFiles(kept: KeptReference, fresh: readonly FreshItem[]): FileNews[] {
  const before = new Map(kept.items.flatMap(({ lines = {} }) => Object.entries(lines)));
  for (const [key, print] of kept.told) if (key.startsWith('line:')) before.set(key.slice('line:'.length), print);
  const now = new Map(fresh.flatMap(({ lines = {} }) => Object.entries(lines)));
  const prints = new Map(fresh.flatMap((item) => Object.entries(item.prints ?? {})));
  const blank = fingerprint('');
  // A list that tells less than the one that was sent, as when the vault has grown, says nothing of what it leaves out.
  const isWhole = fresh.some(({ key }) => key.startsWith('map:')) || now.size === 0;
  const news: FileNews[] = [];
  for (const [path, line] of now) {
    const print = prints.get(path) ?? fingerprint(line);
    const known = before.get(path) ?? '';
    if (known === print || (known !== '' && (print === blank || known === blank))) continue;
    const word = known === '' ? 'created' : 'changed';
    const folder = path.includes('/') ? `${path.slice(0, path.lastIndexOf('/'))}: ` : '';
    news.push({
      path,
      print,
      line: `${word}: ${line === '' ? path : folder + line.replace(/^- /, '')}`,
      reason: `note ${word}: ${path}`,
    });
  }
  if (!isWhole) return news;
  for (const [path, print] of before) {
    if (print === '' || print === blank || now.has(path)) continue;
    news.push({ path, print: '', line: `gone: ${path}`, reason: `note gone: ${path}` });
  }
  return news;
}

type ItemNews = Pick<FreshItem, 'key' | 'section' | 'text' | 'hash'>;

function newsOfItems(kept: KeptReference, fresh: readonly FreshItem[]): ItemNews[] {
  const isWhole = ({ key }: { readonly key: string }): boolean => !key.startsWith('map:') && !key.startsWith('tree:');
  const before = new Map(kept.items.filter(isWhole).map(({ key, hash }) => [key, hash]));
  for (const [key, print] of kept.told) if (!key.startsWith('line:') && isWhole({ key })) before.set(key, print);
  const now = fresh.filter(isWhole);
  const changed = now.filter(({ key, hash }) => before.get(key) !== hash);
  const gone = kept.items.filter(
    ({ key }) => isWhole({ key }) && before.get(key) !== '' && now.every((item) => item.key !== key),
  );
  return [...changed, ...gone.map(({ key, section }) => ({ key, section, text: '', hash: '' }))];
}
