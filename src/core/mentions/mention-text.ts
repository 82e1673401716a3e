/** Mentions in the text of a message: their forms, which ones the text still contains, and the text after one. */
import { pathAfterMove } from '../base/fold';
import { baseName } from '../library/user-notes';
import { findHeading } from '../markdown/structure';
import { type Mention, resourceId } from '../session/entry';
import type { MentionContext } from './mention-source';
import { splitPart } from './note-parts';

interface Form {
  readonly open: string;
  readonly close: string;
}

const link: readonly Form[] = [{ open: '[[', close: ']]' }];
/** The forms of each kind of mention, the default first. */
const forms: Readonly<Record<Mention['kind'], readonly Form[]>> = {
  note: link,
  heading: link,
  block: link,
  folder: link,
  tag: link,
  image: link,
  resource: link,
  prompt: [
    { open: '@', close: '' },
    { open: '/', close: '' },
  ],
  workspace: [{ open: '#', close: '' }],
  skill: [{ open: '/', close: '' }],
  tool: [{ open: '/', close: '' }],
};

/** Whether this version knows a kind of mention; stored ones may come from another version. */
export function isMentionKind(kind: string): kind is Mention['kind'] {
  return Object.hasOwn(forms, kind);
}

/** @param trigger the typed trigger, for mentions with several forms */
export function formatMention({ kind, label }: Mention, trigger?: string): string {
  const form = forms[kind].find(({ open }) => open === trigger) ?? forms[kind][0];
  return form === undefined ? label : form.open + label + form.close;
}

/** Whether a link of this kind may show another text than its target, as in `[[Note|text]]`. */
function mayShowOther(kind: Mention['kind']): boolean {
  return kind === 'note' || kind === 'heading' || kind === 'block';
}

/** @param shown the text that the link shows, with the bar before it; empty for none */
export function withShownText(mention: Mention, shown: string): Mention {
  return shown === '' || !mayShowOther(mention.kind) ? mention : { ...mention, label: mention.label + shown };
}

/** Returns the name of what a mention attaches, without the text that its link shows. */
export function targetNameOf({ kind, label }: Mention): string {
  return mayShowOther(kind) ? (label.split('|')[0] ?? label) : label;
}

/** Returns what a mention shows in a message, as Obsidian shows a link: its text, else its target. */
export function shownTextOf(mention: Mention): string {
  const target = targetNameOf(mention);
  return mention.label.slice(target.length + 1) || target;
}

export interface Place {
  readonly mention: Mention;
  readonly from: number;
  readonly to: number;
}

/** Finds the mentions in a text. Longer names go first, so that `@Plan` is not found inside `@Plan my week`. */
function placesOf(text: string, mentions: readonly Mention[]): Place[] {
  const places: Place[] = [];
  const taken = new TakenText(text);
  const named = mentions.filter(({ apart }) => apart !== true);
  const byLength = named.sort((a, b) => formatMention(b).length - formatMention(a).length);
  const written = byLength.flatMap((mention) =>
    forms[mention.kind].map(({ open, close }) => ({ mention, form: open + mention.label + close, close })),
  );
  for (const { mention, form, close } of written) {
    for (let from = text.indexOf(form); from >= 0; from = text.indexOf(form, from + 1)) {
      const to = from + form.length;
      if (taken.isByLonger(from, to) || (close === '' && !isAlone(text, from, to))) continue;
      places.push({ mention, from, to });
      taken.add(from, to);
    }
  }
  return places;
}

/** TakenText: where a text has the names that were found so far, longest first. It may have each of them very often. */
class TakenText {
  private readonly taken: Uint8Array;
  /** The places of names that are as long as the last one. */
  private last: { readonly from: number; readonly to: number }[] = [];

  constructor(text: string) {
    this.taken = new Uint8Array(text.length);
  }

  /** Whether a longer name shares a character with this place: it then has the first or the last one. */
  isByLonger(from: number, to: number): boolean {
    const [before] = this.last;
    if (before !== undefined && before.to - before.from > to - from) this.take();
    return this.taken[from] === 1 || this.taken[to - 1] === 1;
  }

  add(from: number, to: number): void {
    this.last.push({ from, to });
  }

  private take(): void {
    let end = 0;
    for (const { from, to } of this.last) {
      // Those of one name follow one another, and may overlap.
      this.taken.fill(1, from < end && to > end ? end : from, to);
      end = to;
    }
    this.last = [];
  }
}

/** Finds the mentions in a text, in their order there; those of one name are found at each of its places. */
export function findMentions(text: string, mentions: readonly Mention[]): readonly Place[] {
  return placesOf(text, mentions).sort((one, other) => one.from - other.from);
}

/** Links that are drawn in one message; a chat that came by sync may have any number of mentions. */
const maxLinks = 1_000;

/** Returns the places with the first mention at each, of several that have one name, as far as they are drawn as links. */
export function onePerPlace(places: readonly Place[]): readonly Place[] {
  return places.filter(({ from }, index) => from !== places[index - 1]?.from).slice(0, maxLinks);
}

function isAlone(text: string, from: number, to: number): boolean {
  return /^$|^\s$/.test(text.charAt(from - 1)) && !/^[\p{L}\p{N}_-]/u.test(text.slice(to, to + 2));
}

/** Returns the mentions whose name the text still contains, and those attached separately, each once. */
export function mentionsInText(mentions: readonly Mention[], text: string): readonly Mention[] {
  const found = new Set(placesOf(text, mentions).map(({ mention }) => mention));
  const remaining = mentions.filter(
    (mention, index) =>
      (mention.apart === true || found.has(mention)) &&
      mentions.findIndex(({ kind, id }) => kind === mention.kind && id === mention.id) === index,
  );
  return remaining.length === mentions.length ? mentions : remaining;
}

/** Removes a mention's name from the text, without leaving a double space. */
export function withoutMention(text: string, mention: Mention, mentions: readonly Mention[]): string {
  const places = placesOf(text, mentions).filter((place) => place.mention === mention);
  const lastFirst = places.sort((a, b) => b.from - a.from);
  return lastFirst.reduce((rest, { from, to }) => {
    const before = rest.slice(0, from);
    const after = rest.slice(to);
    return before + (/(^|\s)$/.test(before) ? after.replace(/^ /, '') : after);
  }, text);
}

/** Whether an attached mention begins at this offset and ends before the cursor. */
export function isAttachedAt(text: string, from: number, cursor: number, mentions: readonly Mention[]): boolean {
  return placesOf(text, mentions).some((place) => place.from === from && place.to <= cursor);
}

type Check = (id: string, context: MentionContext) => boolean;

const lacksFile: Check = (id, { vault }) => vault.file(id) === undefined;

const checks: Readonly<Record<Mention['kind'], Check>> = {
  note: lacksFile,
  image: lacksFile,
  prompt: (id, context) =>
    lacksFile(id, context) && context.prompts.every((prompt) => prompt.id !== id || prompt.source === 'config'),
  workspace: lacksFile,
  skill: (id, context) => lacksFile(id, context) && context.skills.every(({ location }) => location !== id),
  folder: (id, { vault }) => !vault.folders().includes(id),
  tool: (id, { tools }) => !tools.some(({ name }) => name === id),
  resource: (id, { resources = [] }) => resources.every((each) => resourceId(each) !== id),
  // Finding out that no note has a tag would read the outline of every note.
  tag: () => false,
  heading: (id, context) => {
    const { path, part } = splitPart(id);
    if (lacksFile(path, context)) return true;
    const outline = context.vault.outline(path);
    return outline !== undefined && findHeading(outline.headings, part) === -1;
  },
  block: (id, context) => {
    const { path, part } = splitPart(id);
    if (lacksFile(path, context)) return true;
    return context.vault.outline(path)?.blocks.every((block) => `^${block.id}` !== part) ?? false;
  },
};

/** Whether the note, folder, or other target of a mention is missing. */
export function isMissing({ kind, id, image }: Mention, context: MentionContext): boolean {
  // The image that is sent was stored when it was prepared.
  return image === undefined && checks[kind](id, context);
}

/** A message that is being written. */
interface Draft {
  readonly text: string;
  readonly mentions: readonly Mention[];
}

type Relabel = (path: string, label: string, linkText: (path: string) => string, before: string) => string;

const relabelNote: Relabel = (path, label, linkText, before) => {
  // The name of a note that came by sync may have the sign that comes before a heading.
  const names = [before.replace(/\.md$/i, ''), baseName(before)];
  const own = names.find((name) => label.startsWith(name) && /^(?:[#|]|$)/.test(label.slice(name.length)));
  return linkText(path) + (own === undefined ? (/[#|].*$/s.exec(label)?.[0] ?? '') : label.slice(own.length));
};
const asBefore: Relabel = (_path, label) => label;

/** The label of a mention of each kind with a path, after a move. */
const relabel: Readonly<Partial<Record<Mention['kind'], Relabel>>> = {
  note: relabelNote,
  heading: relabelNote,
  block: relabelNote,
  folder: (path) => `${path}/`,
  image: (path, _label, linkText) => linkText(path),
  prompt: asBefore,
  workspace: asBefore,
  skill: asBefore,
};

/**
 * Returns the draft as it goes on after a file or folder was moved: what it mentions of it under the new name. Null if it
 * mentions none of it.
 * @param linkText returns the text of a link to a note or an image
 */
export function followMove(draft: Draft, from: string, to: string, linkText: (path: string) => string): Draft | null {
  let { text } = draft;
  const mentions = draft.mentions.map((mention) => {
    const { path } = splitPart(mention.id);
    const moved = pathAfterMove(path, from, to);
    const label = moved === null ? undefined : relabel[mention.kind]?.(moved, mention.label, linkText, path);
    if (moved === null || label === undefined) return mention;
    const now = { ...mention, id: moved + mention.id.slice(path.length), label };
    if (label !== mention.label) text = text.replaceAll(formatMention(mention), () => formatMention(now));
    return now;
  });
  return mentions.every((mention, index) => mention === draft.mentions[index]) ? null : { text, mentions };
}

/** Returns a draft with what it names under the names that it has after moves, which are in their order. */
export function followAllMoves(
  draft: Draft,
  moves: readonly { readonly from: string; readonly to: string }[],
  linkText: (path: string) => string,
): Draft {
  return moves.reduce((now, { from, to }) => followMove(now, from, to, linkText) ?? now, draft);
}

// Arguments: the text that the user wrote after the name of a prompt.

/** Adds each prompt's arguments: the text from its first name to the name of the next prompt, or to the end. */
export function withArguments(text: string, mentions: readonly Mention[]): readonly Mention[] {
  const places = placesOf(text, mentions).filter(({ mention }) => mention.kind === 'prompt');
  if (places.length === 0) return mentions;
  const starts = places.map(({ from }) => from);
  return mentions.map((mention) => {
    const own = places.filter((place) => place.mention === mention).sort((a, b) => a.from - b.from)[0];
    if (own === undefined) return mention;
    const next = Math.min(text.length, ...starts.filter((from) => from >= own.to));
    return { ...mention, arguments: text.slice(own.to, next).trim() };
  });
}
