/** The settings of the plugin under which it talks to a scripted model: one provider for each protocol. */

/** Name of the secret that the page of the workbench is given for the scripted providers. */
export const scriptedKeyName = 'scripted-key';

/** Looks like a key, so that a test can search for it where no key may be. */
export const scriptedSecrets: Record<string, string> = { [scriptedKeyName]: 'sk-scripted-4f1c9a77be20d3e8' };

/**
 * What a device stores once its user entered the addresses of these settings there and chose their keys, by the names of
 * Docent's own storage.
 */
export function enteredHere(settings: Record<string, unknown>): Record<string, string> {
  const providers = (settings.providers ?? {}) as Record<string, { baseUrl?: string; keyName?: string }>;
  const entered = Object.entries(providers).flatMap(([id, { baseUrl = '', keyName = '' }]) => {
    if (!URL.canParse(baseUrl)) return [];
    const { origin } = new URL(baseUrl);
    return [[`provider-address-${id}`, origin], ...(keyName === '' ? [] : [[`key-origin-${keyName}`, origin]])];
  });
  const servers = (settings.mcpServers ?? []) as readonly { url: string; keyName: string }[];
  const chosen = servers
    .filter(({ url, keyName }) => keyName !== '' && URL.canParse(url))
    .map(({ url, keyName }) => [`key-origin-${keyName}`, new URL(url).origin]);
  return Object.fromEntries([...chosen, ...entered]) as Record<string, string>;
}

/** @param more models by provider, besides the one that each has */
export function scriptedSettings(
  baseUrl: string,
  more: Readonly<Record<string, readonly string[]>> = {},
): Record<string, unknown> {
  const places = {
    'openai-compatible': '/openai/v1',
    anthropic: '/anthropic/v1',
    openai: '/openai/v1',
    gemini: '/gemini/v1beta',
    ollama: '/ollama',
  };
  const providers = Object.entries(places).map(([id, place]) => [
    id,
    { baseUrl: `${baseUrl}${place}`, keyName: scriptedKeyName, models: ['scripted', ...(more[id] ?? [])] },
  ]);
  return { version: 1, model: 'openai-compatible/scripted', providers: Object.fromEntries(providers) as object };
}
