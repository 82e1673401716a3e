/** OpenChats: the chats that are alive, one for each conversation, so that two panes share what runs in it. */
import { eventsOfRenames, type Rename } from '../goals/goal-request';
import { describeFailure, type Outcome, succeed } from '../ports/failure';
import { entriesBeforeTaint, copyEntries, SessionLog, type SessionLogPorts } from '../session/session-log';
import { Chat } from './chat';
import type { ChatPorts } from './chat-view-state';

export interface CleanStart {
  readonly conversation: string;
  /** Empty when nothing had come in. */
  readonly request: string;
}

export class OpenChats {
  private readonly chats = new Map<string, Chat>();
  private readonly opening = new Map<string, Promise<Outcome<Chat>>>();

  constructor(
    private readonly chatPorts: ChatPorts,
    private readonly logPorts: SessionLogPorts,
  ) {}

  /** The chat of this conversation, or a new one for null. Nothing is stored before the first message. */
  async open(conversation: string | null): Promise<Outcome<Chat>> {
    const id = conversation ?? this.logPorts.identifiers.next();
    const alive = this.chats.get(id);
    if (alive !== undefined) return succeed(alive);
    // Opening puts back what a crash cut off, so that panes that ask at the same time wait for one opening.
    const opening = this.opening.get(id) ?? this.openLog(id, conversation !== null);
    this.opening.set(id, opening);
    return opening.finally(() => this.opening.delete(id));
  }

  /** Another conversation with what was said in this one before others' text came in, and the message that brought it. */
  async startClean(conversation: string): Promise<Outcome<CleanStart>> {
    const log = await SessionLog.open(conversation, this.logPorts);
    if (!log.ok) return log;
    const { entries, request } = entriesBeforeTaint(log.value.entries);
    const clean = SessionLog.start(this.logPorts.identifiers.next(), this.logPorts);
    const copied = await copyEntries(entries, clean);
    return copied.ok ? succeed({ conversation: clean.conversation, request }) : copied;
  }

  /** Tells all chats what changed in the vault; the files that goals name follow to their new paths. */
  async heard(batch: readonly { readonly path: string; readonly oldPath?: string }[]): Promise<void> {
    const paths = batch.flatMap(({ path, oldPath = path }) => [path, oldPath]);
    for (const { changes } of this.chats.values()) changes?.heard(paths);
    const renames = batch.flatMap(({ path, oldPath }): Rename[] =>
      oldPath === undefined ? [] : [{ from: oldPath, to: path }],
    );
    for (const { goals } of renames.length === 0 ? [] : this.chats.values()) {
      for (const event of eventsOfRenames(goals.state, renames)) {
        const stored = await goals.act(event, { origin: 'vault' });
        if (!stored.ok) this.chatPorts.note(describeFailure(stored.failure));
      }
    }
  }

  /** Stops whatever runs; what was shown is kept. */
  close(): void {
    for (const chat of this.chats.values()) chat.close();
    this.chats.clear();
  }

  private async openLog(id: string, isStored: boolean): Promise<Outcome<Chat>> {
    const log = isStored ? await SessionLog.open(id, this.logPorts) : succeed(SessionLog.start(id, this.logPorts));
    if (!log.ok) return log;
    const chat = await Chat.open(log.value, this.chatPorts);
    this.chats.set(id, chat);
    return succeed(chat);
  }
}
