/** Questions about settings, each with the name of the setting that answers it. */
import { words } from '../../src/text';

export const helpQuestions: readonly (readonly [question: string, setting: string])[] = [
  ['How do I set the context window of my model?', words.settings.contextWindow],
  ['Which key does Anthropic need, and does it stay on this device?', words.settings.keyDesc('Anthropic')],
  ['How do I keep a folder out of reach of Docent?', words.keeping.folders],
  ['How do I stop a chat that costs too much?', words.spending.settings.limit.name],
  ['Can I turn off parts of the prompt to save tokens?', words.ownPrompt.switches],
  ['When does it summarise older messages?', words.status.settings.compaction],
  ['How do I use a system prompt of my own?', words.ownPrompt.setting],
  ['Which names can context files like AGENTS.md have?', words.ownPrompt.contextFiles],
  ['How do I change the length of answers?', words.ownPrompt.brevity],
  ['Which temperature does the model use?', words.models.facts.temperature.name],
];
