/** Positions a floating element next to its anchor, inside the anchor's own window. */

export interface Anchor {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const edge = 8;

/** Below the anchor if it fits, else above, else wherever there is more room. */
export function placeNextTo(el: HTMLElement, anchor: Anchor, gap: number): void {
  const { innerWidth, innerHeight } = el.win;
  const width = el.offsetWidth;
  const height = el.offsetHeight;
  const fitsBelow = anchor.bottom + gap + height <= innerHeight - edge;
  const below = fitsBelow || innerHeight - anchor.bottom >= anchor.top;
  const top = below ? anchor.bottom + gap : anchor.top - gap - height;
  el.setCssStyles({
    left: `${clampInside(anchor.left, width, innerWidth)}px`,
    top: `${clampInside(top, height, innerHeight)}px`,
  });
}

export function clampInside(start: number, length: number, available: number): number {
  return Math.max(edge, Math.min(start, available - length - edge));
}
