/** What is to be stored before a turn goes out: that its head was written anew, and the texts around the message. */
import type { EntryBody, SessionEntry } from '../session/entry';
import { foldChoices } from '../session/fold-choices';
import { foldTurnMemory } from '../session/fold-turn-memory';
import { lastRebuild } from '../session/log-state';
import type { Settings } from '../settings/settings';
import type { AppliedTurn } from './apply-turn';
import type { PreparedTurn } from './prepare-turn';
import { rebuildEntry } from './rebuild-entry';

export interface TurnEntriesInput {
  readonly log: { readonly entries: readonly SessionEntry[] };
  readonly ports: { settings(): Settings };
  readonly applied: AppliedTurn | null;
  readonly prepared: PreparedTurn;
  readonly noted: ReadonlySet<string>;
}

export function entriesOfTurn({ log, ports, applied, prepared, noted }: TurnEntriesInput): EntryBody[] {
  const settings = ports.settings();
  const rebuilt = rebuildEntry({
    prepared,
    before: applied?.prompt ?? null,
    last: lastRebuild(log.entries),
    noted,
    automatic: foldChoices(log.entries, settings).tier === 'auto',
    window: settings.contextWindow,
  });
  return [rebuilt, prepared.reference, zoneOf(log.entries, prepared)].filter((entry) => entry !== null);
}

/** Null when there are no such texts, or an earlier try has sent them. */
function zoneOf(entries: readonly SessionEntry[], prepared: PreparedTurn): EntryBody | null {
  const { before, after, turn } = prepared;
  if (before.length + after.length === 0 || foldTurnMemory(entries).current) return null;
  const told = Object.keys(prepared.told).length === 0 ? {} : { told: prepared.told };
  // The flat profile tells of the open notes in the system prompt, anew each time: nothing of it stays with the message.
  const editor = turn.notesApart === true ? turn.editor : null;
  return { kind: 'turn-zone', before, after, mode: turn.mode, editor, ...told };
}
