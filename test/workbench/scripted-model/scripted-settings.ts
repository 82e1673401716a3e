/** The settings of the plugin under which it talks to a scripted model: one provider for each protocol. */

export function scriptedSettings(baseUrl: string): Record<string, unknown> {
  return {
    providers: [
      { id: 'scripted-openai', kind: 'openai-compatible', label: 'Scripted (OpenAI)', baseUrl: `${baseUrl}/openai/v1` },
      {
        id: 'scripted-anthropic',
        kind: 'anthropic',
        label: 'Scripted (Anthropic)',
        baseUrl: `${baseUrl}/anthropic/v1`,
      },
    ],
    model: { provider: 'scripted-openai', id: 'scripted' },
  };
}
