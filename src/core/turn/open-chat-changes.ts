/** Opens the changes of a chat, so that everything in it reads the vault with the agent's staged writes. */
import { compareText } from '../base/list-edits';
import { wholeNotesIn } from '../context/prepare-turn';
import { choicesOf, usedChoicesOf } from '../context/turn-context';
import { type GoalPort, recordFiles } from '../goals/goal-request';
import { describeWorkspace } from '../library/user-notes';
import type { DeviceStorage, StateNotes, UnsavedTexts } from '../ports/device';
import { fail, type Outcome } from '../ports/failure';
import type { FileEntry, Vault } from '../ports/vault';
import { NoteCache } from '../prompt/facts/attached-notes';
import type { ProvidedPrompt } from '../prompt/provide-prompt';
import { sharePassages } from '../search/passage-index';
import type { LogEntries } from '../session/branches';
import type { EntryBody, PendingReview } from '../session/entry';
import type { Settings } from '../settings/settings';
import type { WritingPorts } from '../writing/apply/write-steps';
import { type ChangesChat, ChatChanges } from '../writing/chat-changes';
import { activeContentIn } from '../writing/guard/active-content';
import { directsAgent } from '../writing/guard/policy';
import { Decisions, rememberDecisions } from '../writing/review/review';
import { words } from '../../text';

interface ChangedPorts {
  readonly vault: Vault;
  readonly notes: NoteCache;
  readonly writing?: WritingPorts;
  agentFolder(): string;
  settings(): Settings;
  readonly device?: Pick<DeviceStorage, 'get'>;
  readonly pendingReview?: () => PendingReview | null;
  readonly states?: StateNotes;
  /** Where decisions on waiting changes outlast a restart. */
  readonly unsaved?: UnsavedTexts;
}

export interface ChangesOwner {
  readonly log: LogEntries & { readonly conversation: string };
  readonly goals: GoalPort;
  record(body: EntryBody): Promise<Outcome<unknown>>;
  isRunning(): boolean;
  show: ChangesChat['show'];
  readonly decisions?: ChangesChat['decisions'];
}

export interface OpenedChanges<Ports> {
  /** Null where nothing can be written. */
  readonly changes: ChatChanges | null;
  /** The ports of the chat, with the staged vault. */
  readonly ports: Ports;
}

export function openChanges<Ports extends ChangedPorts>(given: Ports, owner: ChangesOwner): OpenedChanges<Ports> {
  const { writing } = given;
  if (writing === undefined) return { changes: null, ports: given };
  // Late binding: the changes take this function, and `own` is created from the changes.
  const forget = (paths: readonly string[]): void => own.notes.forget(paths);
  const { unsaved } = given;
  const memory = unsaved && rememberDecisions(owner.log.conversation, unsaved, writing.staging.digest);
  const decisions = owner.decisions ?? new Decisions(memory);
  const changes = new ChatChanges({
    ...owner,
    decisions,
    forget,
    under: given.vault,
    ports: writing,
    permission: () => choicesOf(owner.log, given).permission,
    workspaceFolder: () => {
      const { selectedWorkspace } = usedChoicesOf(owner.log, given);
      // Read from the disk: a change that the agent staged in the note of the workspace grants nothing.
      return selectedWorkspace === null ? null : describeWorkspace(given.vault, selectedWorkspace).rootFolder;
    },
    applied: (files) => recordFiles(owner.goals, files),
  });
  const show = (): void => owner.show({ reviews: changes.reviews, taint: changes.taint.source });
  show();
  void decisions.recall(changes.staged.changeset()?.changes ?? []).then((hasAny) => (hasAny ? show() : undefined));
  const vault = withAcceptedInstructions(changes, given.vault, (path) => directsAgent(writing.places(), path));
  for (const each of [changes.staged, vault]) sharePassages(each, given.vault);
  const own = {
    vault,
    notes: new NoteCache(vault),
    pendingReview: (): PendingReview | null => changes.pendingReview,
    ...(given.states === undefined ? {} : { states: markStates(given.states, changes, writing) }),
  };
  // Some ports are getters that are read at each use, so their descriptors are copied.
  const descriptors = { ...Object.getOwnPropertyDescriptors(given), ...Object.getOwnPropertyDescriptors(own) };
  return { changes, ports: Object.defineProperties({}, descriptors) as Ports };
}

/**
 * Returns the vault with the agent's staged writes, except for files that direct it: those are as on the disk until the
 * user accepts the change, so that a chat that was led astray cannot write its own instructions.
 */
function withAcceptedInstructions(
  { staged }: Pick<ChatChanges, 'staged'>,
  under: Vault,
  directs: (path: string) => boolean,
): Vault {
  const waiting = (): readonly string[] =>
    (staged.changeset()?.changes ?? [])
      .flatMap(({ from, to }) => [from, to])
      .filter((path): path is string => path !== null && directs(path));
  let last: { readonly from: unknown; readonly key: string; readonly files: readonly FileEntry[] } | null = null;
  const at = (path: string): Vault => (waiting().includes(path) ? under : staged);
  return {
    name: staged.name,
    files: () => {
      const held = waiting();
      const from = staged.files();
      if (held.length === 0) return from;
      const key = held.join('\0');
      if (last?.from !== from || last.key !== key) {
        const onDisk = [...new Set(held)].flatMap((path) => under.file(path) ?? []);
        const files = [...from.filter(({ path }) => !held.includes(path)), ...onDisk];
        last = { from, key, files: files.sort((a, b) => compareText(a.path, b.path)) };
      }
      return last.files;
    },
    folders: () => staged.folders(),
    file: (path) => at(path).file(path),
    read: (path, signal) => at(path).read(path, signal),
    outline: (path) => at(path).outline(path),
    tags: (path) => at(path).tags(path),
    backlinks: (path) => staged.backlinks(path),
    resolveLink: (linkText, fromPath) => staged.resolveLink(linkText, fromPath),
  };
}

/**
 * Saves states, which are written before a compaction without a review: without lines that would run or load something,
 * and marked as untrusted if the chat is tainted.
 */
function markStates(
  states: StateNotes,
  { taint }: Pick<ChatChanges, 'taint'>,
  { untrusted: untrusted }: WritingPorts,
): StateNotes {
  return {
    save: async (name, text) => {
      const inert = withoutActiveLines(text);
      if (activeContentIn('State.md', inert).length > 0) {
        return fail({ kind: 'refused', words: words.status.stateNotSaved, remedy: words.status.stateNotSavedRemedy });
      }
      const saved = await states.save(name, inert);
      if (saved.ok && taint.source !== null) untrusted.mark(saved.value, taint.source, saved.value);
      return saved;
    },
  };
}

function withoutActiveLines(text: string): string {
  if (activeContentIn('State.md', text).length === 0) return text;
  const isActive = (line: string): boolean => activeContentIn('State.md', line).length > 0;
  return text
    .split('\n')
    .map((line) => (isActive(line) ? words.status.stateLineLeftOut : line))
    .join('\n');
}

/** The model knows notes that it is sent in full, as if it had read them. */
export function seeAttached({ staged }: ChatChanges, prompt: ProvidedPrompt): void {
  for (const { path, text } of wholeNotesIn(prompt)) if (text !== null) staged.seen.see(path, text);
}
