/** Opens the changes of a chat: all that runs in it reads the vault as it would be with what the agent wrote. */
import { choicesOf } from '../context/turn-context';
import { type GoalPort, recordFiles } from '../goals/goal-request';
import type { DeviceStorage, StateNotes } from '../ports/device';
import type { Outcome } from '../ports/failure';
import type { Vault } from '../ports/vault';
import { attachedNotes, contextNotes, NoteCache } from '../prompt/facts/attached-notes';
import type { GatheredFacts } from '../prompt/section';
import type { AttachedNote } from '../prompt/world';
import { sharePassages } from '../search/passage-index';
import type { EntryBody, PendingReview, SessionEntry } from '../session/entry';
import type { Settings } from '../settings/settings';
import type { WritingPorts } from '../writing/apply/write-steps';
import { type ChangesChat, ChatChanges } from '../writing/chat-changes';

interface ChangedPorts {
  readonly vault: Vault;
  readonly notes: NoteCache;
  readonly writing?: WritingPorts;
  settings(): Settings;
  readonly device?: Pick<DeviceStorage, 'get'>;
  readonly pendingReview?: () => PendingReview | null;
  readonly states?: StateNotes;
}

export interface ChangesOwner {
  readonly log: { readonly entries: readonly SessionEntry[]; readonly conversation: string };
  readonly goals: GoalPort;
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
    ...(given.states === undefined ? {} : { states: markStates(given.states, changes, writing) }),
  };
  // Some ports are looked up at each use, so they are taken over as they are declared.
  const descriptors = { ...Object.getOwnPropertyDescriptors(given), ...Object.getOwnPropertyDescriptors(own) };
  return { changes, ports: Object.defineProperties({}, descriptors) as Ports };
}

/** What is saved before a compaction goes past the review; of a tainted chat it is others' text like all that it writes. */
function markStates(states: StateNotes, { taint }: Pick<ChatChanges, 'taint'>, { foreign }: WritingPorts): StateNotes {
  return {
    save: async (name, text) => {
      const saved = await states.save(name, text);
      if (saved.ok && taint.source !== null) foreign.mark(saved.value, taint.source, saved.value);
      return saved;
    },
  };
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
