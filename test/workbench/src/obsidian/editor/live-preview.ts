/** Draws Markdown while it is edited: sized headings, hidden marks away from the cursor, check boxes and links. */
import { syntaxTree } from '@codemirror/language';
import type { EditorState, Range } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, WidgetType, type DecorationSet, type ViewUpdate } from '@codemirror/view';
import { editorLivePreviewField } from './editor-fields';
import { findInlineMarks } from './inline-marks';

class CheckboxWidget extends WidgetType {
  constructor(readonly mark: string) {
    super();
  }

  override eq(other: CheckboxWidget): boolean {
    return other.mark === this.mark;
  }

  toDOM(view: EditorView): HTMLElement {
    const label = view.dom.ownerDocument.createElement('label');
    label.className = 'task-list-label';
    const input = view.dom.ownerDocument.createElement('input');
    input.type = 'checkbox';
    input.className = 'task-list-item-checkbox';
    input.checked = this.mark !== ' ';
    input.addEventListener('click', (event) => {
      event.preventDefault();
      const from = view.posAtDOM(label) + 1;
      view.dispatch({ changes: { from, to: from + 1, insert: this.mark === ' ' ? 'x' : ' ' }, userEvent: 'input' });
    });
    label.append(input);
    return label;
  }
}

class BulletWidget extends WidgetType {
  override eq(): boolean {
    return true;
  }

  toDOM(view: EditorView): HTMLElement {
    const bullet = view.dom.ownerDocument.createElement('span');
    bullet.className = 'list-bullet';
    bullet.textContent = '-';
    return bullet;
  }
}

class RuleWidget extends WidgetType {
  toDOM(view: EditorView): HTMLElement {
    const box = view.dom.ownerDocument.createElement('div');
    box.className = 'cm-hr';
    box.append(view.dom.ownerDocument.createElement('hr'));
    return box;
  }
}

const HIDDEN = Decoration.replace({});
const MARK_CLASSES: Record<string, string> = {
  StrongEmphasis: 'cm-strong',
  Emphasis: 'cm-em',
  InlineCode: 'cm-inline-code',
  Link: 'cm-link',
  Image: 'cm-image',
  URL: 'cm-url',
  Strikethrough: 'cm-strikethrough',
  HTMLTag: 'cm-html',
  Comment: 'cm-comment',
};
const HIDDEN_MARKS = new Set(['HeaderMark', 'EmphasisMark', 'CodeMark', 'LinkMark', 'StrikethroughMark', 'QuoteMark']);

function touchesSelection(state: EditorState, from: number, to: number): boolean {
  return state.selection.ranges.some((range) => range.from <= to && range.to >= from);
}

function decorateLines(state: EditorState, from: number, to: number, cls: string, found: Range<Decoration>[]): void {
  const first = state.doc.lineAt(from).number;
  const last = state.doc.lineAt(Math.max(from, to - 1)).number;
  for (let number = first; number <= last; number += 1) {
    const edge = `${number === first ? ` ${cls}-begin` : ''}${number === last ? ` ${cls}-end` : ''}`;
    found.push(Decoration.line({ class: cls + edge }).range(state.doc.line(number).from));
  }
}

/** Aligns the wrapped lines of a list item with its text; widths are those of the text font. */
function hang(text: string): { style: string } {
  const [, space = '', mark = ''] = /^(\s*)([-*+]|\d+[.)])/.exec(text) ?? [];
  const before = space.replace(/\t/g, '    ').length * 0.28;
  const own = mark.length > 1 ? (mark.length - 1) * 0.62 + 0.56 : 0.75;
  const width = `${(before + own).toFixed(2)}em`;
  return { style: `padding-inline-start: ${width}; text-indent: -${width}` };
}

function build(view: EditorView): DecorationSet {
  const { state } = view;
  const live = state.field(editorLivePreviewField, false) ?? true;
  const found: Range<Decoration>[] = [];
  const codeRanges: [number, number][] = [];
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(state).iterate({
      from,
      to,
      enter: (node) => {
        const { name } = node;
        const heading = /^(?:ATX|Setext)Heading([1-6])$/.exec(name);
        if (heading) {
          const line = state.doc.lineAt(node.from);
          found.push(Decoration.line({ class: `HyperMD-header HyperMD-header-${heading[1]}` }).range(line.from));
          if (node.to > node.from)
            found.push(Decoration.mark({ class: `cm-header cm-header-${heading[1]}` }).range(node.from, node.to));
        } else if (name === 'FencedCode' || name === 'CodeBlock') {
          decorateLines(state, node.from, node.to, 'HyperMD-codeblock', found);
          codeRanges.push([node.from, node.to]);
        } else if (name === 'Blockquote') {
          decorateLines(state, node.from, node.to, 'HyperMD-quote', found);
        } else if (name === 'ListItem') {
          const line = state.doc.lineAt(node.from);
          found.push(Decoration.line({ class: 'HyperMD-list-line', attributes: hang(line.text) }).range(line.from));
        } else if (name === 'ListMark') {
          decorateListMark(state, node.from, node.to, live, found);
        } else if (name === 'HorizontalRule' && live && !touchesSelection(state, node.from, node.to)) {
          found.push(Decoration.replace({ widget: new RuleWidget() }).range(node.from, node.to));
        } else if (name === 'InlineCode') {
          codeRanges.push([node.from, node.to]);
        }
        const cls = MARK_CLASSES[name];
        if (cls && node.to > node.from) found.push(Decoration.mark({ class: cls }).range(node.from, node.to));
        if (HIDDEN_MARKS.has(name)) hideMark(state, node.node, live, found);
        if (name === 'URL' && node.node.parent?.name === 'Link' && live) hideMark(state, node.node, live, found);
      },
    });
    for (const mark of findInlineMarks(state, from, to, codeRanges)) {
      if (mark.to > mark.from)
        found.push(
          Decoration.mark({ class: mark.cls, ...(mark.attributes ? { attributes: mark.attributes } : {}) }).range(
            mark.from,
            mark.to,
          ),
        );
      if (!live || touchesSelection(state, mark.from, mark.to)) continue;
      for (const [start, end] of mark.hidden) if (end > start) found.push(HIDDEN.range(start, end));
    }
  }
  return Decoration.set(found, true);
}

type Node = ReturnType<typeof syntaxTree>['topNode'];

function hideMark(state: EditorState, node: Node, live: boolean, found: Range<Decoration>[]): void {
  const whole = node.parent ?? node;
  if (whole.name === 'FencedCode' || node.to <= node.from) return;
  const [from, to] =
    node.name === 'HeaderMark' || node.name === 'QuoteMark' ? lineOf(state, node.from) : [whole.from, whole.to];
  if (!live || touchesSelection(state, from, to)) {
    found.push(Decoration.mark({ class: 'cm-formatting' }).range(node.from, node.to));
    return;
  }
  const space =
    (node.name === 'HeaderMark' || node.name === 'QuoteMark') && state.sliceDoc(node.to, node.to + 1) === ' ';
  found.push(HIDDEN.range(node.from, node.to + (space ? 1 : 0)));
}

function lineOf(state: EditorState, position: number): [number, number] {
  const line = state.doc.lineAt(position);
  return [line.from, line.to];
}

function decorateListMark(
  state: EditorState,
  from: number,
  to: number,
  live: boolean,
  found: Range<Decoration>[],
): void {
  const task = /^ \[(.)\] /.exec(state.sliceDoc(to, to + 5));
  const ordered = /\d/.test(state.sliceDoc(from, to));
  if (live && task && !touchesSelection(state, from, to + 4)) {
    found.push(HIDDEN.range(from, to + 1));
    found.push(Decoration.replace({ widget: new CheckboxWidget(task[1] ?? ' ') }).range(to + 1, to + 4));
    if (task[1] !== ' ')
      found.push(Decoration.mark({ class: 'cm-task-done' }).range(to + 5, Math.max(to + 5, state.doc.lineAt(to).to)));
  } else if (live && !ordered && !touchesSelection(state, from, to)) {
    found.push(Decoration.replace({ widget: new BulletWidget() }).range(from, to));
  } else found.push(Decoration.mark({ class: 'cm-formatting cm-formatting-list' }).range(from, to));
}

export const livePreview = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = build(view);
    }

    update(update: ViewUpdate): void {
      const mode = update.startState.field(editorLivePreviewField) !== update.state.field(editorLivePreviewField);
      const parsed = syntaxTree(update.startState) !== syntaxTree(update.state);
      if (update.docChanged || update.viewportChanged || update.selectionSet || mode || parsed) {
        this.decorations = build(update.view);
      }
    }
  },
  { decorations: (plugin) => plugin.decorations },
);
