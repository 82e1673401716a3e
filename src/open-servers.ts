/** Puts together the servers that chats may use, over the settings, the keys and the network of the device. */
import type { Plugin } from 'obsidian';
import type { EventLog } from './core/diagnostics/event-log';
import type { PromptRegistry } from './core/library/prompt-registry';
import { McpServers } from './core/mcp/mcp-servers';
import type { DeviceStorage } from './core/ports/device';
import { tools } from './core/tools';
import type { McpPorts } from './remote/mcp-ports';
import { openMcp } from './remote/open';
import type { Keys } from './vault/api-keys';
import { clock, pace } from './vault/device';
import type { SettingsFile } from './vault/settings-file';

export interface ServersOutside extends Pick<McpPorts, 'fetch' | 'requestUrl'> {
  readonly file: SettingsFile;
  readonly device: DeviceStorage;
  readonly keys: Keys;
  readonly log: EventLog;
  readonly registry: PromptRegistry;
}

/** None is asked before it is started. */
export function openServers(plugin: Plugin, outside: ServersOutside): McpServers {
  const { file, device, keys, log, registry, fetch, requestUrl } = outside;
  const note = (text: string): void => log.add('servers', text);
  const connect = openMcp({
    fetch,
    requestUrl,
    // A key that was not chosen for the address on this device goes to a server on this device alone.
    key: (keyName, url) => keys.read(keyName, new URL(url).origin, ''),
    pace,
    version: plugin.manifest.version,
    note,
  });
  const choices = (): SettingsFile['settings']['mcpServers'] => file.settings.mcpServers;
  const servers = new McpServers({ choices, connect, device, registry, clock, builtIn: tools, note });
  plugin.register(() => servers.close());
  plugin.register(file.subscribe(() => servers.choicesChanged()));
  return servers;
}
