/** Instruction files: the texts of those that wait, and which of them the user allows on this device. */
import type { App } from 'obsidian';
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { startOf } from '../../core/base/cut';
import { hunksOf } from '../../core/writing/changeset/diff';
import {
  type InstructionFiles,
  type InstructionText,
  maxInstruction,
  type WaitingInstruction,
} from '../../core/writing/guard/instructions';
import { words } from '../../text';
import { NoteText } from './changed-text';
import { DrawnModal, firstPress, useSettled } from './controls';

export interface InstructionFilesPorts {
  readonly files: Pick<
    InstructionFiles,
    'waiting' | 'allowed' | 'letInBefore' | 'decline' | 'withdraw' | 'subscribe' | 'refresh'
  >;
  /** Returns null for a file that cannot be read. */
  read(path: string): Promise<string | null>;
  allow(texts: readonly InstructionText[]): Promise<void>;
}

const say = words.instructions;
/** Files that one dialog shows, and characters of a text before it is unfolded. */
const maxShown = 100;
const maxStart = 600;

/** InstructionFilesModal: lists the files that wait, and lets in exactly the texts that it shows. */
export class InstructionFilesModal extends DrawnModal {
  /** @param isWhole whether it also lists what was allowed, and what is never used */
  constructor(app: App, ports: InstructionFilesPorts, isWhole: boolean) {
    super(app, {
      styleClass: 'docent-instructions-modal',
      title: say.title,
      draw: (close) => <Files ports={ports} isWhole={isWhole} onDone={close} />,
    });
  }
}

/** Draws a component again whenever the instruction files that wait or are allowed change. */
export function useInstructionFiles(files: Pick<InstructionFiles, 'subscribe'> | undefined): void {
  const [, setChanges] = useState(0);
  useEffect(() => {
    const update = (): void => setChanges((count) => count + 1);
    // They may have changed since it was drawn.
    update();
    return files?.subscribe(update);
  }, [files]);
}

type Shown = WaitingInstruction & { readonly text: string | null; readonly before: string | null };

interface FilesProps {
  readonly ports: InstructionFilesPorts;
  readonly isWhole: boolean;
  readonly onDone: () => void;
}

function Files({ ports, isWhole, onDone }: FilesProps) {
  const [files, setFiles] = useState<readonly Shown[] | null>(null);
  const [more, setMore] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const isSettled = useUnmoved(list, files);
  useEffect(() => {
    let newest = 0;
    const load = async (): Promise<void> => {
      const turn = (newest += 1);
      const waiting = ports.files.waiting().filter(({ isDeclined }) => isWhole || !isDeclined);
      const read = waiting.slice(0, maxShown).map(async (file): Promise<Shown> => {
        return { ...file, text: await ports.read(file.path), before: ports.files.letInBefore(file.path) };
      });
      const shown = await Promise.all(read);
      if (turn !== newest) return;
      setMore(waiting.length - shown.length);
      setFiles(shown);
      if (shown.length === 0 && !isWhole) onDone();
    };
    void ports.files.refresh().then(load);
    return ports.files.subscribe(() => void load());
  }, [ports]);
  if (files === null) return null;
  const usable = files.flatMap(({ path, text, isDeclined }) =>
    text === null || isDeclined || text.length > maxInstruction ? [] : [{ path, text }],
  );
  const allowed = isWhole ? ports.files.allowed() : [];
  return (
    <>
      {files.length > 0 && <p>{say.lead}</p>}
      <ul class="docent-instructions" ref={list}>
        {files.map((file) => (
          <File key={file.path} file={file} ports={ports} isSettled={isSettled} />
        ))}
      </ul>
      {more > 0 && <p>{say.more(more)}</p>}
      {allowed.length > 0 && <h4>{say.used}</h4>}
      <ul class="docent-instructions">
        {allowed.map(({ path, kind, isUsed }) => (
          <li key={path}>
            <Name path={path} />
            <Details parts={[...(kind === null ? [] : [say.kinds[kind]]), ...(isUsed ? [] : [say.unused])]} />
            <button
              type="button"
              aria-label={say.withdrawOne(path)}
              onClick={firstPress(() => ports.files.withdraw([path]))}
            >
              {say.withdraw}
            </button>
          </li>
        ))}
      </ul>
      {files.length + allowed.length === 0 && <p>{say.none}</p>}
      {usable.length > 0 && (
        <div class="modal-button-container">
          <button type="button" class="mod-cta" onClick={firstPress(() => isSettled && void ports.allow(usable))}>
            {say.allowAll}
          </button>
          <button type="button" onClick={onDone}>
            {say.notNow}
          </button>
        </div>
      )}
    </>
  );
}

/**
 * Whether no file came or changed in the list for so long that a press is meant for what is in its place by now. A button
 * that was disabled until then would lose the focus.
 */
function useUnmoved(list: RefObject<HTMLElement | null>, files: readonly Shown[] | null): boolean {
  const seen = useRef<ReadonlySet<string> | null>(null);
  const changes = useRef(0);
  const shown = files === null ? null : new Set(files.map(({ path, text }) => JSON.stringify([path, text])));
  if (shown !== null && [...shown].some((each) => seen.current?.has(each) === false)) changes.current += 1;
  seen.current = shown;
  const isSettled = useSettled(list, String(changes.current));
  return isSettled || changes.current === 0;
}

function Name({ path }: { readonly path: string }) {
  return (
    <div class="docent-instructions-name" dir="auto">
      <NoteText text={path} />
    </div>
  );
}

function Details({ parts }: { readonly parts: readonly string[] }) {
  return <div class="docent-instructions-detail">{parts.join(' · ')}</div>;
}

interface FileProps {
  readonly file: Shown;
  readonly ports: InstructionFilesPorts;
  /** Whether what is pressed is what the user saw there. */
  readonly isSettled: boolean;
}

function File({ file, ports, isSettled }: FileProps) {
  const { path, kind, modified, isChanged, isDeclined, text, before } = file;
  const isUsable = text !== null && text.length <= maxInstruction;
  const state = isDeclined ? say.isDeclined : isChanged ? say.isChanged : say.isNew;
  return (
    <li>
      <Name path={path} />
      <Details parts={[say.kinds[kind], state, say.changedAt(new Date(modified).toLocaleString())]} />
      {isUsable ? <Text text={text} before={before} /> : <p>{text === null ? say.unread : say.tooLong}</p>}
      <div class="docent-instructions-acts">
        {isUsable && (
          <button
            type="button"
            aria-label={say.allowOne(path)}
            onClick={firstPress(() => isSettled && void ports.allow([{ path, text }]))}
          >
            {say.allow}
          </button>
        )}
        {!isDeclined && (
          <button
            type="button"
            aria-label={say.neverOne(path)}
            onClick={firstPress(() => isSettled && ports.files.decline([path]))}
          >
            {say.never}
          </button>
        )}
      </div>
    </li>
  );
}

/** Text: the difference to what was allowed before, else the beginning; all of it when asked. */
function Text({ text, before }: { readonly text: string; readonly before: string | null }) {
  const [isWhole, setWhole] = useState(false);
  const shown = before === null ? startOf(text, maxStart) : '';
  const more = isWhole || shown.length === text.length ? null : before === null ? text.length - shown.length : 0;
  return (
    <div class="docent-word-changes docent-instructions-text" dir="auto">
      {isWhole || before === null ? (
        <NoteText text={isWhole ? text : shown} />
      ) : (
        <Changes text={text} before={before} />
      )}
      {more !== null && (
        <button type="button" onClick={() => setWhole(true)}>
          {say.showAll(more)}
        </button>
      )}
    </div>
  );
}

function Changes({ text, before }: { readonly text: string; readonly before: string }) {
  return hunksOf(before, text).map(({ index, removed, added }) => (
    <div key={index}>
      {removed !== '' && (
        <del>
          <NoteText text={removed} />
        </del>
      )}
      {added !== '' && (
        <ins>
          <NoteText text={added} />
        </ins>
      )}
    </div>
  ));
}
