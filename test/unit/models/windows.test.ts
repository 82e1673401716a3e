/** What is known of a model's window before anything is sent, which decides its tier. */
import { findProvider } from '../../../src/models/providers';
import { findKnownModel } from '../../../src/models/providers/provider';

it.each([
  ['anthropic', 'claude-sonnet-5-5', 1_000_000],
  ['openai', 'gpt-4.1', 1_047_576],
  ['gemini', 'gemini-3.8-flash', 1_048_576],
  ['mistral', 'mistral-medium-3-5', 262_144],
  ['deepseek', 'deepseek-v4-pro', 1_000_000],
  ['groq', 'openai/gpt-oss-120b', 131_072],
  ['xai', 'grok-4.7', 500_000],
  ['openrouter', 'of-anybody', 128_000],
  ['ollama', 'of-anybody', 8_192],
  ['lmstudio', 'of-anybody', 4_096],
  ['openai-compatible', 'of-anybody', 32_768],
])('R105 knows what a model of %s can hold', (id, name, window) => {
  const row = findProvider(id);
  if (row === undefined) throw new Error(`There is no provider ${id}.`);
  const { contextWindow } = findKnownModel(row, name) ?? row.unlisted;
  expect(contextWindow).toBe(window);
});
