// All patches: changes of one place in one file, by area, each for the rows that it takes away.
import { attachments } from './attachments.mjs';
import { compaction } from './compaction.mjs';
import { extensions } from './extensions.mjs';
import { goals } from './goals.mjs';
import { images } from './images.mjs';
import { limits } from './limits.mjs';
import { mandates } from './mandates.mjs';
import { messages } from './messages.mjs';
import { models } from './models.mjs';
import { onePrompt } from './one-prompt.mjs';
import { overrides } from './overrides.mjs';
import { ownership } from './ownership.mjs';
import { requests } from './requests.mjs';
import { session } from './session.mjs';
import { subagents } from './subagents.mjs';
import { templates } from './templates.mjs';
import { tiers } from './tiers.mjs';
import { vaultContext } from './vault-context.mjs';
import { workflow } from './workflow.mjs';
import { writing } from './writing.mjs';

export const patches = [
  ...ownership,
  ...onePrompt,
  ...overrides,
  ...mandates,
  ...workflow,
  ...writing,
  ...limits,
  ...templates,
  ...tiers,
  ...goals,
  ...extensions,
  ...subagents,
  ...vaultContext,
  ...attachments,
  ...images,
  ...session,
  ...compaction,
  ...messages,
  ...models,
  ...requests,
];
