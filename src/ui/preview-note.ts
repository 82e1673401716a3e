/** Asks the app to preview a note of the vault when the pointer rests on a link to it. */
import type { App, HoverParent, HoverPopover } from 'obsidian';
import { chatViewType } from './chat/chat-view';

class LinkHover implements HoverParent {
  hoverPopover: HoverPopover | null = null;
}

const parent = new LinkHover();

export function previewNote(app: App, linktext: string, targetEl: HTMLElement, event: MouseEvent): void {
  app.workspace.trigger('hover-link', {
    event,
    source: chatViewType,
    hoverParent: parent,
    targetEl,
    linktext,
    sourcePath: '',
  });
}
