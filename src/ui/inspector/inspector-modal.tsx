/** InspectorModal: the next or the last request, section by section, exactly as a provider gets it. */
import { type App, Modal } from 'obsidian';
import { render } from 'preact';
import { words } from '../../text';
import type { PaneModel } from '../state/chat-state';
import { Inspector } from './inspector';

export class InspectorModal extends Modal {
  constructor(
    app: App,
    private readonly model: PaneModel,
  ) {
    super(app);
  }

  override onOpen(): void {
    this.modalEl.addClass('docent-inspector-modal');
    this.setTitle(words.pane.inspector);
    render(<Inspector next={this.model.preview} state={this.model.state} />, this.contentEl);
  }

  override onClose(): void {
    render(null, this.contentEl);
  }
}
