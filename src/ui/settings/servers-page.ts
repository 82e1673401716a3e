/** The MCP servers whose tools chats may use: added, edited, and removed here, each with its state on this device. */
import {
  type ButtonComponent,
  type ExtraButtonComponent,
  Notice,
  type Setting,
  type SettingDefinition,
} from 'obsidian';
import type { McpServerChoice, McpServerStatus } from '../../core/ports/network';
import { words } from '../../text';
import { confirmAction } from '../components/dialogs';
import { showUnseenCharacters } from '../render/visible-text';
import { forgetName, leaveAddress, placeOf, ServerModal, withServer } from '../servers/server-form';
import {
  canForget,
  describeState,
  needsSignIn,
  nextServerStep,
  stepWords,
  takeServerStep,
} from '../servers/server-status';
import type { SettingsPorts } from '../state/ports';
import type { SettingRow } from './setting-row';

const say = words.serverSettings;

export const serversRow: SettingRow = {
  group: 'servers',
  keys: [],
  define: (ports) => ({
    type: 'group',
    items: [
      { name: say.intro, desc: say.introDesc, render: (setting) => drawAdd(setting, ports) },
      ...ports.settings().mcpServers.map((server): SettingDefinition => ({
        name: showUnseenCharacters(server.name),
        desc: showUnseenCharacters(server.url),
        render: (setting) => drawServer(setting, server, ports),
      })),
    ],
  }),
  read: () => undefined,
  write: () => ({}),
};

function drawAdd(setting: Setting, ports: SettingsPorts): void {
  setting
    .setClass('docent-server')
    .addButton((button) => button.setButtonText(say.add).onClick(() => new ServerModal(ports.app, ports, null).open()));
}

interface Controls {
  readonly step: ButtonComponent;
  readonly signOut: ExtraButtonComponent;
  readonly forget: ExtraButtonComponent;
}

/** Updates only the text of a row as the server changes, so that no button moves while the user taps it. */
function drawServer(setting: Setting, server: McpServerChoice, ports: SettingsPorts): () => void {
  const { name } = server;
  setting.setClass('docent-server').setDesc('');
  setting.descEl.createDiv({ cls: 'docent-server-address', text: showUnseenCharacters(server.url) });
  const stateEl = setting.descEl.createDiv({ cls: 'docent-server-state', attr: { role: 'status' } });
  const controls = addControls(setting, server, ports);
  const show = (): void => {
    const status = statusOf(server, ports);
    if (status === undefined) return;
    const signIn = ports.signIn?.stateOf(server) ?? 'out';
    stateEl.setText(describeState(status, signIn));
    const isWarning = status.state === 'failed' || status.state === 'unapproved' || status.hasChanged;
    stateEl.toggleClass('is-warning', isWarning || needsSignIn(signIn));
    const step = nextServerStep(status, signIn);
    controls.step.buttonEl.toggle(step !== null);
    if (step !== null) controls.step.setButtonText(stepWords[step]);
    controls.forget.extraSettingsEl.toggle(canForget(status));
    controls.signOut.extraSettingsEl.toggle(signIn === 'in' || signIn === 'more');
  };
  controls.step.onClick(() => {
    const status = statusOf(server, ports);
    if (status !== undefined) takeServerStep(server, status, ports);
  });
  controls.forget.onClick(() => forget(server, ports));
  controls.signOut.onClick(() => {
    ports.signIn?.signOut(server);
    new Notice(words.signIn.signedOut(showUnseenCharacters(name)));
    void ports.servers.connect(name);
  });
  show();
  const releases = [ports.servers.subscribe(show), ports.signIn?.subscribe(show)];
  return () => releases.forEach((release) => release?.());
}

function forget(server: McpServerChoice, ports: SettingsPorts): void {
  ports.signIn?.signOut(server);
  ports.servers.forget(server.name);
}

function addControls(setting: Setting, server: McpServerChoice, ports: SettingsPorts): Controls {
  const name = showUnseenCharacters(server.name);
  const controls: { -readonly [Name in keyof Controls]?: Controls[Name] } = {};
  setting
    .addButton((button) => (controls.step = button))
    .addExtraButton((button) => (controls.signOut = button.setIcon('log-out').setTooltip(words.signIn.signOut(name))))
    .addExtraButton((button) => (controls.forget = button.setIcon('unlink').setTooltip(say.forget(name))))
    .addExtraButton((button) =>
      button
        .setIcon('pencil')
        .setTooltip(say.edit(name))
        .onClick(() => new ServerModal(ports.app, ports, storedAs(server, ports)).open()),
    )
    .addExtraButton((button) =>
      button
        .setIcon('trash-2')
        .setTooltip(say.remove(name))
        .onClick(() => void remove(server, ports)),
    )
    .addToggle((toggle) => {
      toggle.setValue(server.isOn).onChange((isOn) => void change(server, { ...storedAs(server, ports), isOn }, ports));
      // A tooltip would name the box around what is checked, where a name is not read.
      toggle.toggleEl.querySelector('input')?.setAttribute('aria-label', say.use(name));
    });
  return controls as Controls;
}

/** Returns the server as it is stored now, since a sync can change it while its row is shown. */
function storedAs(server: McpServerChoice, ports: SettingsPorts): McpServerChoice {
  const { mcpServers } = ports.settings();
  return mcpServers[placeOf(mcpServers, server)] ?? server;
}

function statusOf(server: McpServerChoice, ports: SettingsPorts): McpServerStatus | undefined {
  // A sync can bring two servers of one name; each has its own row.
  const at = placeOf(ports.settings().mcpServers, server);
  const statuses = ports.servers.statuses();
  const inPlace = statuses[at];
  return inPlace?.choice.name === server.name ? inPlace : statuses.find(({ choice }) => choice.name === server.name);
}

async function change(server: McpServerChoice, next: McpServerChoice | null, ports: SettingsPorts): Promise<void> {
  await ports.change({ mcpServers: withServer(ports.settings().mcpServers, server, next) });
  ports.refresh();
}

async function remove(server: McpServerChoice, ports: SettingsPorts): Promise<void> {
  const question = {
    title: say.removeTitle,
    text: say.removeText(showUnseenCharacters(server.name)),
    action: say.removeAction,
  };
  if (!(await confirmAction(ports.app, question))) return;
  leaveAddress(server, ports);
  forgetName(server, ports);
  await change(server, null, ports);
}
