/** The fence: what the user keeps from the agent does not exist for it, in any list, search, link or read. */
import { words } from '../../../text';
import { propertiesBlockOf } from '../../markdown/properties';
import { fail, type Outcome } from '../../ports/failure';
import type { DiskVault, FileEntry } from '../../ports/vault';

export interface HiddenRules {
  /** The app's "Excluded files": path prefixes, or regular expressions between slashes. */
  readonly excluded: readonly string[];
  /** Folders of Docent's own that hold transcripts and copies, without a trailing slash. */
  readonly ownFolders: readonly string[];
  /** Folders that the user keeps from the agent, without a trailing slash. */
  readonly keptFolders?: readonly string[];
  /** Tags of notes that the user keeps from the agent, with or without `#`; tags below them count as well. */
  readonly keptTags?: readonly string[];
}

/** How what a note says of itself is found. */
export interface HiddenMarks {
  /** By the index; undefined for what it has not read. */
  ofNote(path: string): NoteMarks | undefined;
  /** By the text, which may be ahead of the index. */
  ofText(text: string): TextMarks;
}

/**
 * The layer over a guarded vault.
 * @param rules asked at each use; the same object means the same rules
 * @param marks without them the outlines of the vault say what notes say of themselves
 */
export function filterHidden(vault: DiskVault, rules: () => HiddenRules, marks: Partial<HiddenMarks> = {}): DiskVault {
  const marksOf = marks.ofNote ?? ((path: string) => vault.outline(path));
  const isMarked = (path: string): boolean => isMarkedHidden(marksOf(path), rules().keptTags);
  const files = remember<FileEntry>(
    () => vault.files(),
    rules,
    (entry, hides) => !hides(entry.path) && !(entry.kind === 'note' && isMarked(entry.path)),
  );
  const folders = remember<string>(
    () => vault.folders(),
    rules,
    (path, hides) => !hides(`${path}/`),
  );
  const visible = (path: string): boolean => !hider(rules())(path) && !isMarked(path);
  const find = (path: string): FileEntry | undefined => {
    const entry = vault.file(path);
    return entry && visible(entry.path) ? entry : undefined;
  };
  const hidden = (path: string): boolean => {
    const entry = vault.file(path);
    return entry !== undefined && !visible(entry.path);
  };
  return {
    name: vault.name,
    files,
    folders,
    file: find,
    read: async (path, signal) => {
      if (hidden(path)) return refuse(path);
      const read = await vault.read(path, signal);
      // What was typed a moment ago is not in the index yet.
      return read.ok && textIsMarkedHidden(read.value.text, rules().keptTags, marks.ofText) ? refuse(path) : read;
    },
    readBytes: async (path) => (hidden(path) ? refuse(path) : vault.readBytes(path)),
    outline: (path) => {
      const entry = find(path);
      const outline = entry && vault.outline(entry.path);
      if (outline === undefined) return undefined;
      const links = outline.links.map((link) =>
        link.path === undefined || visible(link.path)
          ? link
          : { target: link.target, embed: link.embed, line: link.line },
      );
      return { ...outline, links };
    },
    backlinks: (path) => (find(path) ? vault.backlinks(path).filter(visible) : []),
    resolveLink: (linkText, fromPath) => {
      const target = vault.resolveLink(linkText, fromPath);
      return target !== undefined && visible(target) ? target : undefined;
    },
  };
}

function refuse(path: string): Outcome<never> {
  return fail({ kind: 'refused', words: words.failures.pathHidden(path), remedy: words.failures.pathHiddenRemedy });
}

/** Whether the rules keep a path from the agent, whatever stands there; for paths that do not exist yet. */
export function isHidden(path: string, rules: HiddenRules): boolean {
  return hider(rules)(path);
}

type Hides = (path: string) => boolean;

const compiled = new WeakMap<HiddenRules, Hides>();

function hider(rules: HiddenRules): Hides {
  const known = compiled.get(rules);
  if (known !== undefined) return known;
  const folders = [...rules.ownFolders, ...(rules.keptFolders ?? [])].map((folder) => `${folder}/`);
  const prefixes = [...folders, ...rules.excluded.filter((pattern) => pattern !== '' && !isExpression(pattern))];
  const folded = prefixes.map((prefix) => prefix.toLowerCase());
  const expressions = rules.excluded.filter(isExpression).flatMap(compile);
  const hides: Hides = (path) => {
    const lower = path.toLowerCase();
    return folded.some((prefix) => lower.startsWith(prefix)) || expressions.some((each) => each.test(path));
  };
  compiled.set(rules, hides);
  return hides;
}

function isExpression(pattern: string): boolean {
  return /^\/.+\/$/.test(pattern);
}

/** A broken expression hides nothing, as in the app. */
function compile(pattern: string): RegExp | [] {
  try {
    return new RegExp(pattern.slice(1, -1));
  } catch {
    return [];
  }
}

/** Filters a list once for each state of the list and the rules. */
function remember<Item>(
  list: () => readonly Item[],
  rules: () => HiddenRules,
  keeps: (item: Item, hides: Hides) => boolean,
): () => readonly Item[] {
  let last: { readonly from: readonly Item[]; readonly rules: HiddenRules; readonly kept: readonly Item[] } | null =
    null;
  return () => {
    const from = list();
    const current = rules();
    if (last === null || last.from !== from || last.rules !== current) {
      const hides = hider(current);
      last = { from, rules: current, kept: from.filter((item) => keeps(item, hides)) };
    }
    return last.kept;
  };
}

// Kept marks: what a note says of itself that keeps it from the agent, a property or a tag.

/** `docent: false` in its properties keeps a note from the agent. */
export const hiddenProperty = 'docent';

interface NoteMarks {
  readonly properties: Readonly<Record<string, unknown>>;
  /** With the leading `#`. */
  readonly tags: readonly string[];
}

type TextMarks = Pick<NoteMarks, 'tags'>;

/** @param tags of the settings, with or without `#` */
export function isMarkedHidden(marks: NoteMarks | undefined, tags: readonly string[] = []): boolean {
  if (marks === undefined) return false;
  return isNo(marks.properties[hiddenProperty]) || (tags.length > 0 && hasTag(marks, tags));
}

const propertyLine = new RegExp(
  `^${hiddenProperty}[ \\t]*:[ \\t]*["']?(?:false|no|off)["']?[ \\t]*(?:#.*)?\\r?$`,
  'im',
);

/** The same by the text alone; a block of properties that cannot be read counts as it is written. */
export function textIsMarkedHidden(
  text: string,
  tags: readonly string[] = [],
  marksOf?: (text: string) => TextMarks,
): boolean {
  const block = propertiesBlockOf(text);
  if (block === 'unclosed' && propertyLine.test(text)) return true;
  if (block !== null && block !== 'unclosed' && propertyLine.test(text.slice(block.start, block.end))) return true;
  if (marksOf === undefined || tags.length === 0) return false;
  const folded = text.toLowerCase();
  return tags.some((tag) => folded.includes(foldTag(tag))) && hasTag(marksOf(text), tags);
}

/** A tag as it is compared: without `#`, in small letters. */
function foldTag(tag: string): string {
  return tag
    .trim()
    .replace(/^#+|\/+$/g, '')
    .toLowerCase();
}

function hasTag(marks: TextMarks, tags: readonly string[]): boolean {
  const kept = tags.map(foldTag).filter((tag) => tag !== '');
  return marks.tags.map(foldTag).some((own) => kept.some((tag) => own === tag || own.startsWith(`${tag}/`)));
}

/** Text counts as well, since a property may have been made as text. */
function isNo(value: unknown): boolean {
  return value === false || (typeof value === 'string' && /^\s*(?:false|no|off)\s*$/i.test(value));
}
