/** ContextListModal: the list of what stands in the window, in a window of the app. */
import { type App, Modal } from 'obsidian';
import { render } from 'preact';
import { words } from '../../text';
import type { PaneModel } from '../state/chat-state';
import { ContextList } from './context-list';

export class ContextListModal extends Modal {
  constructor(
    app: App,
    private readonly model: PaneModel,
    private readonly inspect: () => void,
  ) {
    super(app);
  }

  override onOpen(): void {
    this.modalEl.addClass('docent-list-modal');
    this.setTitle(words.status.list);
    const inspect = (): void => {
      this.close();
      this.inspect();
    };
    render(<ContextList model={this.model} onInspect={inspect} onLeave={() => this.close()} />, this.contentEl);
  }

  override onClose(): void {
    render(null, this.contentEl);
  }
}
