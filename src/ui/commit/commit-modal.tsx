/** CommitModal: the message that a model wrote for what is staged, to be changed and copied. */
import { type App, Modal } from 'obsidian';
import { render } from 'preact';
import { words } from '../../text';
import { CommitView } from './commit-view';
import type { CommitPorts } from './open-commit';

export class CommitModal extends Modal {
  constructor(
    app: App,
    private readonly ports: CommitPorts,
  ) {
    super(app);
  }

  override onOpen(): void {
    this.modalEl.addClass('docent-commit-modal');
    this.setTitle(words.commit.command);
    render(<CommitView ports={this.ports} />, this.contentEl);
  }

  override onClose(): void {
    render(null, this.contentEl);
  }
}
