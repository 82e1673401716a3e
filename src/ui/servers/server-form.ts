/** The form of an MCP server: its fields, their checks, and the stored list. */
import { type App, SecretComponent, Setting } from 'obsidian';
import { readWebAddress } from '../../core/gate/address';
import { type McpServerChoice, serverName } from '../../core/ports/network';
import type { Settings } from '../../core/settings/settings';
import { words } from '../../text';
import { DocentModal, isOfInputMethod } from '../components/controls';
import { showUnseenCharacters } from '../render/visible-text';
import type { SettingsPorts } from '../state/ports';

const say = words.serverSettings.form;
const empty: McpServerChoice = { name: '', url: '', keyName: '', isOn: true };

/** ServerModal: the fields of a server; it closes only once all of them are valid. */
export class ServerModal extends DocentModal {
  private entered: McpServerChoice;
  private isKeyChosen = false;

  /** @param server null for a new one */
  constructor(
    app: App,
    private readonly ports: SettingsPorts,
    private readonly server: McpServerChoice | null,
  ) {
    const title = server === null ? say.addTitle : say.editTitle(showUnseenCharacters(server.name));
    super(app, 'docent-server-modal', title);
    this.entered = server ?? empty;
  }

  override onOpen(): void {
    super.onOpen();
    const { contentEl } = this;
    const name = this.addField('name', say.name, say.nameDesc);
    const url = this.addField('url', say.url, say.urlDesc);
    this.addKey();
    new Setting(contentEl)
      .addButton((button) =>
        button
          .setButtonText(say.save)
          .setCta()
          .onClick(() => this.save(name, url)),
      )
      .addButton((button) => button.setButtonText(say.cancel).onClick(() => this.close()));
    for (const { controlEl } of [name, url]) {
      controlEl.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' || isOfInputMethod(event)) return;
        event.preventDefault();
        void this.save(name, url);
      });
    }
  }

  override onClose(): void {
    super.onClose();
    this.contentEl.empty();
  }

  private addField(field: 'name' | 'url', label: string, desc: string): Setting {
    return new Setting(this.contentEl)
      .setClass('docent-server-field')
      .setName(label)
      .setDesc(desc)
      .addText((text) => {
        text.setValue(this.entered[field]).onChange((value) => this.enter({ [field]: value.trim() }));
        if (field === 'url') text.setPlaceholder(say.urlExample);
        text.inputEl.setAttr('aria-label', label);
      });
  }

  private addKey(): void {
    const choose = (keyName: string): void => {
      this.isKeyChosen = true;
      this.enter({ keyName });
    };
    const setting = new Setting(this.contentEl).setName(say.key).setDesc(say.keyDesc);
    setting.addComponent((element) => {
      const secret = new SecretComponent(this.app, element).setValue(this.entered.keyName).onChange(choose);
      setting.addExtraButton((button) => {
        button
          .setIcon('x')
          .setTooltip(say.noKey)
          .onClick(() => {
            secret.setValue('');
            choose('');
          });
        // Obsidian draws it as an element without a role, whose name is not read.
        button.extraSettingsEl.setAttr('role', 'button');
      });
      return secret;
    });
  }

  private enter(part: Partial<McpServerChoice>): void {
    this.entered = { ...this.entered, ...part };
  }

  private async save(name: Setting, url: Setting): Promise<void> {
    const { entered, server, ports } = this;
    const nameProblem = findNameProblem(entered.name, this.otherNames());
    const addressProblem = findAddressProblem(entered.url);
    name.setErrorMessage(nameProblem);
    url.setErrorMessage(addressProblem);
    if (nameProblem !== null || addressProblem !== null) {
      (nameProblem === null ? url : name).controlEl.find('input')?.focus();
      return;
    }
    // A key is sent only where the user of this device chose to, and not where synced settings say.
    if (this.isKeyChosen || entered.url !== server?.url) ports.bindKey(entered.keyName, entered.url);
    if (server !== null && server.name !== entered.name) forgetName(server, ports);
    // What the user signed in to was another address.
    if (server !== null && server.url !== entered.url) leaveAddress(server, ports);
    const mcpServers = withServer(ports.settings().mcpServers, server, entered);
    // While it is written to disk, a second press would find the name taken.
    this.close();
    await ports.change({ mcpServers });
    ports.refresh();
  }

  private otherNames(): string[] {
    const { mcpServers } = this.ports.settings();
    const own = this.server === null ? -1 : placeOf(mcpServers, this.server);
    return mcpServers.filter((_, index) => index !== own).map(({ name }) => name);
  }
}

/**
 * Checks the name of a server; returns what is wrong in words, or null.
 * @param others names of the other servers
 */
function findNameProblem(name: string, others: readonly string[]): string | null {
  if (!serverName.test(name)) return say.nameBad;
  const isTaken = others.some((other) => other.toLowerCase() === name.toLowerCase());
  return isTaken ? say.nameTaken : null;
}

/** Checks the address of a server; returns what is wrong in words, or null. */
function findAddressProblem(address: string): string | null {
  const read = /^https?:\/\/[^\s\\]+$/i.test(address) ? readWebAddress(address) : 'invalid';
  if (typeof read === 'string') return { invalid: say.urlBad, login: say.urlCredentials, plain: say.urlPlain }[read];
  return read.reach === 'network' ? say.urlPrivate(read.url.host) : null;
}

type Servers = Settings['mcpServers'];

/** Returns the index of a server; -1 if it is no longer in the list, which a sync may have changed since it was drawn. */
export function placeOf(servers: readonly McpServerChoice[], server: McpServerChoice): number {
  const own = servers.indexOf(server);
  return own === -1 ? servers.findIndex(({ name }) => name === server.name) : own;
}

/** Signs out of a server that leaves its address, unless another server has it, too. */
export function leaveAddress(server: McpServerChoice, ports: SettingsPorts): void {
  const { mcpServers } = ports.settings();
  const own = placeOf(mcpServers, server);
  if (!mcpServers.some(({ url }, index) => index !== own && url === server.url)) ports.signIn?.signOut(server);
}

/**
 * Takes back what this device granted under the name of a server, unless another server of that name, such as a sync can
 * bring, is the one that was approved.
 */
export function forgetName(server: McpServerChoice, ports: SettingsPorts): void {
  const own = placeOf(ports.settings().mcpServers, server);
  const isOfOther = ports.servers
    .statuses()
    .some(({ choice, approved }, index) => index !== own && choice.name === server.name && approved !== null);
  if (!isOfOther) ports.servers.forget(server.name);
}

/**
 * Returns the list with one server added, changed, or removed.
 * @param server null for a new one
 * @param next null removes it; a server that is no longer in the list is added again, so that no input is lost
 */
export function withServer(servers: Servers, server: McpServerChoice | null, next: McpServerChoice | null): Servers {
  const at = server === null ? -1 : placeOf(servers, server);
  if (at === -1) return next === null ? servers : [...servers, { ...next }];
  // Fields that a newer version stored are retained.
  const instead = next === null ? [] : [{ ...servers[at], ...next }];
  return [...servers.slice(0, at), ...instead, ...servers.slice(at + 1)];
}
