/** Modal: a dialog on the active window, with its own keyboard scope and a focus trap. */
import { closeOnEscape, Scope } from '../base/scope';
import { Platform } from '../base/platform';
import { findFirstTabbable, rememberFocus, trapTab } from './focus';
import type { WidgetApp } from './host';
import { setIcon } from '../controls/icons';

export class Modal {
  app: WidgetApp;
  scope: Scope;
  containerEl: HTMLElement;
  bgEl: HTMLElement;
  modalEl: HTMLElement;
  headerEl: HTMLElement;
  titleEl: HTMLElement;
  contentEl: HTMLElement;
  shouldRestoreSelection = true;

  private closeCallback: (() => unknown) | null = null;
  private restoreFocus: (() => void) | null = null;
  private releaseTab: (() => void) | null = null;
  private isShown = false;

  constructor(app: WidgetApp) {
    this.app = app;
    this.scope = new Scope();
    this.containerEl = createDiv('modal-container mod-dim');
    this.bgEl = this.containerEl.createDiv('modal-bg');
    this.modalEl = this.containerEl.createDiv({ cls: 'modal', attr: { tabindex: -1 } });
    const closeEl = this.modalEl.createDiv('modal-close-button mod-raised clickable-icon');
    setIcon(closeEl, 'x');
    this.headerEl = this.modalEl.createDiv('modal-header');
    this.titleEl = this.headerEl.createDiv('modal-title');
    this.contentEl = this.modalEl.createDiv('modal-content');
    closeEl.addEventListener('click', () => this.close());
    this.bgEl.addEventListener('click', () => this.close());
    closeOnEscape(this.scope, () => this.close());
  }

  open(): void {
    if (this.isShown) return;
    this.isShown = true;
    const doc = activeDocument;
    this.restoreFocus = rememberFocus(doc);
    this.app.keymap.pushScope(this.scope);
    doc.body.appendChild(this.containerEl);
    this.releaseTab = trapTab(this.modalEl);
    void this.onOpen();
    this.takeFocus();
  }

  close(): void {
    if (!this.isShown) return;
    this.isShown = false;
    this.app.keymap.popScope(this.scope);
    this.releaseTab?.();
    this.containerEl.detach();
    if (this.shouldRestoreSelection) this.restoreFocus?.();
    this.restoreFocus = null;
    this.onClose();
    this.closeCallback?.();
  }

  onOpen(): Promise<void> | void {}

  onClose(): void {}

  setTitle(title: string): this {
    this.titleEl.setText(title);
    return this;
  }

  setContent(content: string | DocumentFragment): this {
    this.contentEl.setText(content);
    return this;
  }

  setCloseCallback(callback: () => unknown): this {
    this.closeCallback = callback;
    return this;
  }

  onHistoryBack(): void {
    this.close();
  }

  /** On a phone nothing is focused by itself, so that the keyboard does not jump up over the sheet. */
  private takeFocus(): void {
    if (!this.isShown || this.modalEl.contains(this.modalEl.doc.activeElement)) return;
    const first = Platform.isMobile ? undefined : findFirstTabbable(this.contentEl);
    (first ?? this.modalEl).focus({ preventScroll: true });
  }
}
