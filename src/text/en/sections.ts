/** Words about the sections of the prompt: what each one contains, and when it is empty. */

interface SectionWords {
  readonly name: string;
  readonly about: string;
  /** Completes “Nothing now: …”. */
  readonly silent: string;
}

const notAttached = 'nothing of the kind is attached to the message.';

export const sections = (): Readonly<Record<string, SectionWords>> => ({
  'mode-template': {
    name: 'Mode',
    about: 'Who the agent is and how it works, by mode and size.',
    silent: 'there is no template for this mode.',
  },
  preamble: {
    name: 'Situation',
    about: 'That this is a chat in a vault, and whether somebody is there to answer.',
    silent: 'in small windows the mode says enough.',
  },
  'core-mandates': {
    name: 'Core mandates',
    about: 'How to work in somebody else’s vault.',
    silent: 'in small windows the mode says enough.',
  },
  'active-goal': {
    name: 'Goal',
    about: 'The goal of this chat and its locked decisions.',
    silent: 'this chat has no goal.',
  },
  'sub-agents': {
    name: 'Sub-agents',
    about: 'The helpers that can be started.',
    silent: 'no tool starts them here.',
  },
  'available-skills': {
    name: 'Skills',
    about: 'Names and uses of the skills that can be brought in.',
    silent: 'there are no skills, or no tool brings them in.',
  },
  'active-skills': {
    name: 'Skills in use',
    about: 'The text of skills that were brought in.',
    silent: 'no skill is in use.',
  },
  'mcp-servers': {
    name: 'Servers',
    about: 'What connected tool servers offer.',
    silent: 'no server is connected.',
  },
  'hook-notice': {
    name: 'Notice on other plugins',
    about: 'That what other plugins add is data, not orders.',
    silent: 'no other plugin adds anything.',
  },
  'planning-workflow': {
    name: 'Planning workflow',
    about: 'The four phases of the permission mode Plan.',
    silent: 'it belongs to the permission mode Plan.',
  },
  'primary-workflow': {
    name: 'Workflow',
    about: 'From question to answer, step by step.',
    silent: 'the planning workflow stands in its place, or the window is small.',
  },
  guidelines: {
    name: 'Guidelines',
    about: 'Tone, economy and the use of tools.',
    silent: 'in small windows the mode says enough.',
  },
  permissions: {
    name: 'Permissions',
    about: 'What the agent may do. Its rules are enforced whether they are told or not.',
    silent: 'there is nothing to tell.',
  },
  git: {
    name: 'Git',
    about: 'How to look at versions and word a commit.',
    silent: 'the vault is no git repository, or no git tool is there.',
  },
  'additional-instructions': {
    name: 'Additional instructions',
    about: 'What you wrote under that name in the settings.',
    silent: 'none are written in the settings.',
  },
  'sanity-reality-check': {
    name: 'Self-check',
    about: 'Questions that a small model asks itself.',
    silent: 'it is for small models, unless the settings say otherwise.',
  },
  'final-reminder': {
    name: 'Final reminder',
    about: 'The vital rules once more.',
    silent: 'this model does without, or the window is small.',
  },
  'tools-and-context': {
    name: 'List of tools',
    about: 'Tools in words, for models that are not given them otherwise.',
    silent: 'the model is given its tools with the request.',
  },
  'project-context': {
    name: 'AGENTS.md',
    about: 'The conventions of this vault.',
    silent: 'there is no such note at the top of the vault.',
  },
  'system-extra': {
    name: 'system-extra.md',
    about: 'What you add to the instructions.',
    silent: 'there is no such note in the agent folder.',
  },
  'user-memory': {
    name: 'Memory',
    about: 'Your lasting wishes.',
    silent: 'the memory note is empty or not there.',
  },
  'vault-listing': {
    name: 'Vault listing',
    about: 'Which notes and folders there are.',
    silent: 'the vault shows no files.',
  },
  'available-workspaces': {
    name: 'Workspaces',
    about: 'The workspaces that can be chosen.',
    silent: 'there are none.',
  },
  'available-prompts': {
    name: 'Prompts',
    about: 'The prompts that can be applied.',
    silent: 'there are none.',
  },
  'selected-workspace': {
    name: 'Chosen workspace',
    about: 'The workspace of this chat.',
    silent: 'none is chosen.',
  },
  'selected-prompt': {
    name: 'Prompt for this chat',
    about: 'The prompt that holds for all of this chat.',
    silent: 'none is chosen.',
  },
  'previous-context': {
    name: 'Earlier conversation',
    about: 'A summary of what no longer fits.',
    silent: 'nothing has been summarised.',
  },
  'context-notes': {
    name: 'Context notes',
    about: 'Notes that stand in every request of the chat.',
    silent: 'none are chosen.',
  },
  environment: {
    name: 'Environment',
    about: 'Date, device, vault, daily note, and Obsidian’s settings for links and folders.',
    silent: 'there is nothing to tell.',
  },
  files: {
    name: 'Attached notes',
    about: 'Notes of the message and of the chat, in full.',
    silent: 'no note is attached.',
  },
  workspaces: { name: 'Attached workspaces', about: 'Workspaces named in the message.', silent: notAttached },
  'named-skills': { name: 'Chosen skills', about: 'Skills named in the message with /.', silent: notAttached },
  'custom-prompts': { name: 'Attached prompts', about: 'Prompts named in the message.', silent: notAttached },
  'tool-hints': { name: 'Tool hints', about: 'Tools named in the message.', silent: notAttached },
  'url-context': { name: 'Pages', about: 'Web pages that were fetched.', silent: 'no page was fetched.' },
  'review-context': {
    name: 'Pending review',
    about: 'Changes that wait for you.',
    silent: 'nothing waits for a review.',
  },
  'editor-context': {
    name: 'Open notes',
    about: 'What is open, and where the cursor is.',
    silent: 'no note is open.',
  },
  'goal-progress': {
    name: 'Progress of the goal',
    about: 'What is done and what comes next.',
    silent: 'this chat has no goal.',
  },
  'mode-notice': {
    name: 'Change of mode',
    about: 'That another mode was chosen in the middle of a chat.',
    silent: 'the mode has not changed.',
  },
  'day-notice': {
    name: 'A new day',
    about: 'That the day has changed since the chat began.',
    silent: 'the day has not changed.',
  },
  'context-status': {
    name: 'Fill of the window',
    about: 'How full the model’s window is.',
    silent: 'it is for small windows, from the second message on.',
  },
  reminder: {
    name: 'Reminder',
    about: 'The rules of editing, or your system-reminder.md.',
    silent: 'no tool writes, and there is no note of yours.',
  },
});
