/** What mention sources know in tests: a vault over text, and no tools or commands unless given. */
import type { MentionContext } from '../../../../src/core/mentions/mention-source';
import { fakeVault, type FakeVault } from '../../../support/fake-vault';

export interface TestMentionContext extends MentionContext {
  readonly vault: FakeVault;
}

export function mentionContext(
  files: Readonly<Record<string, string | Uint8Array>>,
  changes: Partial<Omit<MentionContext, 'vault'>> = {},
): TestMentionContext {
  return {
    agentFolder: 'Docent',
    tools: [],
    prompts: [],
    commands: [],
    skills: [],
    activeNote: null,
    ...changes,
    vault: fakeVault(files),
  };
}
