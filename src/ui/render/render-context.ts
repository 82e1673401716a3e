/** What a drawn answer may ask of the app around it; everything is handed in by the pane. */
import type { ConfirmDecision, LinkDecision } from './link-gate';

export interface RenderContext {
  /** The vault path that a link text leads to, or null. */
  resolveLink(linkText: string): string | null;
  openNote(linkText: string, newTab: boolean): void;
  /** Called only with an address that the gate let through, after any confirmation. */
  openExternal(url: string): void;
  /** Asks the reader; without it an address that needs a confirmation is not opened. */
  confirmLink?(decision: ConfirmDecision): Promise<boolean>;
  /** Shows what can be done with an external link, on its context menu. */
  showLinkMenu?(decision: LinkDecision, event: MouseEvent): void;
  /** Colours the text of a code element in place; called once, when the block is finished. */
  highlight?(code: string, language: string, element: HTMLElement): void;
  /** The drawn formula, or null to show its source. */
  renderMath?(source: string, display: boolean): HTMLElement | null;
  /** Called when the pointer rests on a link to a note; never while tainted. */
  previewNote?(linkText: string, target: HTMLElement, event: MouseEvent): void;
  /** The app's own address of an image in the vault, by vault path. */
  resolveImage?(path: string): string | null;
  /** Whether the conversation has read text of unknown origin; read again whenever a link is used. */
  readonly tainted?: boolean;
  /** Addresses that stand in the reader's own text, as `findUrls` returns them; none when absent. */
  readonly knownUrls?: ReadonlySet<string>;
}
