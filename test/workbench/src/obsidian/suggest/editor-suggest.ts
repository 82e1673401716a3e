/** EditorSuggest: type-ahead inside a note, asked by the editor after each change. */
import type {
  Editor,
  EditorPosition,
  EditorSuggestContext,
  EditorSuggestTriggerInfo,
  Instruction,
  TFile,
} from 'obsidian';
import type { WidgetApp } from '../windows/host';
import { drawInstructions } from './instructions';
import type { Anchor } from '../windows/place';
import { PopoverSuggest } from './popover-suggest';

/** What the list needs from the editor to be placed under the trigger: coordinates in the editor's window. */
export interface SuggestEditor {
  getCursor(): EditorPosition;
  coordsAtPos?(position: EditorPosition): Anchor | null;
}

export abstract class EditorSuggest<T> extends PopoverSuggest<T> {
  context: EditorSuggestContext | null = null;
  limit = 100;
  private readonly instructionsEl: HTMLElement;
  private asked = 0;

  constructor(app: WidgetApp) {
    super(app);
    this.instructionsEl = this.suggestEl.createDiv('prompt-instructions');
    this.instructionsEl.hide();
  }

  setInstructions(instructions: Instruction[]): void {
    drawInstructions(this.instructionsEl, instructions);
  }

  abstract onTrigger(cursor: EditorPosition, editor: Editor, file: TFile | null): EditorSuggestTriggerInfo | null;
  abstract getSuggestions(context: EditorSuggestContext): T[] | Promise<T[]>;

  override close(): void {
    this.asked++;
    this.context = null;
    super.close();
  }

  /** Asks `onTrigger` at the cursor and shows or closes the list; answers whether this suggester took the cursor. */
  trigger(editor: SuggestEditor, file: unknown, doc: Document): boolean {
    const info = this.onTrigger(editor.getCursor(), editor as unknown as Editor, file as TFile | null);
    if (!info) {
      this.close();
      return false;
    }
    const context = { ...info, editor, file } as unknown as EditorSuggestContext;
    this.context = context;
    void this.update(context, editor, doc);
    return true;
  }

  private async update(context: EditorSuggestContext, editor: SuggestEditor, doc: Document): Promise<void> {
    const question = ++this.asked;
    const answer = this.getSuggestions(context);
    const values = Array.isArray(answer) ? answer : await answer;
    if (question !== this.asked) return;
    const limited = this.limit > 0 ? values.slice(0, this.limit) : values;
    this.showSuggestions(limited, doc, () => editor.coordsAtPos?.(context.start) ?? noAnchor);
  }
}

const noAnchor: Anchor = { left: 0, top: 0, right: 0, bottom: 0 };

/** Runs the registered suggesters in order until one takes the cursor; the others are closed. */
export function triggerEditorSuggests(
  suggests: EditorSuggest<unknown>[],
  editor: SuggestEditor,
  file: unknown,
  doc: Document,
): boolean {
  let taken = false;
  for (const suggest of suggests) {
    if (taken) suggest.close();
    else taken = suggest.trigger(editor, file, doc);
  }
  return taken;
}
