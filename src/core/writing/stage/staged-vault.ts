/** StagedVault: the agent reads back its own writes, while the disk does not change until the user accepts them. */
import { words } from '../../../text';
import { byteLength } from '../../base/cut';
import { isWritable } from '../../markdown/encoding';
import { type PropertyValue, setProperty, spelledName } from '../../markdown/properties';
import { structureOf } from '../../markdown/structure';
import type { Clock, Digest, Identifiers } from '../../ports/device';
import { fail, type Outcome, succeed } from '../../ports/failure';
import type { FileEntry, NoteOutline, NoteText, Vault } from '../../ports/vault';
import { type Changeset, type FileChange, type StagedCall, stepsOf, textAfter, withText } from '../changeset/changeset';
import { isOpenable } from '../changeset/describe-changeset';
import { checkKind, extensionOf } from '../guard/path-guard';
import { appendText, editText, unwritable } from './edit-text';
import { followNote, isMissing, type NoteMove } from './follow-notes';
import {
  type CallReference,
  type CheckedFile,
  checkBase,
  linesOfWrite,
  refused,
  SeenNotes,
  type StagedWrite,
} from './staged-base';
import { Overlay, StagedView, type StagedViewPorts } from './staged-view';

export interface StagedVaultPorts extends StagedViewPorts {
  readonly digest: Digest;
  readonly identifiers: Identifiers;
  readonly clock: Clock;
  /** Checks a path that does not exist yet, by path guard and hiding rules. */
  guardNew(path: string): Outcome<string>;
  /** SHA-256 of the bytes of a file that is not text. */
  hashFile(path: string): Promise<Outcome<string>>;
  /** Whether the disk keeps two files whose names differ in upper and lower case alone; no if absent. */
  distinguishesCase?(): boolean;
  /** Returns the source of untrusted text in the chat; null for none. */
  taint(): string | null;
}

export class StagedVault implements Vault {
  readonly seen = new SeenNotes();
  private readonly overlay = new Overlay();
  private readonly view: StagedView;
  private readonly caps = new WriteCaps();
  private readonly calls = new Set<string>();
  private id: string | null = null;
  private latest = 0;

  constructor(
    private readonly under: Vault,
    private readonly ports: StagedVaultPorts,
  ) {
    this.view = new StagedView(under, this.overlay, ports);
  }

  get name(): string {
    return this.under.name;
  }
  files(): readonly FileEntry[] {
    return this.view.files();
  }
  folders(): readonly string[] {
    return this.view.folders();
  }
  file(path: string): FileEntry | undefined {
    return this.view.file(path);
  }
  read(path: string, signal?: AbortSignal): Promise<Outcome<NoteText>> {
    return this.view.read(path, signal);
  }
  tags(path: string): readonly string[] | undefined {
    return this.view.tags(path);
  }

  outline(path: string): NoteOutline | undefined {
    return this.view.outline(path);
  }
  backlinks(path: string): readonly string[] {
    return this.view.backlinks(path);
  }
  resolveLink(linkText: string, fromPath: string): string | undefined {
    return this.view.resolveLink(linkText, fromPath);
  }

  /** Resets the caps for a new turn; pending changes stay. */
  startTurn(): void {
    this.caps.startTurn();
  }

  /** Returns the changes that wait for review; null if there are none. */
  changeset(): Changeset | null {
    const changes = this.overlay.pending().map(({ change }) => change);
    return changes.length === 0 || this.id === null ? null : { id: this.id, changes };
  }

  /** Restores the changes that were pending when the chat was closed. */
  restore(changeset: Changeset): void {
    for (const { change } of this.overlay.pending()) this.overlay.drop(change.id);
    this.id = changeset.id;
    for (const change of changeset.changes) {
      for (const call of change.calls) this.calls.add(call.id);
      this.overlay.put({ change, modified: this.tick(), applied: false });
    }
  }

  /**
   * Updates the staged files after a review: applied changes stay visible until Obsidian's index includes them,
   * rejected ones are dropped, and those that failed to apply keep waiting with what is left of them.
   */
  settle(applied: readonly FileChange[], waiting: readonly FileChange[] = []): void {
    const [done, remaining] = [byId(applied), byId(waiting)];
    for (const { change } of this.overlay.pending()) {
      const after = done.get(change.id);
      const left = remaining.get(change.id);
      const isMissing = after?.to === null && after.from !== null && this.under.file(after.from)?.path !== after.from;
      if (left !== undefined) this.overlay.put({ change: left, modified: this.tick(), applied: false });
      else if (after !== undefined && !isMissing)
        this.overlay.put({ change: after, modified: this.tick(), applied: true });
      else this.overlay.drop(change.id);
    }
    if (waiting.length === 0) this.id = null;
  }

  /** Drops applied changes once Obsidian's index has read their paths. */
  heard(paths: readonly string[]): void {
    for (const { change, applied } of this.overlay.all()) {
      if (applied && isKnown(change, paths, this.under)) this.overlay.drop(change.id);
    }
  }

  /** Drops all applied changes, such as after an undo, so that the disk is shown as it is. */
  forgetApplied(): void {
    for (const { change, applied } of this.overlay.all()) if (applied) this.overlay.drop(change.id);
  }

  /** Replaces the proposed text with the user's own. */
  revise(changeId: string, text: string): Outcome<void> {
    const staged = this.overlay.get(changeId);
    if (staged === undefined || staged.applied || staged.change.to === null) {
      return refused(words.writing.nothingWaits);
    }
    if (!isWritable(text)) return fail(unwritable());
    const change = withText(staged.change, text);
    if (stepsOf(change).length === 0) this.overlay.drop(changeId);
    else this.overlay.put({ change, modified: this.tick(), applied: false });
    return succeed(undefined);
  }

  /**
   * Takes waiting changes along to where their note was moved, if the agent may see it there. Two devices may each have
   * proposed one.
   * @returns whether there was such a change
   */
  follow(move: NoteMove): boolean {
    const waiting = this.overlay.pending().filter(({ change }) => change.from === move.from);
    if (waiting.length === 0 || this.under.file(move.to)?.path !== move.to) return false;
    const other = this.overlay.at(move.to);
    if (other !== undefined && !waiting.includes(other)) return false;
    for (const staged of waiting) {
      const change = followNote(staged.change, move);
      if (stepsOf(change).length === 0) this.overlay.drop(change.id);
      else this.overlay.put({ change, modified: this.tick(), applied: false });
    }
    this.seen.move(move.from, move.to);
    return true;
  }

  /** Makes a change of a note that is no longer there a new note with the whole proposed text. */
  createAgain(changeId: string): Outcome<void> {
    const staged = this.overlay.get(changeId);
    const { change } = staged ?? {};
    if (
      change === undefined ||
      staged?.applied === true ||
      change.to === null ||
      typeof change.base?.text !== 'string'
    ) {
      return refused(words.writing.nothingWaits);
    }
    if (!isMissing(change, this.under)) return refused(words.writing.placeTaken(change.from ?? ''));
    const place = this.ports.guardNew(change.to);
    if (!place.ok) return place;
    const made = { ...change, from: null, base: null, text: textAfter(change) };
    this.overlay.put({ change: made, modified: this.tick(), applied: false });
    return succeed(undefined);
  }

  create(path: string, text: string, call: CallReference): Promise<Outcome<StagedWrite>> {
    return this.attempt(call, () => {
      const place = findFreePath(this.places(), path);
      if (!place.ok) return place;
      const kind = checkKind(place.value);
      if (!kind.ok) return kind;
      if (!isWritable(text)) return fail(unwritable());
      if (!isOpenable(place.value, text, this.ports.yaml)) return refused(words.writing.notOpenable(place.value));
      const spent = this.caps.spend({ bytes: byteLength(text), deletes: 0 });
      if (!spent.ok) return spent;
      const made = { id: this.ports.identifiers.next(), from: null, to: place.value, base: null, text };
      return succeed(this.stage({ ...made, calls: [], taint: null }, '', call));
    });
  }

  /** Replaces the only passage that matches the old text. */
  edit(path: string, oldText: string, newText: string, call: CallReference): Promise<Outcome<StagedWrite>> {
    return this.rewrite(path, byteLength(newText), call, 'must-read', (text, at) =>
      editText(at, text, oldText, newText),
    );
  }

  append(
    path: string,
    addition: string,
    call: CallReference,
    place: { readonly heading?: string } = {},
  ): Promise<Outcome<StagedWrite>> {
    return this.rewrite(path, byteLength(addition), call, 'may-be-unread', (text, at) => {
      const { headings, lines } = structureOf(text);
      const placed = headings.map((heading) => ({ ...heading, start: lines[heading.line]?.start ?? 0 }));
      return appendText(at, text, addition, placed, place);
    });
  }

  /** Sets properties in order; undefined removes one. Either all are set or none. */
  setProperties(
    path: string,
    properties: readonly (readonly [key: string, value: PropertyValue])[],
    call: CallReference,
  ): Promise<Outcome<StagedWrite>> {
    const bytes = byteLength(JSON.stringify(properties));
    const { yaml } = this.ports;
    return this.rewrite(path, bytes, call, 'may-be-unread', (text, at) => {
      if (extensionOf(at) !== 'md') return refused(words.writing.noProperties(at));
      let edited: Outcome<string> = succeed(text);
      for (const [name, value] of properties) {
        if (edited.ok) edited = setProperty(at, edited.value, spelledName(edited.value, name, yaml), value, yaml);
      }
      return edited;
    });
  }

  move(path: string, newPath: string, call: CallReference): Promise<Outcome<StagedWrite>> {
    return this.attempt(call, async () => {
      const file = await this.check(path, 'may-be-unread', call);
      if (!file.ok) return file;
      const target = findFreePath(this.places(), newPath, file.value.path);
      if (!target.ok) return target;
      if (extensionOf(target.value) !== extensionOf(file.value.path)) return refused(words.writing.kindUnchanged(path));
      const spent = this.caps.spend({ bytes: 0, deletes: 0 });
      if (!spent.ok) return spent;
      this.seen.move(file.value.path, target.value);
      return succeed(this.stage({ ...file.value.change, to: target.value }, null, call));
    });
  }

  delete(path: string, call: CallReference): Promise<Outcome<StagedWrite>> {
    return this.attempt(call, async () => {
      const file = await this.check(path, 'must-read', call);
      if (!file.ok) return file;
      const spent = this.caps.spend({ bytes: 0, deletes: 1 });
      if (!spent.ok) return spent;
      this.seen.forget(file.value.path);
      const staged = this.stage({ ...file.value.change, to: null, text: null }, null, call);
      // A file that was only proposed has no path in the change any more.
      return succeed({ ...staged, path: file.value.path });
    });
  }

  private rewrite(
    path: string,
    bytes: number,
    call: CallReference,
    reading: Reading,
    remake: (text: string, path: string) => Outcome<string>,
  ): Promise<Outcome<StagedWrite>> {
    return this.attempt(call, async () => {
      const file = await this.check(path, reading, call);
      if (!file.ok) return file;
      const { change, text } = file.value;
      const kind = checkKind(file.value.path);
      if (!kind.ok) return kind;
      if (text === null) return refused(words.writing.notPlainText(path));
      const edited = remake(text, file.value.path);
      if (!edited.ok) return edited;
      const canOpen = (version: string): boolean => isOpenable(file.value.path, version, this.ports.yaml);
      if (!canOpen(edited.value) && canOpen(text)) return refused(words.writing.notOpenable(file.value.path));
      const spent = this.caps.spend({ bytes, deletes: 0 });
      if (!spent.ok) return spent;
      return succeed(this.stage({ ...change, text: edited.value }, text, call));
    });
  }

  /** Runs a write once per tool call (H12), and refuses calls whose arguments failed too often. */
  private async attempt(
    call: CallReference,
    write: () => Outcome<StagedWrite> | Promise<Outcome<StagedWrite>>,
  ): Promise<Outcome<StagedWrite>> {
    const key = `${call.tool} ${this.ports.digest(JSON.stringify(call.arguments) ?? '')}`;
    const again = this.caps.mayTry(key);
    if (!again.ok) return again;
    if (this.calls.has(call.id)) return refused(words.failures.repeatedCallId);
    this.calls.add(call.id);
    const outcome = await write();
    if (!outcome.ok) this.caps.countFailure(key);
    return outcome;
  }

  /** Returns the file with its staged change, based on the version on disk. */
  private async check(path: string, reading: Reading, { signal }: CallReference): Promise<Outcome<CheckedFile>> {
    const { under, overlay, seen, view, ports } = this;
    const checked = await checkBase({ under, overlay, seen, view, ...ports }, path, reading === 'must-read');
    // Nothing is staged for a call that was stopped while the file was read.
    return signal?.aborted === true ? refused(words.failures.callStopped) : checked;
  }

  private places(): Places {
    const { under, view, overlay, ports } = this;
    const distinguishesCase = ports.distinguishesCase?.() === true;
    return { under, view, overlay, guardNew: (path) => ports.guardNew(path), distinguishesCase };
  }

  /** @param textBefore the text that this write is compared with to find its lines; null if it wrote no text */
  private stage(change: FileChange, textBefore: string | null, call: CallReference): StagedWrite {
    this.id ??= this.ports.identifiers.next();
    const used: StagedCall = {
      id: call.id,
      tool: call.tool,
      arguments: this.ports.digest(JSON.stringify(call.arguments) ?? ''),
    };
    const taint = this.ports.taint() ?? change.taint;
    const text = change.text === change.base?.text ? null : change.text;
    const staged: FileChange = { ...change, text, calls: [...change.calls, used], taint };
    for (const { change: older, applied } of this.overlay.all()) {
      if (applied && older.to !== null && older.to === staged.from) this.overlay.drop(older.id);
    }
    if (stepsOf(staged).length === 0) this.overlay.drop(change.id);
    else this.overlay.put({ change: staged, modified: this.tick(), applied: false });
    const path = staged.to ?? staged.from ?? '';
    if (textBefore !== null) this.seeWritten(change, staged);
    return { path, change: staged, ...linesOfWrite(textBefore, textAfter(staged)) };
  }

  /** An addition to a note that the model has not read shows it the added lines alone. */
  private seeWritten(before: FileChange, after: FileChange): void {
    const path = after.to ?? '';
    const isNew = before.from === null && before.calls.length === 0;
    if (isNew || this.seen.textOf(path) !== undefined) this.seen.see(path, textAfter(after));
  }

  private tick(): number {
    this.latest = Math.max(this.latest + 1, this.ports.clock.now());
    return this.latest;
  }
}

type Reading = 'must-read' | 'may-be-unread';

function isKnown({ from, to, text }: FileChange, paths: readonly string[], under: Vault): boolean {
  if (to === null) return from === null || under.file(from)?.path !== from;
  const arrived = under.file(to)?.path === to;
  return arrived && (text === null || paths.includes(to) || (from !== null && paths.includes(from)));
}

function byId(changes: readonly FileChange[]): Map<string, FileChange> {
  return new Map(changes.map((change) => [change.id, change]));
}

interface Places {
  readonly under: Vault;
  readonly view: Vault;
  readonly overlay: Overlay;
  readonly guardNew: (path: string) => Outcome<string>;
  readonly distinguishesCase: boolean;
}

/** Whether two paths differ in upper and lower case alone. */
function isCaseTwin(one: string, other: string): boolean {
  return one !== other && one.toLowerCase() === other.toLowerCase();
}

/** Returns a path with no file on disk or staged; a file may change the letter case of its own path. */
function findFreePath(
  { under, view, overlay, guardNew, distinguishesCase }: Places,
  path: string,
  ownPath?: string,
): Outcome<string> {
  const guarded = guardNew(path);
  if (!guarded.ok) return guarded;
  const there = view.file(guarded.value);
  const own = ownPath === undefined ? undefined : overlay.at(ownPath)?.change.from;
  const isTwin = (taken: FileEntry): boolean => distinguishesCase && isCaseTwin(taken.path, guarded.value);
  const isOwn = (taken: FileEntry | undefined): boolean =>
    taken === undefined ||
    isTwin(taken) ||
    taken.path === ownPath ||
    (taken.path === own && taken.path === guarded.value);
  if (guarded.value !== ownPath && isOwn(there) && isOwn(under.file(guarded.value))) return guarded;
  return refused(there === undefined ? words.writing.placeWaits(path) : words.writing.placeTaken(path));
}

export const turnCaps = { writes: 25, bytes: 200_000, calls: 40, deletes: 10, identicalFailures: 3 } as const;

interface WriteCost {
  /** Bytes of text that the model wrote. */
  readonly bytes: number;
  readonly deletes: number;
}

/** WriteCaps: limits how much the agent may stage in one turn (rules 6.1). */
class WriteCaps {
  private writes = 0;
  private bytes = 0;
  private deletes = 0;
  private readonly failures = new Map<string, number>();

  startTurn(): void {
    this.writes = 0;
    this.bytes = 0;
    this.deletes = 0;
    this.failures.clear();
  }

  /** Counts a write; fails with the cap that it would exceed. */
  spend({ bytes, deletes }: WriteCost): Outcome<void> {
    if (this.writes + 1 > turnCaps.writes) return refuse(words.writing.tooManyWrites(turnCaps.writes));
    if (this.bytes + bytes > turnCaps.bytes) return refuse(words.writing.tooMuchText(turnCaps.bytes / 1_000));
    if (this.deletes + deletes > turnCaps.deletes) return refuse(words.writing.tooManyDeletes(turnCaps.deletes));
    this.writes += 1;
    this.bytes += bytes;
    this.deletes += deletes;
    return succeed(undefined);
  }

  /** Fails if the same call has failed too often to be tried again. */
  mayTry(key: string): Outcome<void> {
    const failed = this.failures.get(key) ?? 0;
    return failed < turnCaps.identicalFailures ? succeed(undefined) : refuse(words.writing.sameFailure(failed));
  }

  countFailure(key: string): void {
    this.failures.set(key, (this.failures.get(key) ?? 0) + 1);
  }
}

function refuse(what: string): Outcome<never> {
  return fail({ kind: 'limit', words: what, remedy: words.writing.capRemedy });
}
