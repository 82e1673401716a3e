/** Opens the changes of a chat: all that runs in it reads the vault as it would be with what the agent wrote. */
import { choicesOf } from '../context/turn-context';
import type { Outcome } from '../failure';
import { recordFiles } from '../goals/record-files';
import type { Mention } from '../mentions/mention';
import type { DeviceStorage, Vault } from '../ports';
import { attachedNotes, contextNotes } from '../prompt/facts';
import { NoteCache } from '../prompt/note-cache';
import type { AttachedNote } from '../prompt/prompt-data';
import type { GatheredFacts } from '../prompt/gather-facts';
import type { PendingReview } from '../prompt/turn-data';
import { sharePassages } from '../search/index-for';
import type { Addition, EntryBody, SessionEntry } from '../session/entry';
import type { Settings } from '../settings/settings';
import type { ToolResult } from '../tools/tool';
import type { ChangesChat } from '../writing/changes-chat';
import { ChatChanges } from '../writing/chat-changes';
import { taintOf, type TaintPlaces } from '../writing/taint';
import type { WritingPorts } from '../writing/writing-ports';

interface ChangedPorts {
  readonly vault: Vault;
  readonly notes: NoteCache;
  readonly writing?: WritingPorts;
  settings(): Settings;
  readonly device?: Pick<DeviceStorage, 'get'>;
  readonly pendingReview?: () => PendingReview | null;
}

export interface ChangesOwner {
  readonly log: { readonly entries: readonly SessionEntry[]; readonly conversation: string };
  readonly goals: Parameters<typeof recordFiles>[0];
  record(body: EntryBody): Promise<Outcome<unknown>>;
  isRunning(): boolean;
  show: ChangesChat['show'];
}

export interface OpenedChanges<Ports> {
  /** Null where nothing can be written. */
  readonly changes: ChatChanges | null;
  /** The ports of the chat: its vault is the staged one. */
  readonly ports: Ports;
}

export function openChanges<Ports extends ChangedPorts>(given: Ports, owner: ChangesOwner): OpenedChanges<Ports> {
  const { writing } = given;
  if (writing === undefined) return { changes: null, ports: given };
  // It is handed the changes, which are made with it.
  const forget = (paths: readonly string[]): void => own.notes.forget(paths);
  const changes = new ChatChanges({
    ...owner,
    forget,
    under: given.vault,
    ports: writing,
    permission: () => choicesOf(owner.log, given).permission,
    applied: (files) => recordFiles(owner.goals, files),
  });
  owner.show({ reviews: changes.reviews, taint: changes.taint.source });
  sharePassages(changes.staged, given.vault);
  const own = {
    vault: changes.staged,
    notes: new NoteCache(changes.staged),
    pendingReview: (): PendingReview | null => changes.pendingReview,
  };
  // Some ports are looked up at each use, so they are taken over as they are declared.
  const descriptors = { ...Object.getOwnPropertyDescriptors(given), ...Object.getOwnPropertyDescriptors(own) };
  return { changes, ports: Object.defineProperties({}, descriptors) as Ports };
}

/** Marks the chat when what it is about to be told was not written by its user. */
export function taintByTurn(
  changes: ChatChanges,
  places: Pick<ChangedPorts, 'vault' | 'settings'>,
  told: { readonly hooked: EntryBody | null; readonly mentions: readonly Mention[]; readonly facts: GatheredFacts },
): void {
  const additions = told.hooked?.kind === 'hook-context' ? told.hooked.additions : [];
  const attached = attachedIn(told.facts).filter(({ text }) => text !== null);
  changes.taint.mark(taintOf({ mentions: told.mentions, additions, notes: attached }, taintPlaces(places)));
}

/** The same for what hooks add on the way. */
export function taintByEntry(
  changes: ChatChanges,
  places: Pick<ChangedPorts, 'vault' | 'settings'>,
  body: EntryBody,
): void {
  if (body.kind === 'hook-context') changes.taint.mark(taintOf({ additions: body.additions }, taintPlaces(places)));
}

/** The same for a result, before it is stored. */
export function taintByResult(
  changes: ChatChanges,
  places: Pick<ChangedPorts, 'vault' | 'settings'>,
  { sources, touched = [], behind = [], text }: ToolResult,
  additions: readonly Addition[] = [],
): void {
  const paths = [...sources.map(({ path }) => path), ...touched, ...behind];
  const files = additions.filter(({ kind }) => kind === 'context-file');
  const notes = [
    ...paths.map((path) => ({ path, text })),
    ...files.map(({ source, text }) => ({ path: source, text })),
  ];
  changes.taint.mark(taintOf({ additions, notes }, taintPlaces(places)));
}

function taintPlaces({ vault, settings }: Pick<ChangedPorts, 'vault' | 'settings'>): TaintPlaces {
  return { vault, clippings: settings().clippingFolders };
}

function attachedIn(facts: GatheredFacts): readonly AttachedNote[] {
  return [attachedNotes, contextNotes].flatMap((fact) => (facts.get(fact) ?? []) as readonly AttachedNote[]);
}

/** Notes that stand in the prompt in full are known to the model as if it had read them. */
export function seeAttached({ staged }: ChatChanges, facts: GatheredFacts): void {
  for (const { path, text, heading, block, whole } of attachedIn(facts)) {
    const isPart = heading !== undefined || block !== undefined || whole !== undefined;
    if (text !== null && !isPart) staged.seen.see(path, text);
  }
}
