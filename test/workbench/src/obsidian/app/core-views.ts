/** Connects view types to their views, and keeps leaves right when a plugin's type comes or goes. */
import { MarkdownView } from '../workspace/markdown-view';
import { UnknownView } from '../workspace/placeholder-views';
import type { App } from './app';
import { FileExplorerView } from './file-explorer';
import { MEDIA_EXTENSIONS, MediaView, PlainTextView, type MediaKind } from './media-view';
import { OutlineView } from './outline-view';
import { SearchView } from './search-view';

export function registerCoreViews(app: App): void {
  const { viewRegistry, workspace } = app;
  viewRegistry.registerView('markdown', (leaf) => new MarkdownView(leaf));
  viewRegistry.registerExtensions(['md'], 'markdown');
  viewRegistry.registerView('file-explorer', (leaf) => new FileExplorerView(leaf));
  viewRegistry.registerView('outline', (leaf) => new OutlineView(leaf));
  viewRegistry.registerView('search', (leaf) => new SearchView(leaf));
  for (const [kind, extensions] of Object.entries(MEDIA_EXTENSIONS)) {
    viewRegistry.registerView(kind, (leaf) => new MediaView(leaf, kind as MediaKind));
    viewRegistry.registerExtensions([...extensions], kind);
  }
  for (const type of ['canvas', 'bases']) {
    viewRegistry.registerView(type, (leaf) => new PlainTextView(leaf, type));
    viewRegistry.registerExtensions([type === 'bases' ? 'base' : type], type);
  }
  viewRegistry.on('view-registered', (type: string) => {
    for (const leaf of workspace.getLeavesOfType(type)) {
      if (leaf.view instanceof UnknownView) void leaf.rebuildView();
    }
  });
  viewRegistry.on('view-unregistered', (type: string) => {
    // The leaf stays in its place, so that a plugin that is enabled again finds its view where it was.
    for (const leaf of workspace.getLeavesOfType(type)) {
      void leaf.open(new UnknownView(leaf, leaf.getViewState()));
    }
  });
}
