/** What internal links, tags and embeds do when they are clicked, hovered or right-clicked in a rendered note. */
import type { App } from '../app/app';
import { Keymap } from '../base/scope';
import { Menu } from '../windows/menu';
import type { HoverPopover } from '../windows/popover';

export function bindLinkEvents(
  app: App,
  root: HTMLElement,
  getSourcePath: () => string,
  hoverParent: { hoverPopover: HoverPopover | null },
  source: string,
): void {
  const open = (event: MouseEvent): void => {
    const target = findLink(event);
    if (!target) return;
    event.preventDefault();
    void app.workspace.openLinkText(target.linktext, getSourcePath(), Keymap.isModEvent(event));
  };
  root.addEventListener('click', open);
  root.addEventListener('auxclick', (event) => {
    if (event.button === 1) open(event);
  });
  root.addEventListener('mouseover', (event) => {
    const target = findLink(event);
    if (!target) return;
    const { el: targetEl, linktext } = target;
    app.workspace.trigger('hover-link', {
      event,
      source,
      hoverParent,
      targetEl,
      linktext,
      sourcePath: getSourcePath(),
    });
  });
  root.addEventListener('contextmenu', (event) => {
    const target = findLink(event);
    const external = (event.target as Element).closest<HTMLElement>('a.external-link');
    if (!target && !external) return;
    event.preventDefault();
    const menu = new Menu();
    if (target) app.workspace.handleLinkContextMenu(menu, target.linktext, getSourcePath());
    else app.workspace.trigger('url-menu', menu, external?.getAttribute('href') ?? '');
    menu.showAtMouseEvent(event);
  });
}

function findLink(event: MouseEvent): { el: HTMLElement; linktext: string } | null {
  const el = (event.target as Element).closest<HTMLElement>(
    'a.internal-link, .markdown-embed-link, .internal-embed.mod-empty',
  );
  const linktext = el?.getAttribute('data-href') ?? el?.getAttribute('src');
  return el && linktext ? { el, linktext } : null;
}
