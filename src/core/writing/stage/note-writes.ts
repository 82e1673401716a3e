/** Note writes: how a tool call changes notes. Writes that the policy denies are refused before anything is staged. */
import { words } from '../../../text';
import type { PropertyValue } from '../../markdown/properties';
import { fail, type Outcome } from '../../ports/failure';
import type { PermissionMode } from '../../settings/mode';
import { type FileChange, stepsOf } from '../changeset/changeset';
import { decide, type PermissionTier, type PolicyPlaces, tierOf } from '../guard/policy';
import { type CallReference, refused, type StagedWrite } from './staged-base';
import type { StagedVault } from './staged-vault';

/** The writes available to one tool call. */
export interface NoteWrites {
  create(path: string, text: string): Promise<Outcome<StagedWrite>>;
  edit(path: string, oldText: string, newText: string): Promise<Outcome<StagedWrite>>;
  append(path: string, addition: string, heading?: string): Promise<Outcome<StagedWrite>>;
  setProperties(
    path: string,
    properties: readonly (readonly [key: string, value: PropertyValue])[],
  ): Promise<Outcome<StagedWrite>>;
  move(path: string, newPath: string): Promise<Outcome<StagedWrite>>;
  delete(path: string): Promise<Outcome<StagedWrite>>;
  /** Whether a file at this path would give the agent instructions. */
  givesInstructions(path: string): boolean;
  /** Returns what happens to a write in this turn, as a short text for the model. */
  outlook(write: StagedWrite): string;
}

export interface WriteRules {
  readonly mode: () => PermissionMode;
  readonly places: PolicyPlaces;
  readonly canAsk: boolean;
  readonly isTainted: () => boolean;
  /** Whether a staged change is applied at the end of the step without review. */
  readonly appliesAtOnce: (change: FileChange) => boolean;
  /** Resolves when no review is being applied; a write staged during one would be settled with it. */
  readonly settled: () => Promise<unknown>;
}

/** Returns the writes of one turn, for each of its tool calls. */
export function noteWritesOf(staged: StagedVault, rules: WriteRules): (call: CallReference) => NoteWrites {
  return (call) => {
    const stage = async (asked: Asked, write: () => Promise<Outcome<StagedWrite>>): Promise<Outcome<StagedWrite>> => {
      await rules.settled();
      if (call.signal?.aborted === true) return refused(words.failures.callStopped);
      return isDenied(rules, asked) ? fail(denied(rules.mode(), asked)) : write();
    };
    return {
      create: (path, text) => stage({ from: null, to: path }, () => staged.create(path, text, call)),
      edit: (path, oldText, newText) => stage(inPlace(path), () => staged.edit(path, oldText, newText, call)),
      append: (path, addition, heading) =>
        stage(inPlace(path), () => staged.append(path, addition, call, heading === undefined ? {} : { heading })),
      setProperties: (path, properties) => stage(inPlace(path), () => staged.setProperties(path, properties, call)),
      move: (path, newPath) => stage({ from: path, to: newPath }, () => staged.move(path, newPath, call)),
      delete: (path) => stage({ from: path, to: null }, () => staged.delete(path, call)),
      givesInstructions: (path) => askedTier(rules.places, { from: null, to: path }) === 'S',
      outlook: ({ change }) => {
        if (stepsOf(change).length === 0) return words.writing.nothingLeft;
        const outlook = rules.appliesAtOnce(change) ? words.writing.appliesNow : words.writing.waitsForReview;
        return isUnlinkable(change) ? `${outlook} ${words.writing.unlinkable}` : outlook;
      },
    };
  };
}

type Asked = Pick<FileChange, 'from' | 'to'>;

function inPlace(path: string): Asked {
  return { from: path, to: path };
}

/** Whether a file gets a name with a character that ends a link. Obsidian allows it, and warns of it in the same way. */
function isUnlinkable({ from, to }: FileChange): boolean {
  return to !== null && to !== from && /[#^[\]][^/]*$/.test(to);
}

/** Decides by the kind of write only; its content is checked after it is staged. */
function isDenied({ mode, places, canAsk, isTainted }: WriteRules, asked: Asked): boolean {
  // What is outside the scope is staged, and waits there.
  const circumstances = { tainted: isTainted(), canAsk, granted: false, outside: false };
  return decide(mode(), askedTier(places, asked), circumstances) === 'deny';
}

function askedTier(places: PolicyPlaces, { from, to }: Asked): PermissionTier {
  const base = from === null ? null : { hash: '', text: '' };
  const change: FileChange = { id: '', from, to, base, text: to === null ? null : '.', calls: [], taint: null };
  return tierOf(change, { id: '', changes: [change] }, places);
}

function denied(mode: PermissionMode, { from, to }: Asked) {
  const path = from ?? to ?? '';
  return {
    kind: 'refused',
    words: words.writing.denied(path, words.asking.permissions[mode]),
    remedy: mode === 'plan' ? words.writing.deniedInPlan : words.writing.deniedRemedy,
  } as const;
}
