/**
 * Scope: where Auto-edit may write without asking, which is what the user named in this chat (design 9). It is folded
 * from the chat's log, so that it lasts over turns and restarts, and no text that the chat reads can widen it.
 */
import { foldText } from '../../base/fold';
import { lazy } from '../../base/lazy';
import { isUserEntry, type SessionEntry } from '../../session/entry';
import { findLast } from '../../session/running-fold';
import type { FileChange } from '../changeset/changeset';

export interface WriteScope {
  /** Whether the user named the note, or a folder above it, or the chat created it. */
  includes(path: string): boolean;
}

/**
 * Paths are compared letter by letter: on some disks another spelling is another file, and a grant must not reach it.
 * @param workspaceFolder the folder of the chosen workspace; null without one, and for the root
 */
export function foldScope(entries: readonly SessionEntry[], workspaceFolder: string | null): WriteScope {
  const named = new NamedPlaces();
  const chosen = findChosenAnswers(entries);
  let request = '';
  for (const entry of entries) {
    if (entry.kind === 'user') {
      request = chosen.has(entry) ? '' : entry.text;
      for (const { kind, id } of entry.mentions) named.mention(kind, id);
    } else if (entry.kind === 'turn-zone') {
      const path = entry.editor?.activeNote?.path;
      if (path !== undefined && asksAboutOpenNote(request, path)) named.notes.add(path);
    } else if (entry.kind === 'changes-settled') named.settled(entry);
    else if (entry.kind === 'changes-undone') named.undone(entry);
  }
  const folder = workspaceFolder?.replace(/^\/+|\/+$/g, '') ?? '';
  if (folder !== '') named.folders.add(`${folder}/`);
  return { includes: (path) => named.includes(path) };
}

/**
 * Returns the path of the note in that of a heading or block. A heading may contain the ending of a file name, so the
 * path is the shortest part that is one.
 */
function noteOfPlace(place: string): string {
  return place.replace(/(\.md)#.*$/is, '$1');
}

/** Returns the paths that the newest message mentions or attaches, folders with a trailing slash; null for none. */
export function mentionedPaths(entries: readonly SessionEntry[]): readonly string[] | null {
  const message = findLast(entries, isUserEntry);
  const paths = (message?.mentions ?? []).flatMap(({ kind, id }) => {
    if (kind === 'note' || kind === 'heading' || kind === 'block') return [kind === 'note' ? id : noteOfPlace(id)];
    return kind === 'folder' ? [`${id.replace(/\/+$/, '')}/`] : [];
  });
  return paths.length === 0 ? null : paths;
}

/** Returns the ends of a change that are outside the scope: a moved note has two. */
export function endsOutside({ from, to }: Pick<FileChange, 'from' | 'to'>, scope: WriteScope): string[] {
  return [...new Set([from, to])].filter((path): path is string => path !== null && !scope.includes(path));
}

type EntryOf<Kind extends SessionEntry['kind']> = SessionEntry & { readonly kind: Kind };

interface AppliedChange extends Pick<FileChange, 'from' | 'to'> {
  /** Whether the note was named before it. */
  readonly isNamed: boolean;
}

class NamedPlaces {
  readonly notes = new Set<string>();
  /** With a slash at the end; the root is the empty text. */
  readonly folders = new Set<string>();
  /** What each journal operation did, the later ones of undos and redos included. */
  private readonly done = new Map<string, AppliedChange>();

  includes(path: string): boolean {
    return this.notes.has(path) || [...this.folders].some((folder) => path.startsWith(folder));
  }

  mention(kind: string, id: string): void {
    if (kind === 'note') this.notes.add(id);
    if (kind === 'heading' || kind === 'block') this.notes.add(noteOfPlace(id));
    if (kind === 'folder') this.folders.add(id.replace(/^\/+|\/+$/g, '').replace(/.$/s, '$&/'));
  }

  settled({ applied, results }: EntryOf<'changes-settled'>): void {
    for (const { change: id, operations } of results) {
      const change = applied.find((each) => each.id === id);
      if (change === undefined) continue;
      const { from, to } = change;
      const isNamed = from !== null && this.notes.has(from);
      for (const operation of operations) this.done.set(operation, { from, to, isNamed });
      this.moved(from, to);
    }
  }

  undone({ pairs, redo }: EntryOf<'changes-undone'>): void {
    const undone = new Set<AppliedChange>();
    for (const { operation, by } of pairs) {
      const change = this.done.get(operation);
      if (change === undefined) continue;
      this.done.set(by, change);
      undone.add(change);
    }
    for (const { from, to, isNamed } of undone) {
      if (redo) this.moved(from, to);
      else if (to !== null) this.moved(to, from);
      // A note that comes back from the trash is not one that the chat created.
      else if (isNamed && from !== null) this.notes.add(from);
    }
  }

  /** What the chat creates is its own, a named note stays named where it is moved to, and a deleted one no longer is. */
  private moved(from: string | null, to: string | null): void {
    if (from === to) return;
    const follows = from === null || this.notes.delete(from);
    if (follows && to !== null) this.notes.add(to);
  }
}

// The open note: it is named when the user asks about it, in words that the model is asked to read the same way.

/** Characters of the start of a message that are read for such words: what follows is often a pasted text. */
const maxAsked = 600;

/** Whether the first paragraph of a message speaks of the open note: by its name, or as what the user has before them. */
function asksAboutOpenNote(message: string, path: string): boolean {
  const lines =
    message
      .slice(0, maxAsked)
      .trimStart()
      .split(/\r?\n[ \t]*\r?\n/, 1)[0]
      ?.split('\n') ?? [];
  const asked = wordsOf(lines.filter((line) => !/^\s*>/.test(line)).join('\n'));
  const name = wordsOf(path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, ''));
  if (name.trim() !== '' && asked.includes(name)) return true;
  return points().test(asked);
}

/** Returns the words of a text in folded letters, with a space around each. */
function wordsOf(text: string): string {
  return ` ${foldText(text)
    .replace(/\bhere(?:['\u2019]s| is| are| comes)\b/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

/** Phrases, in folded letters, by which people point to what they have open. */
const pointing: readonly string[] = [
  ...'here,hier,ici,aqui,qui'.split(','),
  ...'note,file,page,document,text,canvas,draft,section,paragraph,list,table,sentence,heading'
    .split(',')
    .map((thing) => `this ${thing}`),
  ...['open', 'current', 'active'].flatMap((which) =>
    ['note', 'file', 'document', 'page'].map((it) => `${which} ${it}`),
  ),
  ...['the selection', 'selected text', 'selected lines', 'highlighted text', 'what i selected'],
  ...['diese notiz', 'dieser notiz', 'diese datei', 'dieser datei', 'diese seite', 'dieser seite', 'diese liste'],
  ...['diesen text', 'diesem text', 'dieses dokument', 'diesem dokument', 'diesen absatz', 'diesem absatz'],
  ...['diesen abschnitt', 'diesem abschnitt', 'offene notiz', 'offenen notiz', 'aktuelle notiz', 'aktuellen notiz'],
  ...['cette note', 'ce texte', 'cette page', 'ce document', 'ce fichier', 'ce paragraphe', 'cette section'],
  ...['esta nota', 'este texto', 'esta pagina', 'este documento', 'este archivo', 'este parrafo', 'esta seccion'],
  ...['questa nota', 'questo testo', 'questa pagina', 'questo documento', 'questo file', 'este ficheiro'],
  ...['deze notitie', 'deze tekst', 'dit bestand', 'dit document', 'deze pagina'],
];

/** The same in scripts without spaces between words. */
const pointingUnspaced: readonly string[] = [
  ...['\u8fd9\u7bc7\u7b14\u8bb0', '\u8fd9\u4e2a\u7b14\u8bb0', '\u6b64\u7b14\u8bb0', '\u5f53\u524d\u7b14\u8bb0'],
  ...['\u3053\u306e\u30ce\u30fc\u30c8', '\u3053\u306e\u30e1\u30e2'],
];

/** All of them at once: each alone would be looked for through the whole message. */
const points = lazy(() => new RegExp(` (?:${pointing.join('|')}) |${pointingUnspaced.join('|')}`));

/**
 * Returns the messages that say nothing but options of the questions in the turn before. They send what the model wrote,
 * so they name no place and vouch for no address.
 */
export function findChosenAnswers(entries: readonly SessionEntry[]): ReadonlySet<SessionEntry> {
  const chosen = new Set<SessionEntry>();
  let offered = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === 'tool-result' && entry.view?.kind === 'question') {
      for (const part of entry.view.options.flatMap(partsOf)) offered.add(part);
    } else if (entry.kind === 'user') {
      if (offered.size > 0 && partsOf(entry.text).every((part) => offered.has(part))) chosen.add(entry);
      offered = new Set();
    }
  }
  return chosen;
}

/** Several options are sent with a comma between them, and each may have one of its own. */
function partsOf(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}
