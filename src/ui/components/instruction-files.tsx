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
import type { ChatViewPorts } from '../state/ports';
import { NoteText } from './changed-text';
import { DrawnModal, firstPress, useSettled } from './controls';

export interface InstructionFilesPorts {
  readonly files: Pick<
    InstructionFiles,
    'waiting' | 'allowed' | 'letInBefore' | 'decline' | 'withdraw' | 'subscribe' | 'refresh' | 'isBeingCompared'
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

/** Whether a file is out only until its text, which was saved again, is compared: what is drawn of it does not flicker. */
export function isBeingCompared(path: string, { instructions }: Pick<ChatViewPorts, 'instructions'>): boolean {
  return instructions?.files.isBeingCompared(path) === true;
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
  const press = usePress(list, files);
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
          <File key={file.path} file={file} ports={ports} press={press} />
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
          <button
            type="button"
            class="mod-cta"
            onClick={press(
              usable.map(({ path }) => path),
              () => void ports.allow(usable),
            )}
          >
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

/** Returns a handler of a press on a button that does something with files. */
type Press = (paths: readonly string[], act: () => void) => (event: MouseEvent) => void;

/**
 * Returns what makes the handlers of the list. They take no press that may be meant for what was there before: further
 * ones of a double-click, and any while a file that came, changed, or left by itself has not been on the screen for a
 * moment. A button that was disabled until then would lose the focus.
 */
function usePress(list: RefObject<HTMLElement | null>, files: readonly Shown[] | null): Press {
  const seen = useRef<ReadonlyMap<string, string | null> | null>(null);
  const pressed = useRef(new Set<string>());
  const changes = useRef(0);
  const before = seen.current;
  const shown = files === null ? null : new Map(files.map(({ path, text }) => [path, text]));
  if (before !== null && shown !== null) {
    // A press is for one time: the file may come again, and then leave by itself.
    const left = [...before.keys()].filter((path) => !shown.has(path) && !pressed.current.delete(path));
    if (left.length > 0 || [...shown].some(([path, text]) => before.get(path) !== text)) changes.current += 1;
  }
  seen.current = shown;
  const isSettled = useSettled(list, String(changes.current)) || changes.current === 0;
  return (paths, act) =>
    ({ detail }) => {
      if (detail > 1 || !isSettled) return;
      for (const path of paths) pressed.current.add(path);
      act();
    };
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
  readonly press: Press;
}

function File({ file, ports, press }: FileProps) {
  const { path, kind, modified, isChanged, isDeclined, text, before } = file;
  const isUsable = text !== null && text.length <= maxInstruction;
  const state = isDeclined ? say.isDeclined : isChanged ? say.isChanged : say.isNew;
  return (
    <li>
      <Name path={path} />
      <Details
        parts={[say.kinds[kind], state, ...(modified > 0 ? [say.changedAt(new Date(modified).toLocaleString())] : [])]}
      />
      {isUsable ? <Text text={text} before={before} /> : <p>{text === null ? say.unread : say.tooLong}</p>}
      <div class="docent-instructions-acts">
        {isUsable && (
          <button
            type="button"
            aria-label={say.allowOne(path)}
            onClick={press([path], () => void ports.allow([{ path, text }]))}
          >
            {say.allow}
          </button>
        )}
        {!isDeclined && (
          <button
            type="button"
            aria-label={say.neverOne(path)}
            onClick={press([path], () => ports.files.decline([path]))}
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
    <>
      <div class="docent-word-changes docent-instructions-text" dir="auto" tabindex={0}>
        {isWhole || before === null ? (
          <NoteText text={isWhole ? text : shown} />
        ) : (
          <Changes text={text} before={before} />
        )}
      </div>
      {more !== null && (
        <button type="button" class="docent-instructions-more" onClick={() => setWhole(true)}>
          {say.showAll(more)}
        </button>
      )}
    </>
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
