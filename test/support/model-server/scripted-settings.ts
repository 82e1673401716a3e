/** The settings of the plugin under which it talks to a scripted model: one provider for each protocol. */

/** Name of the secret that the page of the workbench is given for the scripted providers. */
export const scriptedKeyName = 'scripted-key';

/** Looks like a key, so that a test can search for it where no key may be. */
export const scriptedSecrets: Record<string, string> = { [scriptedKeyName]: 'sk-scripted-4f1c9a77be20d3e8' };

export function scriptedSettings(baseUrl: string): Record<string, unknown> {
  const models = ['scripted'];
  return {
    version: 1,
    model: 'openai-compatible/scripted',
    providers: {
      'openai-compatible': { baseUrl: `${baseUrl}/openai/v1`, keyName: scriptedKeyName, models },
      anthropic: { baseUrl: `${baseUrl}/anthropic/v1`, keyName: scriptedKeyName, models },
      openai: { baseUrl: `${baseUrl}/openai/v1`, keyName: scriptedKeyName, models },
      gemini: { baseUrl: `${baseUrl}/gemini/v1beta`, keyName: scriptedKeyName, models },
      ollama: { baseUrl: `${baseUrl}/ollama`, keyName: scriptedKeyName, models },
    },
  };
}
