/** The contract as one script for a developer console: `await observeVault(app)` inside a real Obsidian. */
import type * as Obsidian from 'obsidian';
import type { ContractContext } from './contract-case';
import { findDifferences } from './find-differences';
import { expected, runContract } from './vault-contract';

type ObsidianModule = ContractContext['obsidian'];
type ObserveVault = (app: Obsidian.App, obsidian?: ObsidianModule) => Promise<string>;

/** Members that every desktop build has and no type declares. */
interface PluginHost {
  plugins: {
    loadManifests(): Promise<void>;
    enablePlugin(id: string): Promise<boolean>;
    disablePlugin(id: string): Promise<void>;
  };
}

interface ConsoleWindow {
  observeVault: ObserveVault;
  borrowedModule?: ObsidianModule;
  require?: (name: string) => { clipboard: { writeText(text: string): void } };
}

const page = window as unknown as ConsoleWindow;
const helperId = 'vault-contract-helper';

/** The console cannot import the module; a plugin can, so one is written, run and removed. */
async function borrowModule(app: Obsidian.App): Promise<ObsidianModule> {
  const { adapter, configDir } = app.vault;
  const { plugins } = app as unknown as PluginHost;
  const folder = `${configDir}/plugins/${helperId}`;
  const manifest = {
    id: helperId,
    name: 'Contract helper',
    version: '1.0.0',
    minAppVersion: '1.0.0',
    author: '',
    description: '',
  };
  const main = [
    `const obsidian = require('obsidian');`,
    `module.exports = class extends obsidian.Plugin { onload() { window.borrowedModule = obsidian; } };`,
  ];
  await adapter.mkdir(folder);
  try {
    await adapter.write(`${folder}/manifest.json`, JSON.stringify(manifest));
    await adapter.write(`${folder}/main.js`, main.join('\n'));
    await plugins.loadManifests();
    await plugins.enablePlugin(helperId);
    await plugins.disablePlugin(helperId);
  } finally {
    await adapter.rmdir(folder, true);
    await plugins.loadManifests();
  }
  if (!page.borrowedModule) throw new Error('Turn off restricted mode (Settings, Community plugins) and try again.');
  return page.borrowedModule;
}

async function copy(text: string): Promise<string> {
  try {
    if (page.require) page.require('electron').clipboard.writeText(text);
    else await navigator.clipboard.writeText(text);
    return 'They are on the clipboard.';
  } catch {
    return 'They could not be copied: copy the returned text instead.';
  }
}

page.observeVault = async (app, obsidian) => {
  const module = obsidian ?? (await borrowModule(app));
  const folder = `Vault contract ${Date.now()}`;
  const observations = await runContract({ app, folder, obsidian: module });
  const text = `${JSON.stringify(observations, null, 2)}\n`;
  const differences = findDifferences(expected, observations);
  console.debug(`${Object.keys(observations).length} observations, ${differences.length} unlike the emulator's.`);
  for (const name of differences) console.debug(name, { emulator: expected[name], here: observations[name] });
  console.debug(await copy(text));
  return text;
};
