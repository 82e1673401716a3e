/** The settings of the plugin under which it talks to a scripted model: one provider for each protocol. */

/** Name of the secret that the page of the workbench is given for the scripted providers. */
export const scriptedKeyName = 'scripted-key';

export function scriptedSettings(baseUrl: string): Record<string, unknown> {
  const models = ['scripted'];
  return {
    version: 1,
    model: 'openai-compatible/scripted',
    providers: {
      'openai-compatible': { baseUrl: `${baseUrl}/openai/v1`, keyName: scriptedKeyName, models },
      anthropic: { baseUrl: `${baseUrl}/anthropic/v1`, keyName: scriptedKeyName, models },
    },
  };
}
