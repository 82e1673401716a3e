/** RewriteModal: asks what should change in a passage, shows the new wording as changes, and puts it in place. */
import { type App, Modal } from 'obsidian';
import { render } from 'preact';
import { words } from '../../text';
import type { PromptsPorts } from '../state/ports';
import { RewriteView } from './rewrite-view';
import type { SelectedPassage } from './selected-passage';

export class RewriteModal extends Modal {
  constructor(
    app: App,
    private readonly ports: PromptsPorts,
    private readonly passage: SelectedPassage,
  ) {
    super(app);
  }

  override onOpen(): void {
    this.modalEl.addClass('docent-rewrite-modal');
    this.setTitle(words.prompts.rewrite);
    render(<RewriteView ports={this.ports} passage={this.passage} onClose={() => this.close()} />, this.contentEl);
  }

  override onClose(): void {
    render(null, this.contentEl);
  }
}
