/** DiagnosticsModal: all checks in a window of the app, kept up to date while it is open. */
import { type App, Modal } from 'obsidian';
import { render } from 'preact';
import type { NextChoices } from '../../core/diagnostics/check';
import { words } from '../../text';
import type { DiagnosticsPorts } from '../state/ports';
import { DiagnosticsList } from './diagnostics-list';

export class DiagnosticsModal extends Modal {
  /** @param choices asked anew at each look; null when no chat is open */
  constructor(
    app: App,
    private readonly ports: DiagnosticsPorts,
    private readonly choices: () => NextChoices | null,
  ) {
    super(app);
  }

  override onOpen(): void {
    this.modalEl.addClass('docent-diagnostics-modal');
    this.setTitle(words.diagnostics.title);
    render(<DiagnosticsList ports={this.ports} choices={this.choices} onLeave={() => this.close()} />, this.contentEl);
  }

  override onClose(): void {
    render(null, this.contentEl);
  }
}
