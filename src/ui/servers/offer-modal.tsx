/** OfferModal: what a server offers, in a window of the app, kept up to date while it is open. */
import { type App, Modal } from 'obsidian';
import { render } from 'preact';
import type { McpAccess } from '../../core/ports/network';
import { words } from '../../text';
import { showUnseenCharacters } from '../render/visible-text';
import { OfferView } from './offer-view';

export class OfferModal extends Modal {
  constructor(
    app: App,
    private readonly servers: McpAccess,
    private readonly name: string,
  ) {
    super(app);
  }

  override onOpen(): void {
    this.modalEl.addClass('docent-offer-modal');
    this.setTitle(words.serverPane.offer.title(showUnseenCharacters(this.name)));
    render(<OfferView servers={this.servers} name={this.name} onLeave={() => this.close()} />, this.contentEl);
  }

  override onClose(): void {
    render(null, this.contentEl);
  }
}
