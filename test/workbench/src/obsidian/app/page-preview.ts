/** Shows a note in a popover when a link to it is hovered. */
import { Keymap } from '../base/scope';
import { parseLinktext, resolveSubpath } from '../index/links';
import { renderMarkdown } from '../markdown/renderer';
import { HoverPopover } from '../windows/popover';
import type { App } from './app';

export interface HoverLinkEvent {
  event: MouseEvent;
  source: string;
  hoverParent: { hoverPopover: HoverPopover | null };
  targetEl: HTMLElement | null;
  linktext: string;
  sourcePath?: string;
}

export function addPagePreview(app: App): void {
  const { workspace } = app;
  workspace.hoverLinkSources.set('preview', { display: 'Reading view', defaultMod: false });
  workspace.hoverLinkSources.set('editor', { display: 'Editing view', defaultMod: true });
  workspace.on('hover-link', (hover: HoverLinkEvent) => {
    const source = workspace.hoverLinkSources.get(hover.source);
    if (app.isMobile || !source) return;
    if (source.defaultMod && !Keymap.isModEvent(hover.event)) return;
    void showPreview(app, hover);
  });
}

async function showPreview(app: App, hover: HoverLinkEvent): Promise<void> {
  const { path, subpath } = parseLinktext(hover.linktext);
  const sourcePath = hover.sourcePath ?? '';
  const file =
    path === '' ? app.vault.getFileByPath(sourcePath) : app.metadataCache.getFirstLinkpathDest(path, sourcePath);
  const open = hover.hoverParent.hoverPopover;
  if (!file || file.extension !== 'md' || (open && open.targetEl === hover.targetEl)) return;
  const popover = new HoverPopover(hover.hoverParent, hover.targetEl);
  const text = await app.vault.cachedRead(file);
  const cache = app.metadataCache.getFileCache(file);
  const part = subpath && cache ? resolveSubpath(cache, subpath) : null;
  const shown = part ? text.slice(part.start.offset, part.end?.offset ?? text.length) : text;
  const embed = popover.hoverEl.createDiv('markdown-embed is-loaded');
  embed.createDiv({ cls: 'inline-title', text: file.basename });
  const content = embed.createDiv('markdown-embed-content').createDiv('markdown-preview-view markdown-rendered');
  await renderMarkdown(shown, content, { app, sourcePath: file.path, component: popover });
}
