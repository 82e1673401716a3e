/** Every way to use a link, led to one function; a link has no `href`, so the browser itself has nothing to follow. */

export interface LinkActions {
  open: (newTab: boolean) => void;
  /** Without one, the context menu of the link is empty. */
  menu?: (event: MouseEvent) => void;
  hover?: (event: MouseEvent) => void;
}

export function attachLinkEvents(anchor: HTMLElement, actions: LinkActions): void {
  const take = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  anchor.addEventListener('click', (event) => {
    take(event);
    actions.open(event.ctrlKey || event.metaKey);
  });
  anchor.addEventListener('auxclick', (event) => {
    take(event);
    if (event.button === 1) actions.open(true);
  });
  anchor.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    take(event);
    actions.open(event.ctrlKey || event.metaKey);
  });
  anchor.addEventListener('contextmenu', (event) => {
    take(event);
    actions.menu?.(event);
  });
  anchor.addEventListener('dragstart', take);
  const { hover } = actions;
  if (hover) anchor.addEventListener('mouseover', hover);
}
