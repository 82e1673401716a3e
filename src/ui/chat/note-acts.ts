/** Implements NoteActs: finds the note and the place, asks about what the judge of content found, and offers the undo. */
import { type App, type Editor, MarkdownView, normalizePath, Notice } from 'obsidian';
import { foldPlace } from '../../core/base/fold';
import { type ChatNotePorts, nameForTitle, readChatNote } from '../../core/chat/chat-note';
import { describeFailure, type Outcome, succeed } from '../../core/ports/failure';
import type { Vault } from '../../core/ports/vault';
import {
  appended,
  inserted,
  type PreparedWrite,
  replaced,
  type UserWrite,
  UserWrites,
} from '../../core/writing/user-writes';
import type { WritingPorts } from '../../core/writing/apply/write-steps';
import { words } from '../../text';
import { describeActive } from '../components/dialogs';
import type { NoteActs, NotedText, Question } from '../state/ports';

export interface NoteActsPorts {
  readonly app: App;
  readonly vault: Pick<Vault, 'file'>;
  readonly writing: WritingPorts;
  readonly chats: ChatNotePorts;
  confirm(question: Question): Promise<boolean>;
  openNote(path: string): void;
}

/** Milliseconds for which a notice offers to undo what it reports. */
const undoFor = 12_000;

const say = words.chatNotes;

export function openNoteActs(ports: NoteActsPorts): NoteActs {
  const { app } = ports;
  const writes = new UserWrites(ports.writing);
  /** Returns false if the user decided against what the judge of content found. */
  const attempt = async (asked: UserWrite, isNew: boolean, done: string): Promise<Outcome<boolean>> => {
    const prepared = await writes.prepare(asked, isNew);
    if (!prepared.ok) return prepared;
    const question = questionAbout(prepared.value);
    if (question !== null && !(await ports.confirm(question))) return succeed(false);
    const written = await writes.write(prepared.value);
    if (!written.ok) return written;
    const undo = async (): Promise<void> => {
      const undone = await writes.undo(written.value);
      new Notice(undone.ok ? say.undone(asked.path) : describeFailure(undone.failure));
    };
    showDone(done, { [say.undo]: () => void undo(), ...(isNew && { [say.open]: () => ports.openNote(asked.path) }) });
    return succeed(true);
  };
  const write = async (asked: UserWrite, isNew: boolean, done: string): Promise<void> => {
    const written = await attempt(asked, isNew, done);
    if (!written.ok) new Notice(describeFailure(written.failure));
  };
  /** Returns the note that was used last; null if it cannot take a text, which is then said. */
  const target = (given: NotedText): MarkdownView | null => {
    const view = lastNote(app);
    const path = view?.file?.path;
    const problem =
      path === undefined
        ? say.noNote
        : ports.vault.file(path) === undefined
          ? say.hidden(path)
          : given.isInReview(path)
            ? say.inReview(path)
            : '';
    if (problem === '') return view;
    new Notice(problem);
    return null;
  };
  const create = async (given: Pick<NotedText, 'text' | 'title' | 'taint'>, done: (path: string) => string) => {
    const path = newPath(app, nameForTitle(given.title));
    const text = `${given.text.trim()}\n`;
    await write({ path, taint: given.taint, remake: () => succeed(text) }, true, done(path));
  };
  return {
    insert: async (given) => {
      const view = target(given);
      const path = view?.file?.path;
      if (view === null || path === undefined) return;
      if (view.getMode() !== 'source') return void new Notice(say.noCursor(path));
      const [seen, offset] = [view.editor.getValue(), offsetOf(view.editor)];
      const remake = (text: string | null) => inserted(text ?? '', given.text, seen, offset);
      await write({ path, taint: given.taint, remake }, false, say.inserted(path));
    },
    append: async (given) => {
      const path = target(given)?.file?.path;
      if (path === undefined) return;
      const remake = (text: string | null) => succeed(appended(text ?? '', given.text));
      await write({ path, taint: given.taint, remake }, false, say.appended(path));
    },
    replace: ({ path, taint, ...passage }) =>
      attempt({ path, taint, remake: (text) => replaced(text ?? '', passage) }, false, say.replaced(path)),
    create: (given) => create(given, say.created),
    export: async (chat) => {
      const note = await readChatNote(chat, ports.chats);
      if (!note.ok) new Notice(describeFailure(note.failure));
      else if (note.value.text === '') new Notice(say.noChat);
      else await create(note.value, say.exported);
    },
  };
}

/** Returns what the user must agree to before a write; null for nothing. */
function questionAbout({ path, active, hosts, instructs }: PreparedWrite): Question | null {
  const reasons = [
    ...(instructs ? [say.askInstructs] : []),
    ...(hosts.length > 0 ? [say.askHosts(hosts)] : []),
    ...describeActive(active),
  ];
  return reasons.length === 0 ? null : { title: say.ask(path), text: reasons.join(' '), action: say.write };
}

/** Returns the note that the user worked in last, even if a chat is in front of it. */
function lastNote(app: App): MarkdownView | null {
  const { workspace } = app;
  const recent = workspace.getMostRecentLeaf(workspace.rootSplit)?.view;
  if (recent instanceof MarkdownView && recent.file !== null) return recent;
  const open: MarkdownView[] = [];
  workspace.iterateAllLeaves(({ view }) => {
    if (view instanceof MarkdownView && view.file !== null) open.push(view);
  });
  const files = workspace.getLastOpenFiles();
  return files.flatMap((path) => open.find(({ file }) => file?.path === path) ?? [])[0] ?? open[0] ?? null;
}

function offsetOf(editor: Editor): number {
  return editor.posToOffset(editor.getCursor('to'));
}

/** Returns a path for a new note where Obsidian would make one, which no file has in any spelling. */
function newPath(app: App, name: string): string {
  const { fileManager, vault, workspace } = app;
  const folder = fileManager.getNewFileParent(workspace.getActiveFile()?.path ?? '');
  const taken = new Set((vault.getFolderByPath(folder.path) ?? folder).children.map((each) => foldPlace(each.name)));
  for (let copy = 1; ; copy += 1) {
    const file = `${name}${copy === 1 ? '' : ` ${copy}`}.md`;
    if (!taken.has(foldPlace(file))) return normalizePath(folder.isRoot() ? file : `${folder.path}/${file}`);
  }
}

function showDone(text: string, acts: Readonly<Record<string, () => void>>): void {
  const shown = createFragment((fragment) => {
    fragment.createSpan({ text });
    const row = fragment.createDiv('docent-notice-acts');
    for (const [label, run] of Object.entries(acts)) row.createEl('button', { text: label }).onClickEvent(run);
  });
  new Notice(shown, undoFor);
}
