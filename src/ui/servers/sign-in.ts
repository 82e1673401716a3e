/** The dialog that leads through a sign-in to an MCP server: what is asked first, the page in the browser, and the address of its end. */
import { type App, ButtonComponent, Notice, Setting } from 'obsidian';
import { describeFailure, type Failure } from '../../core/ports/failure';
import {
  type McpServerChoice,
  type OwnClient,
  readFinalAddress,
  redirects,
  type SignInPage,
  type SignIns,
} from '../../core/ports/network';
import { words } from '../../text';
import { DocentModal, isOfInputMethod } from '../components/controls';
import { showUnseenCharacters } from '../render/visible-text';

const say = words.signIn;

export interface SignInDialogPorts {
  readonly signIns: SignIns;
  openExternal(url: string): void;
}

export class SignInModal extends DocentModal {
  private readonly life = new AbortController();
  private release = (): void => undefined;
  private before = '';

  constructor(
    app: App,
    private readonly ports: SignInDialogPorts,
    private readonly server: McpServerChoice,
  ) {
    super(app, 'docent-sign-in', say.title(showUnseenCharacters(server.name)));
  }

  override onOpen(): void {
    super.onOpen();
    const { signIns } = this.ports;
    this.before = signIns.stateOf(this.server);
    // The browser can end the sign-in while the dialog is open.
    this.release = signIns.subscribe(() => {
      const state = signIns.stateOf(this.server);
      if (state === 'in' && this.before !== 'in') this.close();
      this.before = state;
    });
    void this.begin();
  }

  override onClose(): void {
    super.onClose();
    this.release();
    this.life.abort();
    this.contentEl.empty();
  }

  private async begin(isFresh = false): Promise<void> {
    this.draw(say.looking);
    const begun = await this.ports.signIns.begin(this.server, this.life.signal, isFresh);
    if (this.life.signal.aborted) return;
    if (begun.ok) this.showPage(begun.value);
    else this.showFailure(begun.failure);
  }

  private draw(text: string, remedy = ''): void {
    this.contentEl.empty();
    const status = this.contentEl.createDiv({ attr: { role: 'status' } });
    status.createEl('p', { text });
    if (remedy !== '') status.createEl('p', { cls: 'docent-sign-in-remedy', text: remedy });
  }

  private showFailure(failure: Failure): void {
    this.draw(showUnseenCharacters(failure.words), failure.remedy);
    if (failure.action === 'enter-client') return this.askClient();
    const asks = failure.action === 'allow-sending';
    this.addButtons(asks ? words.gate.allow : say.tryAgain, () => {
      if (asks) this.ports.signIns.allow(this.server, failure);
      void this.begin();
    });
  }

  private askClient(): void {
    const entered = { id: '', secret: '', leadsBack: true };
    const { obsidian, pasted } = redirects;
    new Setting(this.contentEl)
      .setName(say.redirect)
      .setDesc(say.redirectDesc)
      .addDropdown((menu) => {
        menu.addOptions({ obsidian, pasted }).onChange((chosen) => (entered.leadsBack = chosen === 'obsidian'));
        menu.selectEl.setAttr('aria-label', say.redirect);
      });
    this.addField(say.client, say.clientDesc, (text) => (entered.id = text));
    this.addField(say.clientSecret, say.clientSecretDesc, (text) => (entered.secret = text), true);
    this.addButtons(say.next, () => this.enterClient(entered));
  }

  private enterClient(client: OwnClient): void {
    const stored = this.ports.signIns.enterClient(this.server, client);
    if (stored.ok) void this.begin();
    else new Notice(describeFailure(stored.failure));
  }

  private showPage(page: SignInPage): void {
    this.draw(say.lead);
    const { contentEl } = this;
    if (page.scopes.length > 0) {
      contentEl.createEl('p', { text: say.asksFor });
      const list = contentEl.createEl('ul');
      for (const scope of page.scopes) list.createEl('li').createEl('code', { text: showUnseenCharacters(scope) });
    }
    new Setting(contentEl)
      .setName(say.page)
      .setDesc(showUnseenCharacters(page.host))
      .addButton((button) =>
        button
          .setButtonText(say.open)
          .setCta()
          .onClick(() => this.ports.openExternal(page.url)),
      );
    const start = page.leadsBack ? redirects.obsidian : redirects.pasted;
    let entered = '';
    const setting = this.addField(
      say.paste,
      page.leadsBack ? say.leadsBack : say.isPasted,
      (text) => (entered = text),
      false,
      say.pasteExample(start),
    );
    this.addButtons(say.done, () => {
      const parameters = readFinalAddress(entered);
      setting.setErrorMessage(parameters === null ? say.pasteBad(start) : null);
      if (parameters !== null) void this.finish(parameters);
    });
    this.addButton(say.startOver, () => void this.begin(true));
  }

  private async finish(parameters: Readonly<Record<string, string>>): Promise<void> {
    this.draw(say.signingIn);
    const ended = await this.ports.signIns.finish(parameters);
    if (ended.ok) {
      new Notice(say.signedIn(ended.value));
      this.close();
    } else if (!this.life.signal.aborted) this.showFailure(ended.failure);
  }

  private addField(name: string, desc: string, enter: (text: string) => void, isSecret = false, example = ''): Setting {
    return new Setting(this.contentEl)
      .setClass('docent-server-field')
      .setName(name)
      .setDesc(desc)
      .addText((text) => {
        text.setPlaceholder(example).onChange((value) => enter(value.trim()));
        text.inputEl.setAttrs({ 'aria-label': name, autocomplete: 'off', ...(isSecret && { type: 'password' }) });
        text.inputEl.addEventListener('keydown', (event) => {
          if (event.key !== 'Enter' || isOfInputMethod(event)) return;
          event.preventDefault();
          this.contentEl.find('.docent-sign-in-next')?.click();
        });
      });
  }

  /** Adds the row with the next step; the last step of a dialog can add more to it. */
  private addButtons(label: string, run: () => void): void {
    this.contentEl.createDiv({ cls: 'modal-button-container' });
    const next = this.addButton(label, run).setClass('docent-sign-in-next');
    // Only one step of a dialog is the main one.
    if (this.contentEl.find('.mod-cta') === null) next.setCta();
    this.addButton(say.cancel, () => this.close());
  }

  private addButton(label: string, run: () => void): ButtonComponent {
    return new ButtonComponent(this.contentEl.find('.modal-button-container')).setButtonText(label).onClick(run);
  }
}
