/** Tooltips: show the `aria-label` of the hovered element, in that element's own window. */
import type { TooltipOptions, TooltipPlacement } from 'obsidian';

const watched = new WeakSet<Document>();
const shown = new WeakMap<Document, HTMLElement>();
const pending = new WeakMap<Document, number>();
const defaultGap = 8;

function hideTooltip(doc: Document): void {
  const timer = pending.get(doc);
  if (timer !== undefined) doc.win.clearTimeout(timer);
  pending.delete(doc);
  shown.get(doc)?.remove();
  shown.delete(doc);
}

function placeTooltip(tooltipEl: HTMLElement, targetEl: HTMLElement, placement: TooltipPlacement, gap: number): void {
  const target = targetEl.getBoundingClientRect();
  const own = tooltipEl.getBoundingClientRect();
  const { innerWidth, innerHeight } = targetEl.win;
  let left = target.left + (target.width - own.width) / 2;
  let top = target.top + (target.height - own.height) / 2;
  if (placement === 'bottom') top = target.bottom + gap;
  if (placement === 'top') top = target.top - own.height - gap;
  if (placement === 'left') left = target.left - own.width - gap;
  if (placement === 'right') left = target.right + gap;
  if (placement === 'bottom' && top + own.height > innerHeight) top = target.top - own.height - gap;
  if (placement === 'top' && top < 0) top = target.bottom + gap;
  tooltipEl.setCssStyles({
    left: `${Math.max(4, Math.min(left, innerWidth - own.width - 4))}px`,
    top: `${Math.max(4, Math.min(top, innerHeight - own.height - 4))}px`,
  });
}

export function displayTooltip(
  newTargetEl: HTMLElement,
  content: string | DocumentFragment,
  options: TooltipOptions = {},
): void {
  const doc = newTargetEl.doc;
  hideTooltip(doc);
  const placement = options.placement ?? 'bottom';
  const tooltipEl = doc.body.createDiv('tooltip');
  if (placement !== 'bottom') tooltipEl.addClass(`mod-${placement}`);
  if (options.classes) tooltipEl.addClasses(options.classes);
  tooltipEl.createDiv('tooltip-content').setText(content);
  tooltipEl.createDiv('tooltip-arrow');
  shown.set(doc, tooltipEl);
  placeTooltip(tooltipEl, newTargetEl, placement, options.gap ?? defaultGap);
}

function onPointer(event: MouseEvent): void {
  const start = event.target as Element | null;
  const targetEl = (start?.closest?.('[aria-label]') ?? null) as HTMLElement | null;
  const doc = start?.ownerDocument;
  if (!doc) return;
  hideTooltip(doc);
  const text = targetEl?.getAttribute('aria-label');
  if (!targetEl || !text || targetEl.hasAttribute('data-no-tooltip')) return;
  const options: TooltipOptions = {
    placement: (targetEl.getAttribute('data-tooltip-position') ?? 'bottom') as TooltipPlacement,
    gap: Number(targetEl.getAttribute('data-tooltip-gap') ?? defaultGap),
    classes: targetEl.getAttribute('data-tooltip-classes')?.split(' ').filter(Boolean),
  };
  const show = () => {
    if (targetEl.isConnected) displayTooltip(targetEl, text, options);
  };
  pending.set(doc, doc.win.setTimeout(show, Number(targetEl.getAttribute('data-tooltip-delay') ?? 300)));
}

/** Starts showing tooltips in a window; calling it again for the same document does nothing. */
export function installTooltips(doc: Document): void {
  if (watched.has(doc)) return;
  watched.add(doc);
  doc.addEventListener('mouseover', onPointer);
  doc.addEventListener('mouseleave', () => hideTooltip(doc));
  for (const type of ['mousedown', 'keydown', 'scroll']) doc.addEventListener(type, () => hideTooltip(doc), true);
}

function setOrRemove(el: HTMLElement, name: string, value: string | number | undefined): void {
  if (value === undefined) el.removeAttribute(name);
  else el.setAttribute(name, String(value));
}

export function setTooltip(el: HTMLElement, tooltip: string, options: TooltipOptions = {}): void {
  setOrRemove(el, 'aria-label', tooltip || undefined);
  setOrRemove(el, 'data-tooltip-position', options.placement);
  setOrRemove(el, 'data-tooltip-delay', options.delay);
  setOrRemove(el, 'data-tooltip-gap', options.gap);
  setOrRemove(el, 'data-tooltip-classes', options.classes?.join(' '));
  installTooltips(el.doc);
}
