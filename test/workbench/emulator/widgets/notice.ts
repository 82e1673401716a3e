/** Notices: short messages stacked in the corner of the active window. */

const defaultDuration = 5000;

function getStack(doc: Document): HTMLElement {
  return doc.body.querySelector<HTMLElement>(':scope > .notice-container') ?? doc.body.createDiv('notice-container');
}

export class Notice {
  /** Kept for old plugins: the same element as `containerEl`. */
  noticeEl: HTMLElement;
  containerEl: HTMLElement;
  messageEl: HTMLElement;

  constructor(message: string | DocumentFragment, duration: number = defaultDuration) {
    this.containerEl = getStack(activeDocument).createDiv('notice');
    this.noticeEl = this.containerEl;
    this.messageEl = this.containerEl.createDiv('notice-message');
    this.setMessage(message);
    this.containerEl.addEventListener('click', () => this.hide());
    if (duration > 0) this.containerEl.win.setTimeout(() => this.hide(), duration);
  }

  setMessage(message: string | DocumentFragment): this {
    this.messageEl.setText(message);
    return this;
  }

  hide(): void {
    const stack = this.containerEl.parentElement;
    this.containerEl.remove();
    if (stack?.hasClass('notice-container') && stack.childElementCount === 0) stack.remove();
  }
}
