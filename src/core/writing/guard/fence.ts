/** Hides notes from the agent: a hidden note does not exist in any list, search, link, or read. */
import { words } from '../../../text';
import type { Steps } from '../../base/async';
import { compareText, countLeading, followList, judgeAll } from '../../base/list-edits';
import { foldPlace, isAscii } from '../../base/fold';
import { remember } from '../../base/lazy';
import { bodyTags } from '../../markdown/links';
import { spelledTags, spelledTagsIn } from '../../markdown/note-tags';
import { propertiesBlockOf } from '../../markdown/properties';
import { type Failure, fail, type Outcome } from '../../ports/failure';
import type { DiskVault, FileEntry } from '../../ports/vault';

export interface HiddenRules {
  /** Obsidian's "Excluded files": path prefixes, or regular expressions between slashes. */
  readonly excluded: readonly string[];
  /** Docent's own folders with transcripts and copies, without a trailing slash. */
  readonly ownFolders: readonly string[];
  /** Folders that the user hides from the agent, without a trailing slash. */
  readonly keptFolders?: readonly string[];
  /** Tags of notes that the user hides from the agent, with or without `#`; nested tags count too. */
  readonly keptTags?: readonly string[];
  /** Whether these two lists could not be read, so that everything is hidden. */
  readonly isClosed?: boolean;
  /** Whether Obsidian's could not, with the same effect. */
  readonly isAppUnread?: boolean;
}

/** Finds the properties and tags by which a note can hide itself. */
export interface HiddenMarks {
  /** Looks them up in the index; undefined for a note not indexed yet. */
  readonly ofNote: (path: string) => NoteMarks | undefined;
  /** Returns the paths of all notes whose marks pass a test, without those that are not indexed yet. */
  readonly find: (test: (marks: NoteMarks) => boolean) => Steps<ReadonlySet<string>>;
  /** Parses the properties of text, which may be newer than the index. */
  ofText(text: string): NoteMarks['properties'];
}

/** A vault whose list of files can be made in steps; else it is made at once when it is first asked for. */
export interface PreparedVault extends DiskVault {
  prepare(): Steps<void>;
}

/**
 * Returns a view of a guarded vault without hidden notes.
 * @param rules called at each use; the same object means the same rules
 * @param marks default to the vault's outlines
 */
export function filterHidden(
  vault: DiskVault,
  rules: () => HiddenRules,
  marks: Partial<HiddenMarks> = {},
): PreparedVault {
  const { find: findMarked, ofNote: marksOf = (path) => vault.outline(path) } = marks;
  const isMarked = (path: string, { keptTags } = rules()): boolean => isMarkedHidden(marksOf(path), keptTags);
  const files = followList(
    () => vault.files(),
    rules,
    (current) => {
      const { hides } = hider(current);
      return ({ path, kind }: FileEntry) => !hides(path) && !(kind === 'note' && isMarked(path, current));
    },
    (a, b) => compareText(a.path, b.path),
    findMarked && ((all, current) => listShown(all, current, findMarked)),
  );
  const folders = followList(
    () => vault.folders(),
    rules,
    (current) => {
      const { hides } = hider(current);
      return (path: string) => !hides(`${path}/`);
    },
    compareText,
  );
  const visible = (path: string): boolean => !hider(rules()).hides(path) && !isMarked(path);
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
    files: files.current,
    prepare: files.prepare,
    folders: folders.current,
    file: find,
    read: async (path, signal) => {
      const { isClosed, isAppUnread } = rules();
      if (isClosed === true) return refuseClosed();
      if (isAppUnread === true) return fail(appUnread());
      if (hidden(path)) return refuse(path);
      const read = await vault.read(path, signal);
      // Text typed a moment ago is not in the index yet.
      return read.ok && textIsMarkedHidden(read.value.text, rules().keptTags, marks.ofText) ? refuse(path) : read;
    },
    readBytes: async (path) => (hidden(path) ? refuse(path) : vault.readBytes(path)),
    tags: (path) => {
      const entry = vault.file(path);
      if (entry === undefined || hider(rules()).hides(entry.path)) return undefined;
      // They are looked up once, to judge the note by and to return.
      const found = marksOf(entry.path);
      return isMarkedHidden(found, rules().keptTags) ? undefined : found?.tags;
    },
    ...visibleLinks(vault, (path) => find(path)?.path, visible),
  };
}

/**
 * Returns the links of notes without those that lead to a note that is not shown, or come from one.
 * @param shown returns the path of a note as it is stored; undefined for one that is not shown
 * @param isVisible whether a link may lead to a path
 */
export function visibleLinks(
  vault: DiskVault,
  shown: (path: string) => string | undefined,
  isVisible: (path: string) => boolean,
): Pick<DiskVault, 'outline' | 'backlinks' | 'resolveLink'> {
  return {
    outline: (path) => {
      const stored = shown(path);
      const outline = stored === undefined ? undefined : vault.outline(stored);
      if (outline === undefined) return undefined;
      // Many links of a note lead to the same few.
      const paths = new Set(outline.links.map((link) => link.path));
      const hidden = new Set([...paths].filter((each) => each !== undefined && !isVisible(each)));
      if (hidden.size === 0) return outline;
      const links = outline.links.map((link) =>
        hidden.has(link.path) ? { target: link.target, embed: link.embed, line: link.line } : link,
      );
      return { ...outline, links };
    },
    backlinks: (path) => (shown(path) === undefined ? [] : vault.backlinks(path).filter(isVisible)),
    resolveLink: (linkText, fromPath) => {
      const target = vault.resolveLink(linkText, fromPath);
      return target !== undefined && isVisible(target) ? target : undefined;
    },
  };
}

function refuse(path: string): Outcome<never> {
  return fail({ kind: 'refused', words: words.failures.pathHidden(path), remedy: words.failures.pathHiddenRemedy });
}

function refuseClosed(): Outcome<never> {
  return fail({ kind: 'refused', words: words.failures.notesClosed, remedy: words.failures.notesClosedRemedy });
}

/** Why nothing is read while Obsidian's excluded files are unknown. */
function appUnread(): Failure {
  return { kind: 'refused', words: words.failures.appUnread, remedy: words.failures.appUnreadRemedy };
}

/** Whether the rules hide a path, also one that does not exist yet; the marks of a note are not checked. */
export function isHidden(path: string, rules: HiddenRules): boolean {
  return hider(rules).hides(path);
}

interface Hider {
  readonly hides: (path: string) => boolean;
  /** Returns the topmost folder of a path in which nothing is hidden, however deep; null if there is none. */
  readonly clearFolder: (path: string) => string | null;
}

const closed: Hider = { hides: () => true, clearFolder: () => null };
const compiled = new WeakMap<HiddenRules, Hider>();

function hider(rules: HiddenRules): Hider {
  const known = compiled.get(rules);
  if (known !== undefined) return known;
  if (rules.isClosed === true || rules.isAppUnread === true) return closed;
  const folders = folderPrefixes([...rules.ownFolders, ...(rules.keptFolders ?? [])]);
  const prefixes = [...folders, ...rules.excluded.filter((pattern) => pattern !== '' && !isExpression(pattern))];
  const folded = prefixes.map(foldPlace);
  const expressions = rules.excluded.filter(isExpression).flatMap(compile);
  const verdictOf = remember(maxFolderVerdicts, (folder) => judgeFolder(folder, folded));
  // Lists are sorted by path, so that files of one folder come one after another.
  let last = { folder: '', verdict: verdictOf('') };
  const judge = (path: string): typeof last => {
    if (!path.startsWith(last.folder) || path.indexOf('/', last.folder.length) !== -1) {
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      last = { folder, verdict: verdictOf(folder) };
    }
    return last;
  };
  const hides: Hider['hides'] = (path) => {
    const { folder, verdict } = judge(path);
    if (verdict.isHidden) return true;
    if (verdict.names.length > 0) {
      const name = foldPlace(path.slice(folder.length));
      if (verdict.names.some((beginning) => name.startsWith(beginning))) return true;
    }
    if (expressions.length === 0) return false;
    const forms = isAscii(path) ? [path] : [...new Set([path, path.normalize('NFC'), path.normalize('NFD')])];
    return expressions.some((each) => forms.some((form) => each.test(form)));
  };
  const clearFolder: Hider['clearFolder'] = (path) => {
    if (expressions.length > 0 || !judge(path).verdict.isClear) return null;
    let top = '';
    while (!verdictOf(top).isClear) top = path.slice(0, path.indexOf('/', top.length) + 1);
    return top;
  };
  const made = { hides, clearFolder };
  compiled.set(rules, made);
  return made;
}

/** Returns the files of a sorted list that are not hidden; those of a folder in which none can be are not looked at. */
function* listShown(
  all: readonly FileEntry[],
  rules: HiddenRules,
  find: HiddenMarks['find'],
): Steps<readonly FileEntry[]> {
  const marked = yield* find((marks) => isMarkedHidden(marks, rules.keptTags));
  const { hides, clearFolder } = hider(rules);
  let clearUntil = 0;
  return yield* judgeAll(all, (entry, at) => {
    if (at >= clearUntil) clearUntil = endOf(all, clearFolder(entry.path)) || at;
    return (at < clearUntil || !hides(entry.path)) && (marked.size === 0 || !marked.has(entry.path));
  });
}

/** Returns where the files of a folder end in a list sorted by path; 0 without a folder. */
function endOf(all: readonly FileEntry[], folder: string | null): number {
  // `0` is the character after the slash.
  const end = folder && `${folder.slice(0, -1)}0`;
  return end === null ? 0 : countLeading(all, ({ path }) => end === '' || path < end);
}

/**
 * Returns each folder with its slash, without those that have no name: settings that were written by hand, or by another
 * program, may have slashes at the ends of a folder.
 */
export function folderPrefixes(folders: readonly string[]): string[] {
  const named = folders.map((folder) => folder.split('/').filter((name) => name !== ''));
  return named.filter((names) => names.length > 0).map((names) => `${names.join('/')}/`);
}

/** What the rules say of all paths directly in a folder. */
interface FolderVerdict {
  readonly isHidden: boolean;
  /** The folded beginnings of the names in it that are hidden. */
  readonly names: readonly string[];
  /** Whether they hide nothing in it, nor in the folders below it. */
  readonly isClear: boolean;
}

const maxFolderVerdicts = 20_000;

/**
 * A folder's path and a name are folded separately: a slash never combines with what follows it.
 * @param folder empty for the root, else with its slash
 */
function judgeFolder(folder: string, prefixes: readonly string[]): FolderVerdict {
  const own = foldPlace(folder);
  const inner = prefixes.flatMap((prefix) => (prefix.startsWith(own) ? [prefix.slice(own.length)] : []));
  const isHidden = prefixes.some((prefix) => own.startsWith(prefix));
  return { isHidden, names: inner.filter((name) => !name.includes('/')), isClear: !isHidden && inner.length === 0 };
}

function isExpression(pattern: string): boolean {
  return /^\/.+\/$/.test(pattern);
}

/** An invalid expression hides nothing, as in Obsidian. */
function compile(pattern: string): RegExp | [] {
  try {
    return new RegExp(pattern.slice(1, -1));
  } catch {
    return [];
  }
}

// Hiding marks: a property or a tag by which a note hides itself from the agent.

/** `docent: false` in its properties hides a note from the agent. */
export const hiddenProperty = 'docent';

interface NoteMarks {
  readonly properties: Readonly<Record<string, unknown>>;
  /** With the leading `#`. */
  readonly tags: readonly string[];
  /** An object that is replaced whenever they change. */
  readonly record?: object;
}

interface TagVerdict {
  readonly hidden: readonly string[];
  readonly isHidden: boolean;
}

/** Whether the tags of a record are hidden ones, with the list of hidden tags that was asked about. */
const tagVerdicts = new WeakMap<object, TagVerdict>();

/** @param tags the hidden tags from the settings, with or without `#` */
export function isMarkedHidden(marks: NoteMarks | undefined, tags: readonly string[] = []): boolean {
  if (marks === undefined) return false;
  if (hasHiddenProperty(marks.properties)) return true;
  if (tags.length === 0) return false;
  const known = marks.record && tagVerdicts.get(marks.record);
  if (known?.hidden === tags) return known.isHidden;
  const isHidden = hasTag([...marks.tags, ...spelledTags(marks.properties)], tags);
  if (marks.record !== undefined) tagVerdicts.set(marks.record, { hidden: tags, isHidden });
  return isHidden;
}

const propertyLine = new RegExp(
  `^${hiddenProperty}[ \\t]*:[ \\t]*["']?(?:false|no|off)["']?[ \\t]*(?:#.*)?\\r?$`,
  'im',
);

/**
 * Like `isMarkedHidden`, for text alone. What is among the properties counts as written, even if the block cannot be
 * parsed.
 * @param propertiesOf reads the properties as Obsidian would, where YAML spells a tag in another way
 */
export function textIsMarkedHidden(
  text: string,
  tags: readonly string[] = [],
  propertiesOf?: (text: string) => NoteMarks['properties'],
): boolean {
  const block = propertiesBlockOf(text);
  const inner = block === null ? '' : block === 'unclosed' ? text : text.slice(block.start, block.end);
  if (propertyLine.test(inner)) return true;
  // Only a backslash can spell a name in other letters.
  const names = (all: string, name: string): boolean => inner.includes('\\') || all.includes(name);
  const properties = names(foldPlace(inner), hiddenProperty) ? (propertiesOf?.(text) ?? {}) : {};
  if (hasHiddenProperty(properties)) return true;
  if (tags.length === 0) return false;
  const folded = foldPlace(text);
  if (!tags.some((tag) => names(folded, foldTag(tag)))) return false;
  const written = [...spelledTagsIn(inner), ...spelledTags(propertiesOf?.(text) ?? {})];
  return hasTag([...written, ...bodyTags(text)], tags);
}

/** Normalizes a tag for comparison: without `#`, in any spelling of its letters. */
function foldTag(tag: string): string {
  return foldPlace(tag.trim().replace(/^#+|\/+$/g, ''));
}

function hasTag(own: readonly string[], tags: readonly string[]): boolean {
  const hidden = tags.map(foldTag).filter((tag) => tag !== '');
  return own.map(foldTag).some((found) => hidden.some((tag) => found === tag || found.startsWith(`${tag}/`)));
}

/** As in Obsidian, the case of a property's name makes no difference. */
function hasHiddenProperty(properties: NoteMarks['properties']): boolean {
  // Asked of each note of the vault.
  for (const name of Object.keys(properties)) {
    const isIt = name.length === hiddenProperty.length && name.toLowerCase() === hiddenProperty;
    if (isIt && isNo(properties[name])) return true;
  }
  return false;
}

/** Whether a value means false; text such as "no" counts too, since the property may be of type text. */
function isNo(value: unknown): boolean {
  return value === false || (typeof value === 'string' && /^\s*(?:false|no|off)\s*$/i.test(value));
}
