/** What the probe adds to rendered Markdown and to the editor. */
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { RangeSetBuilder } from '@codemirror/state';
import { editorInfoField, editorLivePreviewField, MarkdownRenderChild } from 'obsidian';
import type ProbePlugin from './main';

class Badge extends MarkdownRenderChild {
  constructor(
    containerEl: HTMLElement,
    private readonly plugin: ProbePlugin,
  ) {
    super(containerEl);
  }

  override onload(): void {
    this.containerEl.addClass('probe-badge');
  }

  override onunload(): void {
    this.plugin.note('badge removed');
  }
}

/** Marks the word "probe" in the editor. */
const markWords = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = find(view);
    }

    update(update: ViewUpdate): void {
      if (update.docChanged || update.viewportChanged) this.decorations = find(update.view);
    }
  },
  { decorations: (value) => value.decorations },
);

function find(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const path = view.state.field(editorInfoField).file?.path ?? '';
  const mode = view.state.field(editorLivePreviewField) ? 'live' : 'source';
  for (const { from, to } of view.visibleRanges) {
    for (const match of view.state.sliceDoc(from, to).matchAll(/\bprobe\b/g)) {
      const start = from + match.index;
      const mark = Decoration.mark({ class: 'probe-word-mark', attributes: { 'data-at': `${mode} ${path}` } });
      builder.add(start, start + match[0].length, mark);
    }
  }
  return builder.finish();
}

export function registerMarkdown(plugin: ProbePlugin): void {
  plugin.registerEditorExtension(markWords);
  plugin.registerMarkdownPostProcessor((el, context) => {
    for (const strong of el.findAll('strong')) {
      if (strong.getText() !== 'badge') continue;
      strong.setAttr('data-source', context.sourcePath);
      const info = context.getSectionInfo(el);
      if (info) strong.setAttr('data-lines', `${info.lineStart}-${info.lineEnd}`);
      context.addChild(new Badge(strong, plugin));
    }
  });
  plugin.registerMarkdownCodeBlockProcessor('probe', (source, el, context) => {
    const list = el.createEl('ul', 'probe-block');
    for (const line of source.split('\n')) list.createEl('li', { text: line });
    list.setAttr('data-title', String((context.frontmatter as { title?: unknown } | null)?.title ?? ''));
  });
}
