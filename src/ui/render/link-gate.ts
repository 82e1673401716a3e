/** The link gate: the only place that decides whether an address outside the vault may be opened. */
import { decodePercent } from '../../core/writing/guard/addresses';
import { clip, hasUnseenCharacters, showUnseenCharacters } from './visible-text';

type RefuseReason = 'malformed' | 'scheme' | 'too-long';
type ConfirmReason = 'credentials' | 'other-host' | 'disguised' | 'tainted' | 'unknown-url';

interface Address {
  /** As the browser would send it: punycode host, percent-encoded path. */
  readonly url: string;
  /** The punycode host, or the domain of a mail address. */
  readonly host: string;
  /** As shown to the reader: punycode host, decoded path and query, invisible characters as codes. */
  readonly shown: string;
}
type OpenDecision = Address & { readonly verdict: 'open' };
export type ConfirmDecision = Address & { readonly verdict: 'confirm'; readonly reason: ConfirmReason };
interface RefuseDecision {
  readonly verdict: 'refuse';
  readonly reason: RefuseReason;
  readonly shown: string;
}
export type LinkDecision = OpenDecision | ConfirmDecision | RefuseDecision;

export interface LinkCircumstances {
  /** The label of the link as the reader sees it. */
  readonly visibleText: string;
  readonly tainted?: boolean;
  readonly knownUrls?: ReadonlySet<string>;
}

const OPENABLE_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
const URL_LIMIT = 8_192;
const SHOWN_LIMIT = 2_000;
const VISIBLE_TEXT_LIMIT = 2_000;
/** Ordinary in emoji and in Persian, so they do not count as a disguise. */
const JOINERS = /\u200c|\u200d/g;

export function judgeLink(destination: string, circumstances: LinkCircumstances): LinkDecision {
  if (destination.length > URL_LIMIT) return refuse('too-long', destination);
  const url = parseUrl(destination);
  if (!url) return refuse('malformed', destination);
  if (!OPENABLE_SCHEMES.has(url.protocol)) return refuse('scheme', destination);
  const host = hostOf(url);
  if (host === '') return refuse('malformed', destination);
  const address = { url: url.href, host, shown: describeUrl(url) };
  const reason = reasonToConfirm(url, host, destination, circumstances);
  return reason ? { verdict: 'confirm', reason, ...address } : { verdict: 'open', ...address };
}

/** Whether a destination claims to lead outside the vault; the gate decides whether it may. */
export function looksExternal(destination: string): boolean {
  const bare = destination.replace(/[\s\p{Cc}]/gu, '');
  return /^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(bare);
}

/** Returns the addresses that a text contains, in the form that the gate compares. */
export function findUrls(text: string): Set<string> {
  const found = new Set<string>();
  for (const [match] of text.matchAll(/(?:https?:\/\/|mailto:)[^\s<>"`]{1,4096}/gi)) {
    for (const candidate of [match, match.replace(/[.,;:!?'*_)\]}]+$/, '')]) {
      const url = parseUrl(candidate);
      if (url) found.add(url.href);
    }
  }
  return found;
}

function refuse(reason: RefuseReason, destination: string): RefuseDecision {
  return { verdict: 'refuse', reason, shown: clip(showUnseenCharacters(destination), SHOWN_LIMIT) };
}

function reasonToConfirm(
  url: URL,
  host: string,
  destination: string,
  { visibleText, tainted, knownUrls }: LinkCircumstances,
): ConfirmReason | null {
  if (url.username !== '' || url.password !== '') return 'credentials';
  const words = visibleText.slice(0, VISIBLE_TEXT_LIMIT).replace(JOINERS, '').replace(/\s/g, ' ');
  if (hasUnseenCharacters(words)) return 'disguised';
  if (hostsNamedIn(words).some((named) => named !== withoutPrefix(host))) return 'other-host';
  if (tainted) return 'tainted';
  return knownUrls?.has(url.href) || knownUrls?.has(destination) ? null : 'unknown-url';
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function hostOf(url: URL): string {
  if (url.protocol !== 'mailto:') return url.hostname;
  const domains = decodePercent(url.pathname)
    .split(',')
    .map((mailbox) =>
      mailbox
        .slice(mailbox.lastIndexOf('@') + 1)
        .trim()
        .toLowerCase(),
    );
  return domains.every((domain) => domain === domains[0]) ? (domains[0] ?? '') : domains.join(', ');
}

function withoutPrefix(host: string): string {
  return host.replace(/^www\./, '');
}

/** Returns every word of a text that reads like a host name or an IP address, in punycode and without `www.`. */
function hostsNamedIn(text: string): string[] {
  const words = text
    .normalize('NFKC')
    .replace(/[。｡]/g, '.')
    .split(/[^\p{L}\p{M}\p{N}.-]+/u)
    .map((word) => word.replace(/^[.-]+|[.-]+$/g, ''));
  return words.filter(readsLikeHost).map((word) => withoutPrefix(parseUrl(`http://${word}`)?.hostname ?? word));
}

function readsLikeHost(word: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(word) || /[^.]\.(?:xn--[a-z0-9-]+|[\p{L}\p{M}]{2,})$/iu.test(word);
}

function describeUrl(url: URL): string {
  const start = url.protocol === 'mailto:' ? 'mailto:' : `${url.protocol}//${credentialsOf(url)}${url.host}`;
  const rest = [url.pathname, url.search, url.hash].map(decodePercent).join('');
  return clip(showUnseenCharacters(start + rest), SHOWN_LIMIT);
}

function credentialsOf(url: URL): string {
  return url.username === '' && url.password === '' ? '' : `${url.username}${url.password ? ':…' : ''}@`;
}
