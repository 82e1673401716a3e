/**
 * Opens write access to the disk: one write port, one journal and one queue for all chats. Reads nothing before it is
 * needed.
 */
import { type App, type DataAdapter, Notice, Platform, type PluginManifest } from 'obsidian';
import type { DeviceStorage } from '../core/ports/device';
import { describeFailure, fail, type Outcome, succeed, unexpectedFailure } from '../core/ports/failure';
import type { RecoveryChoice } from '../core/session/entry';
import { findRetired, type RetiredDevices } from '../core/writing/apply/retired-devices';
import { Journal, type JournalPorts, type JournalUsage, pruneJournal } from '../core/writing/apply/journal';
import { recover, resolveInterruptedWrite, type InterruptedWrite } from '../core/writing/apply/recover';
import { createFile, createWriteQueue, type Writer, type WritingPorts } from '../core/writing/apply/write-steps';
import type { RealPaths } from '../core/writing/changeset/ports';
import type { InstructionPlace } from '../core/writing/guard/instruction-places';
import { createWriteGuard, guardWritablePath } from '../core/writing/guard/path-guard';
import { Provenance } from '../core/writing/guard/provenance';
import { RecentMoves } from '../core/writing/stage/follow-notes';
import { words } from '../text';
import type { VaultChanges } from './changes';
import { clock, digest, digestOf, identifiers, timing, utf8ToBytes, writerOf } from './device';
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
  /** Drops journal entries beyond the limits and returns how full the journal is then. */
  prune(): Promise<Outcome<JournalUsage>>;
  /** Returns how many other devices are retired; removes their journals if asked to. */
  retired(isToRemove: boolean): Promise<Outcome<RetiredDevices>>;
  /** Returns how many writes have ended without a record of it on disk. */
  unrecordedEnds(): number;
  /** Returns how full the journal is, or null before it was opened. */
  usage(): JournalUsage | null;
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
  const guard = createWriteGuard(vault, configDir, options.realPaths);
  const queue = createWriteQueue();
  const untrusted = new Provenance({
    files: createProvenanceFiles(app.vault.adapter, () => `${options.agentFolder()}/trust`),
    device: options.device,
    clock,
    writer: writerOf(options.device),
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

  const prune = async (journal: Journal): Promise<Outcome<JournalUsage>> => {
    const pruned = await pruneJournal(journal, { store, clock });
    if (pruned.ok) usage = pruned.value;
    return pruned;
  };
  const open = async (): Promise<Outcome<Writer>> => {
    const written: JournalPorts['written'] = (operation, find, { post, rewritten }) => {
      untrusted.written(operation, find);
      instructions.written(operation, post, rewritten);
      void options.disk.refreshInstructions();
    };
    const read = await Journal.open({
      ...{ store, digest, hash: digestOf, clock, identifiers, written },
      device: words.writing.devices[deviceKind()],
    });
    if (!read.ok) return read;
    journal = read.value;
    const writer: Writer = { files, journal, guard, digest, hash: digestOf, pause };
    interrupted = (await recover(writer)).interrupted;
    await prune(journal);
    return succeed(writer);
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
        guardNew: (path) => guardWritablePath(path, configDir, isHidden),
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
    prune: () =>
      queue.run(async () => {
        const started = await writer();
        return started.ok ? prune(started.value.journal) : started;
      }),
    retired: (isToRemove) =>
      queue.run(async () => {
        const started = await writer();
        return started.ok ? findRetired(started.value.journal, { store, clock }, isToRemove) : started;
      }),
    unrecordedEnds: () => journal?.unrecordedEnds ?? 0,
    usage: () => usage,
  };
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
