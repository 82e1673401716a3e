/** A rewrite in the editor: its box above the passage, and the new wording as changes in the text. */
import { isolateHistory } from '@codemirror/commands';
import { Prec, type Range, StateEffect, StateField, type Transaction } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { type App, editorInfoField, Notice, type Plugin, Scope } from 'obsidian';
import { render } from 'preact';
import { type ComingPart, compareComing, comparePassages } from '../../core/writing/changeset/diff';
import { words } from '../../text';
import { joinChangedWords, NoteText } from '../components/changed-text';
import { copyText, isOfInputMethod } from '../components/controls';
import { Rewrite, RewriteBox, type RewritePorts } from './rewrite';
import type { SelectedPassage } from './selected-passage';

const say = words.prompts;

/** Milliseconds after which an editor that does not draw the box is taken to draw something else in its place. */
const drawnWithin = 400;

/** Editors that show a rewrite, or may. */
export interface EditorRewrites {
  /** Begins a rewrite of a passage in its editor. Puts the focus into the one that is there already. */
  start(passage: SelectedPassage): void;
  /** Returns the rewrite in the active editor; null for none. */
  current(): Rewrite | null;
}

/** Registers what editors need, in all windows and on the phone; it is needed once a rewrite begins. */
export function openEditorRewrites(app: App, plugin: Plugin, ports: RewritePorts): EditorRewrites {
  const views = new Set<EditorView>();
  const follower = ViewPlugin.fromClass(
    class {
      private shown: ShownRewrite | null = null;

      constructor(private readonly view: EditorView) {
        views.add(view);
      }

      update({ state }: ViewUpdate): void {
        const [before, now] = [this.shown, state.field(shownRewrite)];
        this.shown = now;
        if (now?.isLost === true && before?.isLost === false) queueMicrotask(() => now.rewrite.passageChanged());
      }

      destroy(): void {
        views.delete(this.view);
        if (this.shown !== null) sayClosed(this.shown.rewrite, this.view);
      }
    },
  );
  plugin.registerEditorExtension([shownRewrite, follower, keysOf]);
  const viewOf = (editor: SelectedPassage['editor']): EditorView | undefined =>
    [...views].find((view) => view.state.field(editorInfoField, false)?.editor === editor);
  const start: EditorRewrites['start'] = (passage) => {
    const view = viewOf(passage.editor);
    const { from, text } = passage;
    if (view === undefined || view.state.sliceDoc(from, from + text.length) !== text) {
      new Notice(say.rewriteNotHere);
      return;
    }
    if (view.state.field(shownRewrite) === null) show(view, passage, { app, ports, start });
    else focusBox(view);
  };
  return {
    start,
    current: () => {
      const editor = app.workspace.activeEditor?.editor;
      const view = editor === undefined ? undefined : viewOf(editor);
      return view?.state.field(shownRewrite, false)?.rewrite ?? null;
    },
  };
}

interface Opened {
  readonly app: App;
  readonly ports: RewritePorts;
  readonly start: EditorRewrites['start'];
}

/** Shows a rewrite of a passage in its editor. */
function show(view: EditorView, passage: SelectedPassage, { app, ports, start }: Opened): void {
  const { from } = passage;
  const to = from + passage.text.length;
  const { win } = view.dom;
  let frame: number | null = null;
  let untilDrawn = 0;
  const shownNow = (): ShownRewrite | null => {
    const shown = view.dom.isConnected ? (view.state.field(shownRewrite, false) ?? null) : null;
    return shown?.rewrite === rewrite ? shown : null;
  };
  const draw = (): void => {
    frame = null;
    const shown = shownNow();
    if (shown !== null) view.dispatch({ effects: showParts.of(partsOf(rewrite)) });
  };
  const rewrite = new Rewrite(
    {
      get path() {
        return view.state.field(editorInfoField, false)?.file?.path ?? passage.path;
      },
      passage: passage.text,
      // However fast the words come, the text is laid out once in a frame.
      draw: () => (frame ??= win.requestAnimationFrame(draw)),
      replace: async (wording) => {
        const shown = shownNow();
        if (shown === null) return ports.replacePassage({ ...passageOf(view, passage, from), wording });
        const written = await ports.replacePassage({ ...passageOf(view, passage, shown.from), wording });
        const after = shownNow();
        // If Obsidian has not read the note again yet, the editor's own history gets the change in this way.
        if (written.ok && written.value && after !== null) putIn(view, after, passage.text, wording);
        return written;
      },
      remove: (next) => {
        win.clearTimeout(untilDrawn);
        const shown = shownNow();
        if (shown === null) return;
        const isThere = view.state.sliceDoc(shown.from, shown.to) === passage.text;
        const selection = next === 'again' || isThere ? { anchor: shown.from, head: shown.to } : { anchor: shown.to };
        view.dispatch({ effects: endRewrite.of(null), selection });
        view.focus();
        if (next !== 'again') return;
        const text = view.state.sliceDoc(shown.from, shown.to);
        if (text.trim() === '') new Notice(say.rewriteNothingSelected);
        else start({ ...passage, text, from: shown.from });
      },
    },
    ports,
  );
  const box = new BoxWidget(rewrite, app);
  // The colors of a selection would hide those of the changes.
  view.dispatch({ effects: startRewrite.of({ rewrite, box, from, to }), selection: { anchor: from } });
  win.requestAnimationFrame(() => box.element?.scrollIntoView({ block: 'nearest' }));
  // Obsidian draws a table in place of its text, and with it of all that is drawn there.
  untilDrawn = win.setTimeout(() => {
    if (box.element !== null || shownNow() === null || rewrite.step !== 'asking') return;
    rewrite.reject();
    new Notice(say.rewriteNotHere);
  }, drawnWithin);
}

function passageOf(view: EditorView, { path, text }: SelectedPassage, offset: number) {
  const { file } = view.state.field(editorInfoField, false) ?? {};
  return { path: file?.path ?? path, seen: view.state.doc.toString(), offset, passage: text };
}

function putIn(view: EditorView, { from, to }: ShownRewrite, passage: string, wording: string): void {
  if (view.state.sliceDoc(from, to) !== passage) return;
  view.dispatch({ changes: { from, to, insert: wording }, annotations: isolateHistory.of('full') });
}

/** Says that a note was closed before its rewrite was accepted, with what to do now. */
function sayClosed(rewrite: Rewrite, view: EditorView): void {
  const { step, place } = rewrite;
  rewrite.close();
  const { wording } = rewrite;
  if (step === 'asking' || step === 'writing') return;
  if (wording.trim() === '') {
    new Notice(say.rewriteClosed(place.path));
    return;
  }
  const { win } = view.dom;
  const text = createFragment((fragment) => {
    fragment.createSpan({ text: say.rewriteClosedWith(place.path) });
    const row = fragment.createDiv('docent-notice-acts');
    row.createEl('button', { text: say.rewriteCopy }).onClickEvent(() => void copyText(wording, win));
  });
  new Notice(text, 0);
}

function partsOf({ step, wording, place }: Rewrite): readonly ComingPart[] {
  const { passage } = place;
  if (step === 'running')
    return wording === '' ? [{ kind: 'pending', text: passage }] : compareComing(passage, wording);
  if (step === 'done' || step === 'writing') return joinChangedWords(comparePassages(passage, wording));
  return [];
}

/** The keys of a rewrite while its editor is in focus. */
const keysOf = Prec.highest(
  keymap.of([
    { key: 'Escape', run: (view) => withShown(view, (rewrite) => rewrite.goBack()) },
    { key: 'Mod-Enter', run: (view) => withShown(view, (rewrite) => void rewrite.accept()) },
    {
      key: 'Mod-Shift-Enter',
      run: (view) => withShown(view, (rewrite) => (rewrite.isRefining.value = rewrite.step === 'done')),
    },
  ]),
);

function withShown(view: EditorView, act: (rewrite: Rewrite) => void): boolean {
  const shown = view.state.field(shownRewrite, false);
  if (shown == null) return false;
  act(shown.rewrite);
  return true;
}

function focusBox(view: EditorView): void {
  const { box } = view.state.field(shownRewrite) ?? {};
  box?.element?.querySelector<HTMLElement>('input, button')?.focus();
}

interface ShownRewrite {
  readonly rewrite: Rewrite;
  readonly box: BoxWidget;
  /** The passage, wherever other edits have moved it. */
  readonly from: number;
  readonly to: number;
  readonly parts: readonly ComingPart[];
  /** Whether the passage is not in the note any more as it was. */
  readonly isLost: boolean;
  readonly drawn: DecorationSet;
}

const startRewrite = StateEffect.define<Pick<ShownRewrite, 'rewrite' | 'box' | 'from' | 'to'>>();
const showParts = StateEffect.define<readonly ComingPart[]>();
const endRewrite = StateEffect.define<null>();

const shownRewrite = StateField.define<ShownRewrite | null>({
  create: () => null,
  update: (before, transaction) => {
    let shown = before;
    if (shown !== null && transaction.docChanged) shown = follow(shown, transaction);
    for (const effect of transaction.effects) {
      if (effect.is(startRewrite)) shown = { ...effect.value, parts: [], isLost: false, drawn: Decoration.none };
      if (effect.is(showParts) && shown !== null) shown = { ...shown, parts: effect.value };
      if (effect.is(endRewrite)) shown = null;
    }
    if (shown === null || shown === before) return shown;
    return { ...shown, drawn: Decoration.set(decorationsOf(shown, transaction), true) };
  },
  provide: (field) => EditorView.decorations.from(field, (shown) => shown?.drawn ?? Decoration.none),
});

/** Finds the passage again after an edit: moved by it, or at the only place that has its text. */
function follow(shown: ShownRewrite, { changes, state }: Transaction): ShownRewrite {
  const { rewrite, isLost } = shown;
  const from = changes.mapPos(shown.from, 1);
  const to = Math.max(from, changes.mapPos(shown.to, -1));
  if (isLost || rewrite.step === 'writing') {
    return { ...shown, from: changes.mapPos(shown.from, -1), to: changes.mapPos(shown.to, 1), parts: [] };
  }
  const { passage } = rewrite.place;
  if (state.sliceDoc(from, to) === passage) return { ...shown, from, to };
  const text = state.doc.toString();
  const at = text.indexOf(passage);
  if (at >= 0 && !text.includes(passage, at + 1)) return { ...shown, from: at, to: at + passage.length };
  return {
    ...{ ...shown, parts: [], isLost: true },
    ...{ from: changes.mapPos(shown.from, -1), to: changes.mapPos(shown.to, 1) },
  };
}

const marks = {
  passage: Decoration.mark({ class: 'docent-rewrite-passage' }),
  removed: Decoration.mark({ class: 'docent-rewrite-removed', tagName: 'del' }),
  pending: Decoration.mark({ class: 'docent-rewrite-pending' }),
} as const;

function decorationsOf({ box, from, to, parts, isLost }: ShownRewrite, { state }: Transaction): Range<Decoration>[] {
  const top = Decoration.widget({ widget: box, side: -1, block: true }).range(state.doc.lineAt(from).from);
  if (isLost || from === to) return [top];
  const drawn = [top, marks.passage.range(from, to)];
  let at = from;
  for (const { kind, text } of parts) {
    if (kind === 'added') drawn.push(Decoration.widget({ widget: new AddedWidget(text), side: 1 }).range(at));
    else {
      const end = Math.min(to, at + text.length);
      if (kind !== 'same' && end > at) drawn.push(marks[kind].range(at, end));
      at = end;
    }
  }
  return drawn;
}

/** The box of a rewrite, drawn once for as long as it is shown. */
class BoxWidget extends WidgetType {
  element: HTMLElement | null = null;

  constructor(
    private readonly rewrite: Rewrite,
    private readonly app: App,
  ) {
    super();
  }

  override eq(other: BoxWidget): boolean {
    return other.rewrite === this.rewrite;
  }

  override get estimatedHeight(): number {
    return 90;
  }

  override ignoreEvent(): boolean {
    return true;
  }

  toDOM(view: EditorView): HTMLElement {
    const element = createDiv('docent-rewrite-place');
    render(<RewriteBox rewrite={this.rewrite} />, element);
    const stopWatching = this.rewrite.state.subscribe(() =>
      view.dom.win.requestAnimationFrame(() => view.requestMeasure()),
    );
    const releaseKeys = this.holdKeys(element);
    released.set(element, () => {
      stopWatching();
      releaseKeys();
    });
    this.element = element;
    return element;
  }

  override destroy(element: HTMLElement): void {
    released.get(element)?.();
    render(null, element);
    if (this.element === element) this.element = null;
  }

  /** Keys of Obsidian, such as Mod+Enter for the link at the cursor, wait while the box is in focus. */
  private holdKeys(element: HTMLElement): () => void {
    const { rewrite, app } = this;
    const scope = new Scope(app.scope);
    const act = (run: () => void) => (event: KeyboardEvent) => {
      if (isOfInputMethod(event)) return undefined;
      run();
      return false;
    };
    scope.register(
      [],
      'Escape',
      act(() => rewrite.goBack()),
    );
    scope.register(
      ['Mod'],
      'Enter',
      act(() => void rewrite.accept()),
    );
    scope.register(
      ['Mod', 'Shift'],
      'Enter',
      act(() => (rewrite.isRefining.value = rewrite.step === 'done')),
    );
    let isHeld = false;
    const hold = (holds: boolean): void => {
      if (holds === isHeld) return;
      isHeld = holds;
      if (holds) app.keymap.pushScope(scope);
      else app.keymap.popScope(scope);
    };
    element.addEventListener('focusin', () => hold(true));
    element.addEventListener('focusout', ({ relatedTarget }) => hold(element.contains(relatedTarget as Node | null)));
    return () => hold(false);
  }
}

const released = new WeakMap<HTMLElement, () => void>();

/** New words in the text, always drawn as text. */
class AddedWidget extends WidgetType {
  constructor(private readonly text: string) {
    super();
  }

  override eq(other: AddedWidget): boolean {
    return other.text === this.text;
  }

  toDOM(): HTMLElement {
    const element = createEl('ins', 'docent-rewrite-added');
    render(<NoteText text={this.text} />, element);
    return element;
  }
}
