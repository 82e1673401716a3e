/**
 * Branches of a chat (decision 0044): a message that is edited and an answer that is given again begin a branch, and
 * only the entries on the way to the active branch are shown and sent. Deleted messages are left out of them.
 */
import { idsOfStaged, isOutcomeOf } from './change-entry';
import type { SessionEntry } from './entry';

/** The id of the branch that a chat begins with; every other one has the id of the entry that began it. */
export const firstBranch = '';

/** A log as its readers take it. */
export interface LogEntries {
  /** The entries of the active branch, without deleted messages. */
  readonly entries: readonly SessionEntry[];
  /** Those of all branches; absent where there are no others. */
  readonly all?: readonly SessionEntry[];
}

/** Returns the entries of all branches: what was spent, read and changed counts in each of them. */
export function allEntries({ entries, all }: LogEntries): readonly SessionEntry[] {
  return all ?? entries;
}

/** Kinds that are about the chat as a whole. */
const chatKinds: ReadonlySet<SessionEntry['kind']> = new Set([
  'title',
  'chat-list',
  'forked',
  'log-restored',
  'choices',
  'changes-staged',
]);

/** Kinds by which branches are made and chosen, and messages deleted; they keep their place among the entries. */
export const branchKinds: ReadonlySet<SessionEntry['kind']> = new Set(['branch', 'branch-chosen', 'message-deleted']);

/** Whether an entry is part of every branch. What the user left out of requests must not be sent from another one. */
function isOfAllBranches(entry: SessionEntry): boolean {
  return chatKinds.has(entry.kind) || (entry.kind === 'context-forms' && entry.by === 'user');
}

/** Returns what an entry says of the branch in which it is written. */
export function stampOf(kind: SessionEntry['kind'], branch: string): { readonly branch?: string } {
  return branch === firstBranch || (chatKinds.has(kind) && kind !== 'changes-staged') ? {} : { branch };
}

/** The branch in which an entry says that it was written. */
export function writtenBranch(entry: SessionEntry): string {
  return entry.kind === 'user' && entry.instead !== undefined ? entry.id : (entry.branch ?? firstBranch);
}

/** Which of several versions of a question or an answer is in view, from 1, and of how many. */
interface Version {
  readonly number: number;
  readonly of: number;
}

/** What there are several versions of, by the id of the message that is in view. */
export interface MessageVersions {
  readonly question?: Version;
  /** Of the answer to the message. */
  readonly answer?: Version;
}

export type VersionPart = keyof MessageVersions;

interface Branch {
  readonly parent: string;
  /** The message that it replaces or answers again. */
  readonly message: string;
  readonly isAnswer: boolean;
  readonly at: number;
  /** The entries of its parent before this index are part of it. */
  cut: number;
  /** Where it was made active last; -1 if it never was. */
  chosen: number;
}

/** A message of the user, with the branch that it is in. */
interface Asked {
  readonly at: number;
  readonly branch: string;
  /** The first version of it. */
  readonly root: string;
  /** Where the answer to it begins, or what else follows it. */
  end: number;
}

/** Kinds of which an answer is made; what comes before the first of them is sent with the message. */
const answerKinds: ReadonlySet<SessionEntry['kind']> = new Set(['assistant', 'tool-result', 'failure']);

/** Kinds with which an answer begins. */
export const beginningKinds: ReadonlySet<SessionEntry['kind']> = new Set(['assistant', 'hook-context']);

/** What is left out with a deleted message, and with a deleted answer. What it has done stays. */
const deletedKinds: ReadonlySet<SessionEntry['kind']> = new Set([
  ...answerKinds,
  'user',
  'hook-context',
  'turn-zone',
  'chat-began',
]);

/** The branches of a log, as far as it goes. */
class BranchTree {
  readonly branches = new Map<string, Branch>();
  readonly asked = new Map<string, Asked>();
  /** The newest entry about each message that was deleted or restored. */
  readonly deleted = new Map<string, SessionEntry & { readonly kind: 'message-deleted' }>();
  active = firstBranch;
  /** The versions of messages by their first one, and the branches with answers to a message. */
  private readonly questions = new Map<string, string[]>();
  private readonly answers = new Map<string, string[]>();

  constructor(all: readonly SessionEntry[]) {
    const root = { parent: firstBranch, message: '', isAnswer: false, at: -1, cut: 0, chosen: -1 };
    this.branches.set(firstBranch, root);
    const last = new Map<string, Asked>();
    all.forEach((entry, at) => {
      if (entry.kind === 'message-deleted') this.deleted.set(entry.message, entry);
      if (entry.kind === 'branch-chosen' && this.branches.has(entry.chosen)) this.choose(entry.chosen, at);
      if (entry.kind === 'branch') this.begin(entry, entry.message, at);
      const branch = entry.kind === 'user' ? this.ask(entry, at) : this.branchOf(entry);
      if (entry.kind !== 'user' && !answerKinds.has(entry.kind)) return;
      const before = last.get(branch);
      if (before !== undefined) before.end = Math.min(before.end, at);
      if (entry.kind === 'user') last.set(branch, this.asked.get(entry.id)!);
    });
    for (const each of this.branches.values()) if (each.isAnswer) each.cut = this.asked.get(each.message)?.end ?? 0;
  }

  /** Entries of a branch that was never begun, as in a damaged log, are part of the first one. */
  branchOf(entry: SessionEntry): string {
    const branch = writtenBranch(entry);
    if (this.branches.has(branch)) return branch;
    return entry.branch !== undefined && this.branches.has(entry.branch) ? entry.branch : firstBranch;
  }

  /** Returns for each branch on the way to one the index at which the next one leaves it. */
  wayTo(branch: string): ReadonlyMap<string, number> {
    const limits = new Map<string, number>();
    let limit = Infinity;
    for (let next = branch; ;) {
      limits.set(next, limit);
      if (next === firstBranch) return limits;
      const { parent, cut } = this.branches.get(next)!;
      [next, limit] = [parent, cut];
    }
  }

  versionsOn(way: ReadonlyMap<string, number>): ReadonlyMap<string, MessageVersions> {
    const shown = new Map<string, MessageVersions>();
    const isOn = ({ branch, at }: Asked): boolean => at < (way.get(branch) ?? -1);
    for (const ids of this.questions.values()) {
      const index = ids.findIndex((id) => isOn(this.asked.get(id)!));
      if (index >= 0) shown.set(ids[index]!, { question: { number: index + 1, of: ids.length } });
    }
    for (const [message, ids] of this.answers) {
      // The answer of a branch is seen although its message is before the branch.
      const index = ids.findIndex((id) => way.has(id) && this.branches.get(id)!.message === message);
      const isSeen = index >= 0 || isOn(this.asked.get(message)!);
      if (isSeen) shown.set(message, { ...shown.get(message), answer: { number: index + 2, of: ids.length + 1 } });
    }
    return shown;
  }

  /** Returns the branch to choose for a version, by its number from 1; null if there is none. */
  branchOfVersion(message: string, part: VersionPart, number: number): string | null {
    const asked = this.asked.get(message);
    if (asked === undefined) return null;
    if (part === 'question') {
      const wanted = this.asked.get(this.questions.get(asked.root)?.[number - 1] ?? '');
      return wanted === undefined ? null : this.newestWith(wanted.branch, wanted.at);
    }
    if (number === 1) return this.newestWith(asked.branch, asked.end === Infinity ? asked.at : asked.end);
    const branch = this.answers.get(message)?.[number - 2];
    return branch === undefined ? null : this.newestWith(branch, this.branches.get(branch)!.at);
  }

  /** Returns the branch that was active last of those that contain this place of a branch. */
  newestWith(branch: string, at: number): string {
    const has = new Map([[branch, true]]);
    let newest = branch;
    for (const [id, { parent, cut, chosen }] of this.branches) {
      if (id === firstBranch || id === branch) continue;
      const contains = parent === branch ? at < cut : has.get(parent) === true;
      has.set(id, contains);
      if (contains && chosen > this.branches.get(newest)!.chosen) newest = id;
    }
    return newest;
  }

  private choose(branch: string, at: number): void {
    this.active = branch;
    this.branches.get(branch)!.chosen = at;
  }

  /** A message that is not there, or comes later, is the end of no branch; so no branch is part of itself. */
  private begin({ id, kind }: SessionEntry, message: string, at: number): void {
    const from = this.asked.get(message);
    if (from === undefined || this.branches.has(id)) return;
    const isAnswer = kind === 'branch';
    this.branches.set(id, { parent: from.branch, message, isAnswer, at, cut: from.at, chosen: -1 });
    const [lists, key] = isAnswer ? [this.answers, message] : [this.questions, from.root];
    const ids = lists.get(key) ?? (isAnswer ? [] : [from.root]);
    ids.push(id);
    lists.set(key, ids);
    if (isAnswer) this.choose(id, at);
  }

  private ask(entry: SessionEntry & { readonly kind: 'user' }, at: number): string {
    const { id, instead } = entry;
    if (instead !== undefined) this.begin(entry, instead, at);
    const branch = this.branchOf(entry);
    const root = branch === id ? this.asked.get(instead ?? '')!.root : id;
    this.asked.set(id, { at, branch, root, end: Infinity });
    this.choose(branch, at);
    return branch;
  }
}

/** ActivePath: the entries of the branch in view. The array grows with the log, until another branch is in view. */
export class ActivePath {
  readonly entries: readonly SessionEntry[];
  /** The id of the branch in view. */
  readonly active: string;
  readonly versions: ReadonlyMap<string, MessageVersions>;
  private readonly tree: BranchTree;
  private readonly way: ReadonlyMap<string, number>;
  /** Whether there is one branch with all of its messages, so that its array is the log's. */
  private readonly isWhole: boolean;
  /** Ids of changes that were proposed in this branch, and in any. */
  private readonly proposed = { here: new Set<string>(), anywhere: new Set<string>() };
  private omitting = { question: false, answer: false, failure: false };

  /**
   * @param all the array that the log grows
   * @param wanted the branch in view; without it, the one in which the user was active last
   */
  constructor(
    private readonly all: readonly SessionEntry[],
    wanted: string | null = null,
  ) {
    this.isWhole = !all.some(isAboutBranches);
    this.tree = new BranchTree(this.isWhole ? [] : all);
    this.active = wanted !== null && this.tree.branches.has(wanted) ? wanted : this.tree.active;
    this.way = this.tree.wayTo(this.active);
    this.versions = this.tree.versionsOn(this.way);
    const own: SessionEntry[] = [];
    if (!this.isWhole) all.forEach((entry, at) => this.addTo(own, entry, at));
    this.entries = this.isWhole ? all : own;
  }

  /** Returns the path once the log has one more entry: this one, unless the entry changes what is on it. */
  with(entry: SessionEntry): ActivePath {
    if (branchKinds.has(entry.kind) || isEdit(entry)) {
      return new ActivePath(this.all, entry.kind === 'message-deleted' ? this.active : null);
    }
    if (!this.isWhole) this.addTo(this.entries as SessionEntry[], entry, Infinity);
    return this;
  }

  /** Returns the branch to choose for a version of a message or its answer, by its number; null if there is none. */
  branchOfVersion(message: string, part: VersionPart, number: number): string | null {
    return new BranchTree(this.all).branchOfVersion(message, part, number);
  }

  /** Returns the branch to choose so that an entry is in view; null if it is not in the log. */
  branchOfEntry(id: string): string | null {
    if (this.entries.some((entry) => entry.id === id)) return this.active;
    const at = this.all.findIndex((entry) => entry.id === id);
    const tree = new BranchTree(this.all);
    return at < 0 ? null : tree.newestWith(tree.branchOf(this.all[at]!), at);
  }

  private addTo(own: SessionEntry[], entry: SessionEntry, at: number): void {
    const branch = this.tree.branchOf(entry);
    const limit = this.way.get(branch);
    const isHere = limit !== undefined && (at < limit || limit === Infinity);
    if (!this.isOnPath(entry, isHere)) return;
    const mark = this.deletionAt(entry);
    if (mark !== null) own.push(mark);
    if (!this.isOmitted(entry)) own.push(entry);
  }

  /** Goes on to an entry; returns what is shown in its place if a deleted message or answer begins there. */
  private deletionAt({ id, kind }: SessionEntry): SessionEntry | null {
    const mark = this.tree.deleted.get(id);
    const begins = mark?.deleted === true && deletedKinds.has(kind);
    if (kind === 'user') this.omitting = { question: begins, answer: false, failure: false };
    else if (this.omitting.question) return null;
    else if (begins) this.omitting = { question: false, answer: true, failure: false };
    else if (kind === 'failure') this.omitting.failure = true;
    // After a failure, the message was sent again, and has another answer.
    else if (this.omitting.failure && beginningKinds.has(kind)) this.omitting.answer = false;
    return begins ? mark : null;
  }

  private isOmitted(entry: SessionEntry): boolean {
    return this.omitting.question ? deletedKinds.has(entry.kind) : this.omitting.answer && isOfAnswer(entry);
  }

  /** What became of proposed changes is part of the branch that proposed them, wherever the user was then. */
  private isOnPath(entry: SessionEntry, isHere: boolean): boolean {
    const { here, anywhere } = this.proposed;
    if (entry.kind === 'changes-staged') {
      for (const id of idsOfStaged(entry)) {
        anywhere.add(id);
        if (isHere) here.add(id);
      }
      return true;
    }
    if (entry.kind === 'changes-settled' || entry.kind === 'changes-undone') {
      return isOutcomeOf(entry, anywhere) ? isOutcomeOf(entry, here) : isHere;
    }
    // A branch with another answer says when that answer began.
    if (entry.kind === 'branch') return this.way.has(entry.id);
    return !branchKinds.has(entry.kind) && (isHere || isOfAllBranches(entry));
  }
}

function isOfAnswer({ kind }: SessionEntry): boolean {
  return answerKinds.has(kind) || kind === 'hook-context';
}

function isEdit(entry: SessionEntry): boolean {
  return entry.kind === 'user' && entry.instead !== undefined;
}

function isAboutBranches(entry: SessionEntry): boolean {
  return branchKinds.has(entry.kind) || entry.branch !== undefined || isEdit(entry);
}

/** Returns the entries of the branch in which the user was active last, without deleted messages. */
export function activeEntries(all: readonly SessionEntry[]): readonly SessionEntry[] {
  return new ActivePath(all).entries;
}
