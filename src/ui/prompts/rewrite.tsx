/** Rewrite: another wording of a passage, from the instruction to what is accepted, and the box that shows it. */
import { signal } from '@preact/signals';
import { Platform } from 'obsidian';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Failure, Outcome } from '../../core/ports/failure';
import { openAccount } from '../../core/ports/model';
import {
  type EarlierWording,
  readRewrite,
  rewritePrompts,
  rewriteRequest,
  withoutThought,
} from '../../core/prompt/background-prompts';
import { words } from '../../text';
import { copyText, Named } from '../components/controls';
import type { PromptsPorts } from '../state/ports';
import { RequestFailure } from './request-failure';

/** What a rewrite asks of the rest of Docent. */
export type RewritePorts = Pick<
  PromptsPorts,
  'allowAsked' | 'askOnce' | 'openSettings' | 'registry' | 'replacePassage' | 'valuesFor'
>;

/** Where the passage is; implemented by the editor that shows it. */
interface RewritePlace {
  readonly path: string;
  readonly passage: string;
  /** Draws what there is of the new wording; called for each piece of it. */
  draw(): void;
  /** Puts the new wording in place of the passage; false if the user decided against it. */
  replace(wording: string): Promise<Outcome<boolean>>;
  /** Takes the rewrite out of the editor, and begins another one with what is there now if asked. */
  remove(next?: 'again'): void;
}

interface RewriteState {
  /** `stale` once the passage was changed, `writing` from the moment when it was accepted. */
  readonly step: 'asking' | 'running' | 'failed' | 'done' | 'writing' | 'stale';
  readonly failure: Failure | null;
  /** What else there is to say, such as what the answers have cost; empty for nothing. */
  readonly notice: string;
}

const say = words.prompts;
const start: RewriteState = { step: 'asking', failure: null, notice: '' };

/** Rewrite: at most one request at a time for another wording of a passage. */
export class Rewrite {
  readonly state = signal<RewriteState>(start);
  readonly isRefining = signal(false);
  /** The new wording as far as it has come; empty before the first one. */
  wording = '';
  private instruction = '';
  private earlier: readonly EarlierWording[] = [];
  private running: AbortController | null = null;
  private readonly account = openAccount();

  constructor(
    readonly place: RewritePlace,
    readonly ports: RewritePorts,
  ) {}

  get step(): RewriteState['step'] {
    return this.state.value.step;
  }

  /** Whether the new wording is complete and says something else. */
  get canAccept(): boolean {
    return this.step === 'done' && this.wording !== this.place.passage;
  }

  /** Whether a refinement failed, so that the wording before it can be shown again. */
  get canGoBack(): boolean {
    return this.step === 'failed' && this.earlier.length > 0;
  }

  ask(instruction: string): void {
    this.instruction = instruction;
    this.earlier = [];
    void this.run();
  }

  /** Asks for a change of the new wording. */
  refine(request: string): void {
    if (this.step !== 'done') return;
    this.earlier = [...this.earlier, { wording: this.wording, request }];
    this.isRefining.value = false;
    void this.run();
  }

  /** Sends the last request again. */
  again(): void {
    void this.run();
  }

  /** Stops the request, or leaves a failed one; what was there before it is there again. */
  stop(): void {
    this.running?.abort();
    const before = this.earlier.at(-1);
    this.earlier = this.earlier.slice(0, -1);
    this.wording = before?.wording ?? '';
    this.show({ step: before === undefined ? 'asking' : 'done' });
  }

  async accept(): Promise<void> {
    if (!this.canAccept) return;
    this.show({ step: 'writing' });
    const written = await this.place.replace(this.wording);
    if (written.ok && written.value) return this.place.remove();
    this.show({ step: 'done', failure: written.ok ? null : written.failure });
  }

  reject(): void {
    this.running?.abort();
    this.place.remove();
  }

  /** What Escape does: takes back one step. */
  goBack(): void {
    if (this.isRefining.value) this.isRefining.value = false;
    else if (this.step === 'running' || this.canGoBack) this.stop();
    else if (this.step !== 'writing') this.reject();
  }

  /** Ends the request once the passage is another one; the new wording can still be copied. */
  passageChanged(): void {
    if (this.step === 'writing') return;
    this.close();
    this.isRefining.value = false;
    this.show({ step: 'stale' });
  }

  /** Ends the request once its editor is closed; a refinement that is not done leaves the wording before it. */
  close(): void {
    this.running?.abort();
    if (this.step === 'running' || this.step === 'failed') this.wording = this.earlier.at(-1)?.wording ?? this.wording;
  }

  private show(state: Partial<RewriteState>): void {
    this.state.value = { ...start, ...state };
    this.place.draw();
  }

  private async run(): Promise<void> {
    this.running?.abort();
    const abort = new AbortController();
    this.running = abort;
    this.wording = '';
    this.show({ step: 'running' });
    const failure = await this.stream(abort.signal);
    if (abort.signal.aborted) return;
    this.state.value = { ...this.state.value, step: failure === null ? 'done' : 'failed', failure };
    this.place.draw();
  }

  /** Returns why there is no new wording; null once there is one. */
  private async stream(signal: AbortSignal): Promise<Failure | null> {
    const { ports, place, instruction, account, earlier } = this;
    const values = await ports.valuesFor(instruction, '', signal);
    if (signal.aborted) return null;
    const more = { ...values, activeNote: place.path };
    const request = rewriteRequest(instruction, place.passage, more, earlier);
    const lead = /^\s*/.exec(place.passage)?.[0] ?? '';
    let text = '';
    let isComplete = false;
    for await (const event of ports.askOnce(request, 'rewrite', account, signal)) {
      if (signal.aborted) return null;
      if (event.type === 'failure') return event.failure;
      if (event.type === 'notice') this.state.value = { ...this.state.value, notice: event.words };
      if (event.type === 'finish') isComplete = event.reason === 'complete' || event.reason === 'unknown';
      if (event.type !== 'text-delta') continue;
      text += event.text;
      this.wording = lead + withoutThought(text, [request]).trimStart();
      place.draw();
    }
    if (signal.aborted) return null;
    const wording = readRewrite(text, place.passage, request);
    if (wording.trim() === '') return failedWith(say.rewriteEmpty);
    if (!isComplete) return failedWith(say.rewriteCutOff);
    this.wording = wording;
    return null;
  }
}

function failedWith(text: string): Failure {
  return { kind: 'interrupted', words: text, remedy: say.rewriteEmptyRemedy };
}

interface RewriteBoxProps {
  readonly rewrite: Rewrite;
}

/** RewriteBox: what the user says to a rewrite, above the passage: the instruction, then what is accepted. */
export function RewriteBox({ rewrite }: RewriteBoxProps) {
  const { step, failure, notice } = rewrite.state.value;
  return (
    <Named class="docent-rewrite" role="group" name={words.commandNames['rewrite-selection']}>
      {step === 'asking' && <Asking rewrite={rewrite} />}
      {step === 'running' && (
        <div class="docent-rewrite-row">
          <Say text={say.rewriteRunning} />
          <Act label={say.rewriteStop} keys="Escape" onClick={() => rewrite.stop()} isFocused />
        </div>
      )}
      {step === 'done' && <Done rewrite={rewrite} />}
      {step === 'writing' && <Say text={say.rewriteSaving} />}
      {failure !== null && <RequestFailure failure={failure} ports={rewrite.ports} onRetry={() => rewrite.again()} />}
      {step === 'failed' && <Failed rewrite={rewrite} />}
      {step === 'stale' && <Stale rewrite={rewrite} />}
      {notice !== '' && <Say text={notice} />}
    </Named>
  );
}

function Say({ text }: { readonly text: string }) {
  return (
    <span class="docent-rewrite-said" role="status">
      {text}
    </span>
  );
}

function Asking({ rewrite }: RewriteBoxProps) {
  return (
    <>
      <Instruction label={say.rewriteInstruction} action={say.rewriteRun} onRun={(text) => rewrite.ask(text)} isMain />
      <div class="docent-rewrite-row">
        {rewritePrompts(rewrite.ports.registry.list()).map(({ id, name, description, content }) => (
          <button key={id} type="button" title={description} onClick={() => rewrite.ask(content)}>
            {name}
          </button>
        ))}
        <Act label={say.cancel} keys="Escape" onClick={() => rewrite.reject()} />
      </div>
    </>
  );
}

function Done({ rewrite }: RewriteBoxProps) {
  const isSame = rewrite.wording === rewrite.place.passage;
  const isRefining = rewrite.isRefining.value;
  return (
    <>
      <div class="docent-rewrite-row">
        <Say text={isSame ? say.rewriteSame : say.rewriteDone} />
        {!isSame && (
          <Act
            label={say.rewriteAccept}
            keys="Mod+Enter"
            onClick={() => void rewrite.accept()}
            isFocused={!isRefining}
            isMain
          />
        )}
        <Act label={isSame ? say.rewriteClose : say.rewriteReject} keys="Escape" onClick={() => rewrite.reject()} />
        <Act
          label={say.rewriteRefine}
          keys="Mod+Shift+Enter"
          isOpen={isRefining}
          onClick={() => (rewrite.isRefining.value = !isRefining)}
        />
      </div>
      {isRefining && (
        <Instruction
          label={say.rewriteFurther}
          action={say.rewriteRun}
          onRun={(text) => rewrite.refine(text)}
          isMain={false}
        />
      )}
    </>
  );
}

function Failed({ rewrite }: RewriteBoxProps) {
  return (
    <div class="docent-rewrite-row">
      <Act label={say.rewriteAgain} onClick={() => rewrite.again()} isFocused isMain />
      {rewrite.canGoBack ? (
        <Act label={say.rewriteEarlier} keys="Escape" onClick={() => rewrite.stop()} />
      ) : (
        <Act label={say.rewriteClose} keys="Escape" onClick={() => rewrite.reject()} />
      )}
    </div>
  );
}

function Stale({ rewrite }: RewriteBoxProps) {
  const { wording } = rewrite;
  return (
    <>
      <div class="docent-rewrite-said" role="alert">
        {say.rewriteStale}
      </div>
      <div class="docent-rewrite-row">
        <Act label={say.rewriteOnceMore} onClick={() => rewrite.place.remove('again')} isMain />
        {wording.trim() !== '' && (
          <button type="button" onClick={(event) => void copyText(wording, event.currentTarget.win)}>
            {say.rewriteCopy}
          </button>
        )}
        <Act label={say.rewriteClose} keys="Escape" onClick={() => rewrite.reject()} />
      </div>
    </>
  );
}

interface InstructionProps {
  readonly label: string;
  readonly action: string;
  readonly onRun: (instruction: string) => void;
  readonly isMain: boolean;
}

/** Instruction: a box for what should change, in focus as it appears. */
function Instruction({ label, action, onRun, isMain }: InstructionProps) {
  const [text, setText] = useState('');
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus(), []);
  const isEmpty = text.trim() === '';
  return (
    <form
      class="docent-rewrite-row"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) onRun(text);
      }}
    >
      <input
        ref={box}
        type="text"
        dir="auto"
        aria-label={label}
        placeholder={`${label} ${say.rewriteInstructionHint}`}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class={isMain ? 'mod-cta' : ''} disabled={isEmpty}>
        {action}
      </button>
    </form>
  );
}

interface ActProps {
  readonly label: string;
  readonly onClick: () => void;
  /** As in the names of keys: Escape, or Mod+Enter. */
  readonly keys?: string;
  readonly isMain?: boolean;
  readonly isFocused?: boolean;
  /** Whether what the button opens is open; absent where it opens nothing. */
  readonly isOpen?: boolean;
}

/** Act: a button with its key, which a phone does not show. It takes no focus from what is outside the box. */
function Act({ label, onClick, keys, isMain = false, isFocused = false, isOpen }: ActProps) {
  const button = useRef<HTMLButtonElement>(null);
  const takeFocus = (): void => {
    const { activeElement = null, body } = button.current?.doc ?? {};
    const isFree =
      activeElement === null || activeElement === body || activeElement.closest('.docent-rewrite') !== null;
    if (isFocused && isFree) button.current?.focus();
  };
  // Before the next key; and once more, since a new box is not in the editor yet.
  useLayoutEffect(takeFocus, [isFocused]);
  useEffect(takeFocus, [isFocused]);
  return (
    <button
      ref={button}
      type="button"
      class={isMain ? 'mod-cta' : ''}
      aria-keyshortcuts={keys?.replace('Mod', Platform.isMacOS ? 'Meta' : 'Control')}
      aria-expanded={isOpen}
      onClick={onClick}
    >
      {label}
      {keys !== undefined && !Platform.isMobile && (
        <kbd class="docent-rewrite-key" aria-hidden="true">
          {nameOfKeys(keys)}
        </kbd>
      )}
    </button>
  );
}

function nameOfKeys(keys: string): string {
  const [modifier, shift] = Platform.isMacOS ? ['⌘', '⇧'] : ['Ctrl ', 'Shift '];
  return keys.replace('Mod+', modifier).replace('Shift+', shift).replace('Enter', '↵').replace('Escape', 'Esc');
}
