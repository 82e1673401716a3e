/** PromptsModal: all prompts in a window of the app, kept up to date while it is open. */
import { type App, Modal } from 'obsidian';
import { render } from 'preact';
import { words } from '../../text';
import type { PromptsPorts } from '../state/ports';
import { PromptList } from './prompt-list';

export class PromptsModal extends Modal {
  constructor(
    app: App,
    private readonly ports: PromptsPorts,
    private readonly isCreating = false,
  ) {
    super(app);
  }

  override onOpen(): void {
    this.modalEl.addClass('docent-prompts-modal');
    this.setTitle(words.prompts.title);
    render(<PromptList ports={this.ports} isCreating={this.isCreating} onLeave={() => this.close()} />, this.contentEl);
  }

  override onClose(): void {
    render(null, this.contentEl);
  }
}
