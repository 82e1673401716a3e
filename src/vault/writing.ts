/**
 * Opens write access to the disk: one write port, one journal and one queue for all chats. Reads nothing before it is
 * needed.
 */
import { type App, type DataAdapter, Notice, Platform, type PluginManifest, TFile } from 'obsidian';
import type { ChatNoteFiles } from '../core/chat/chat-note';
import { decodeText } from '../core/markdown/encoding';
import type { DeviceStorage } from '../core/ports/device';
import { describeFailure, type Failure, fail, type Outcome, succeed, unexpectedFailure } from '../core/ports/failure';
import type { FileEntry } from '../core/ports/vault';
import type { RecoveryChoice } from '../core/session/entry';
import { findRetired, type RetiredDevices } from '../core/writing/apply/retired-devices';
import { Journal, type JournalPorts, type OperationCall } from '../core/writing/apply/journal';
import { moveFile } from '../core/writing/apply/move-file';
import { recover, resolveInterruptedWrite, type InterruptedWrite } from '../core/writing/apply/recover';
import { type JournalUsage, pruneJournal, steadyClock, usageOf } from '../core/writing/apply/prune-journal';
import { journalProblem } from '../core/writing/apply/undo';
import {
  createFile,
  createWriteQueue,
  stale,
  type StepReport,
  trashFile,
  type Writer,
  writeText,
  type WritingPorts,
} from '../core/writing/apply/write-steps';
import type { Operation } from '../core/writing/changeset/journal-records';
import type { RealPaths } from '../core/writing/changeset/ports';
import type { InstructionPlace } from '../core/writing/guard/instruction-places';
import { createWriteGuard, guardWritablePath } from '../core/writing/guard/path-guard';
import { refuseWaiting } from '../core/writing/guard/without-waiting';
import { Provenance } from '../core/writing/guard/provenance';
import { RecentMoves } from '../core/writing/stage/follow-notes';
import { words } from '../text';
import type { VaultChanges } from './changes';
import { clock, identifiers, timing, writerOf } from './device';
import { entryOf } from './file-table';
import { digest, digestOf, utf8ToBytes } from './hash';
import { createJournalFiles, createProvenanceFiles } from './journal-files';
import { yaml } from './obsidian-vault';
import type { VaultStack } from './stack';
import { danglingSourcesOf, ObsidianWritePort } from './write-port';

export interface WritingOptions {
  readonly app: App;
  readonly changes: VaultChanges;
  readonly disk: VaultStack;
  readonly manifest: Pick<PluginManifest, 'id' | 'dir'>;
  readonly realPaths: RealPaths | null;
  readonly device: DeviceStorage;
  agentFolder(): string;
  /** The files and folders that direct the agent. */
  instructionPlaces(): readonly InstructionPlace[];
}

export interface OpenWriting {
  readonly ports: WritingPorts;
  /** What was moved or renamed in Obsidian, by Docent or by the user. */
  readonly moves: Pick<RecentMoves, 'since'>;
  /** Recovers writes that a crash interrupted and drops entries too old to undo. Called when the chat view opens. */
  start(): Promise<Outcome<void>>;
  /** Returns the interrupted writes that the user has to decide on. */
  interrupted(): readonly InterruptedWrite[];
  settle(write: InterruptedWrite, choice: RecoveryChoice): Promise<Outcome<void>>;
  /** Resolves all such writes to a file; does nothing if there are none. */
  readonly settleAt: (path: string, choice: RecoveryChoice) => Promise<Outcome<void>>;
  /**
   * Creates a file in the folder of exports under an unused name, with a record in the journal, and returns its path.
   */
  saveExport(name: string, text: string): Promise<Outcome<string>>;
  /** The notes that follow their chats. */
  readonly chatNotes: ChatNoteFiles;
  /** Drops journal entries beyond the limits and returns how full the journal is then. */
  prune(): Promise<Outcome<JournalUsage>>;
  /** Returns how many other devices are retired; removes their journals if asked to. */
  retired(isToRemove: boolean): Promise<Outcome<RetiredDevices>>;
  /** Returns how many writes have ended without a record of it on disk. */
  unrecordedEnds(): number;
  /** Returns why a part of the journal cannot be read; null if all can. */
  unread(): Failure | null;
  /** Returns how full the journal was when it was measured last, or null before it was opened. */
  usage(): JournalUsage | null;
  /** Counts how full the journal is now; resolves to null before it was opened. */
  measure(): Promise<JournalUsage | null>;
}

export function openWriting(options: WritingOptions): OpenWriting {
  const { app, changes, manifest } = options;
  const { preferences, isHidden, instructions } = options.disk;
  // The user decides about each write, so that a file that waits for the user can be one of them.
  const { withWaiting: vault } = options.disk;
  const { configDir } = app.vault;
  const store = createJournalFiles(
    app.vault.adapter,
    `${manifest.dir ?? `${configDir}/plugins/${manifest.id}`}/journal`,
    writerOf(options.device),
  );
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => void timing.after(milliseconds, resolve));
  const files = new ObsidianWritePort({ app, changes, hash: digestOf, pause, preferences });
  // A chat cannot name files that the filter hides, but links in them follow a move all the same.
  const whole = { file: (path: string) => fileAt(app, path) };
  const guard = createWriteGuard(vault, configDir, options.realPaths, whole);
  const writes = createWriteQueue();
  const queue: WritingPorts['queue'] = {
    run: (task) =>
      writes.run(async () => {
        const done = await task();
        await findInterrupted();
        return done;
      }),
  };
  const keeper = { device: options.device, writer: writerOf(options.device) };
  const untrusted = new Provenance({
    files: createProvenanceFiles(app.vault.adapter, () => `${options.agentFolder()}/trust`, keeper),
    ...keeper,
    clock,
  });
  const moves = new RecentMoves(options.device, clock);
  changes.followMoves((from, to) => {
    untrusted.moved(from, to);
    moves.add(from, to);
  });
  let opened: Promise<Outcome<Writer>> | null = null;
  let interrupted: readonly InterruptedWrite[] = [];
  let usage: JournalUsage | null = null;
  let journal: Journal | null = null;

  const ageClock = steadyClock(clock, options.device);
  const prune = async (journal: Journal): Promise<Outcome<JournalUsage>> => {
    const pruned = await pruneJournal(journal, { store, clock: ageClock });
    if (pruned.ok) usage = pruned.value;
    return pruned;
  };
  const open = async (): Promise<Outcome<Writer>> => {
    const written: JournalPorts['written'] = (operation, find, { post, rewritten, isBegunHere }) => {
      untrusted.written(operation, find);
      // The repair of a write that was cut off names that write in place of a changeset.
      const isFromCopies = operation.call.undoes !== null || find(operation.call.changeset) !== undefined;
      instructions.written(operation, { post, rewritten, isAccepted: isBegunHere && !isFromCopies });
      void options.disk.refreshInstructions();
    };
    const read = await Journal.open({
      ...{ store, digest, hash: digestOf, clock, identifiers, written },
      device: words.writing.devices[deviceKind()],
    });
    if (!read.ok) return read;
    journal = read.value;
    const writer: Writer = { files, journal, guard, digest, hash: digestOf, yaml, pause, moves };
    const problem = journalProblem(journal);
    if (problem !== null) new Notice(describeFailure(problem));
    interrupted = (await recover(writer)).interrupted;
    await prune(journal);
    return succeed(writer);
  };
  /** Finds what the last write left open, so that the user need not restart the app to decide on it. */
  const findInterrupted = async (): Promise<void> => {
    const known = new Set(interrupted.map(({ operation }) => operation.id));
    const isNew = ({ id }: Operation): boolean => !known.has(id);
    const isOpen = (each: Operation): boolean => each.state === 'begun' && isNew(each) && journal?.isOwn(each) === true;
    if (journal?.operations().some(isOpen) !== true) return;
    const started = await writer();
    const found = started.ok ? (await recover(started.value)).interrupted : [];
    interrupted = [...interrupted, ...found.filter(({ operation }) => isNew(operation))];
  };
  const writer = async (): Promise<Outcome<Writer>> => {
    opened ??= open().catch((thrown: unknown) => fail(unexpectedFailure(thrown)));
    const outcome = await opened;
    if (!outcome.ok) opened = null;
    return outcome;
  };

  const settle = (write: InterruptedWrite, choice: RecoveryChoice): Promise<Outcome<void>> =>
    queue.run(async () => {
      const started = await writer();
      if (!started.ok) return started;
      const settled = await resolveInterruptedWrite(started.value, write, choice);
      if (settled.ok) interrupted = interrupted.filter((each) => each !== write);
      return settled;
    });

  return {
    moves,
    ports: {
      queue,
      writer,
      untrusted,
      moves,
      canAsk: () => true,
      places: () => ({
        plans: `${options.agentFolder()}/plans/`,
        instructions: [...options.instructionPlaces().map(({ place }) => place), `${options.agentFolder()}/chats/`],
      }),
      staging: {
        yaml,
        digest,
        identifiers,
        clock,
        guardNew: (path) => {
          const entry = vault.file(path);
          if (entry !== undefined && instructions.isOut(entry)) return refuseWaiting(path);
          return guardWritablePath(path, configDir, isHidden);
        },
        hashFile: async (path) => {
          const bytes = await vault.readBytes(path);
          return bytes.ok ? succeed(digestOf(new Uint8Array(bytes.value))) : bytes;
        },
        linksFollowMoves: () => preferences().updatesLinks,
        distinguishesCase: () => Platform.isDesktopApp && Platform.isLinux,
        danglingSources: (name) => danglingSourcesOf(app, name),
      },
    },
    start: async () => {
      const [started] = await Promise.all([queue.run(writer), untrusted.refresh()]);
      if (!started.ok) new Notice(describeFailure(started.failure));
      return started.ok ? succeed(undefined) : started;
    },
    interrupted: () => interrupted,
    settle,
    settleAt: async (path, choice) => {
      for (const write of interrupted.filter((each) => each.path === path)) {
        const settled = await settle(write, choice);
        if (!settled.ok) return settled;
      }
      return succeed(undefined);
    },
    saveExport: (name, text) =>
      queue.run(async () => {
        const started = await writer();
        if (!started.ok) return started;
        const path = await freePath(app.vault.adapter, `${options.agentFolder()}/exports/${name}`);
        const id = identifiers.next();
        const call = { step: 'create', changeset: id, change: id, path, to: null, undoes: null, taint: null } as const;
        const saved = await createFile(started.value, { ...call, calls: [] }, utf8ToBytes(text));
        return saved.ok ? succeed(path) : saved;
      }),
    chatNotes: openChatNotes({
      ...{ app, identifiers, folder: () => `${options.agentFolder()}/chats` },
      run: (task) =>
        queue.run(async () => {
          const started = await writer();
          return started.ok ? task(started.value) : started;
        }),
      guard: (file) => createWriteGuard({ file }, configDir, options.realPaths),
    }),
    prune: () =>
      queue.run(async () => {
        const started = await writer();
        return started.ok ? prune(started.value.journal) : started;
      }),
    retired: (isToRemove) =>
      queue.run(async () => {
        const started = await writer();
        return started.ok ? findRetired(started.value.journal, { store, clock: ageClock }, isToRemove) : started;
      }),
    unrecordedEnds: () => journal?.unrecordedEnds ?? 0,
    unread: () => journal && journalProblem(journal),
    usage: () => usage,
    measure: async () => {
      const measured = journal && (await usageOf(journal, store));
      if (measured?.ok === true) usage = measured.value;
      return usage;
    },
  };
}

interface ChatNotesOutside {
  readonly app: App;
  readonly identifiers: { next(): string };
  readonly folder: () => string;
  /** Runs a write in the queue. */
  readonly run: (task: (writer: Writer) => Promise<Outcome<StepReport>>) => Promise<Outcome<StepReport>>;
  /** Returns the guard for files that the agent does not see. */
  readonly guard: (file: VaultStack['vault']['file']) => Writer['guard'];
}

/**
 * Opens the notes that follow their chats. Of each, the journal has the last write only: its text can be made again, and
 * copies of notes that cannot must not give way to it.
 */
function openChatNotes({ app, identifiers, folder, run, guard }: ChatNotesOutside): ChatNoteFiles {
  const isNote = (path: string): boolean =>
    path.startsWith(`${folder()}/`) && /^[^/]+\.md$/.test(path.slice(folder().length + 1));
  const own = guard((path) => (isNote(path) ? fileAt(app, path) : undefined));
  const step = async (
    of: Pick<OperationCall, 'step' | 'path' | 'to' | 'taint'> & { readonly chat: string },
    act: (writer: Writer, call: OperationCall) => Promise<Outcome<StepReport>>,
  ): Promise<Outcome<void>> => {
    const { chat, ...call } = of;
    const changeset = `chat-note-${chat}`;
    const done = await run(async (writer) => {
      const report = await act(
        { ...writer, guard: own },
        { ...call, changeset, change: identifiers.next(), calls: [], undoes: null },
      );
      if (report.ok && report.value.operation !== null)
        await dropEarlier(writer.journal, changeset, report.value.operation);
      return report;
    });
    return done.ok ? succeed(undefined) : done;
  };
  return {
    folder,
    list: () =>
      (app.vault.getFolderByPath(folder())?.children ?? []).flatMap((file) =>
        file instanceof TFile && file.extension === 'md'
          ? [{ path: file.path, chat: app.metadataCache.getFileCache(file)?.frontmatter?.['chat'] as unknown }]
          : [],
      ),
    read: async (path) => {
      if (!isNote(path) || app.vault.getFileByPath(path) === null) return null;
      const bytes = await app.vault.adapter.readBinary(path).catch(() => null);
      const text = bytes === null ? null : decodeText(path, new Uint8Array(bytes));
      return text?.ok === true ? text.value.text : null;
    },
    write: ({ chat, path, taint }, remake) => {
      const isThere = app.vault.getFileByPath(path) !== null;
      return step({ chat, step: isThere ? 'edit' : 'create', path, to: null, taint }, async (writer, call) => {
        if (isThere) return writeText(writer, call, (text) => succeed(remake(text) ?? text));
        return createFile(writer, call, utf8ToBytes(remake(null) ?? ''));
      });
    },
    move: (chat, path, to) =>
      step({ chat, step: 'move', path, to, taint: null }, (writer, call) => moveFile(writer, { ...call, to })),
    trash: (chat, path, isOwn) =>
      step({ chat, step: 'delete', path, to: null, taint: null }, (writer, call) =>
        trashFile(writer, call, (bytes) => {
          const text = decodeText(path, bytes);
          return text.ok && isOwn(text.value.text) ? succeed(undefined) : fail(stale(path));
        }),
      ),
  };
}

/** Returns the file with exactly this path, hidden or not. */
function fileAt({ vault }: Pick<App, 'vault'>, path: string): FileEntry | undefined {
  const file = vault.getFileByPath(path);
  return file === null ? undefined : entryOf(file);
}

async function dropEarlier(journal: Journal, changeset: string, newest: string): Promise<void> {
  const earlier = journal
    .operations()
    .filter(({ id, call, state }) => call.changeset === changeset && id !== newest && state !== 'begun');
  const own = earlier.filter((operation) => journal.isOwn(operation) && operation.writer !== null);
  if (own.length > 0) await journal.delete(own.map(({ id }) => id));
}

/** Returns the path with a number before its ending if it is taken. */
async function freePath(adapter: Pick<DataAdapter, 'exists'>, path: string): Promise<string> {
  const dot = path.lastIndexOf('.');
  for (let copy = 1; ; copy += 1) {
    const free = copy === 1 ? path : `${path.slice(0, dot)} ${copy}${path.slice(dot)}`;
    if (!(await adapter.exists(free))) return free;
  }
}

function deviceKind(): 'phone' | 'tablet' | 'computer' {
  if (Platform.isPhone) return 'phone';
  return Platform.isTablet ? 'tablet' : 'computer';
}
