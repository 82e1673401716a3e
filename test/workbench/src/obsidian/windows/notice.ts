/** Notices: short messages stacked in the corner of the active window. */

const defaultDuration = 5000;

const shown = new Set<Notice>();

/** When the app ends, nothing waits for notices to go by themselves. */
export function hideNotices(): void {
  for (const notice of shown) notice.hide();
}

function getStack(doc: Document): HTMLElement {
  return doc.body.querySelector<HTMLElement>(':scope > .notice-container') ?? doc.body.createDiv('notice-container');
}

export class Notice {
  /** The same element as `containerEl`, available for old plugins. */
  noticeEl: HTMLElement;
  containerEl: HTMLElement;
  messageEl: HTMLElement;
  private hideTimer = 0;

  constructor(message: string | DocumentFragment, duration: number = defaultDuration) {
    this.containerEl = getStack(activeDocument).createDiv('notice');
    this.noticeEl = this.containerEl;
    this.messageEl = this.containerEl.createDiv('notice-message');
    this.setMessage(message);
    this.containerEl.addEventListener('click', () => this.hide());
    shown.add(this);
    if (duration > 0) this.hideTimer = this.containerEl.win.setTimeout(() => this.hide(), duration);
  }

  setMessage(message: string | DocumentFragment): this {
    this.messageEl.setText(message);
    return this;
  }

  hide(): void {
    shown.delete(this);
    this.containerEl.win.clearTimeout(this.hideTimer);
    const stack = this.containerEl.parentElement;
    this.containerEl.remove();
    if (stack?.hasClass('notice-container') && stack.childElementCount === 0) stack.remove();
  }
}
