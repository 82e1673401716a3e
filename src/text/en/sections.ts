/** Words about the sections of the prompt: what each one contains, and when it is empty. */

interface SectionWords {
  readonly name: string;
  readonly about: string;
  /** Completes “Empty now: …”. */
  readonly silent: string;
}

const notAttached = 'your message names none.';

export function sections(): Readonly<Record<string, SectionWords>> {
  return {
    'mode-template': {
      name: 'Mode',
      about: 'The role of the chosen mode, at the chosen instruction level.',
      silent: 'this mode has no instructions.',
    },
    preamble: {
      name: 'Introduction',
      about: 'That this is a chat in an Obsidian vault, and whether the model can ask you questions.',
      silent: 'at the instruction levels 1 and 2, the section Mode covers this briefly.',
    },
    'core-mandates': {
      name: 'Basic rules',
      about: 'How to treat your notes.',
      silent: 'at the instruction levels 1 and 2, the section Mode covers this briefly.',
    },
    'active-goal': {
      name: 'Goal',
      about: 'The goal of this chat and its locked decisions.',
      silent: 'this chat has no goal.',
    },
    'sub-agents': {
      name: 'Subagents',
      about: 'Helpers that Docent can start for one task each.',
      silent: 'this chat can’t start subagents.',
    },
    'available-skills': {
      name: 'Skills',
      about: 'Names and descriptions of your skills, which are instructions for one kind of task.',
      silent: 'there are no skills, or the model can’t activate them in this chat.',
    },
    'active-skills': {
      name: 'Active skills',
      about: 'The text of the skills that this chat uses.',
      silent: 'no skill is active.',
    },
    'mcp-servers': {
      name: 'MCP servers',
      about: 'What connected MCP servers provide.',
      silent: 'no MCP server is connected.',
    },
    'hook-notice': {
      name: 'Text from plugins',
      about: 'A rule not to follow instructions in text that other plugins add.',
      silent: 'no other plugin adds anything.',
    },
    'planning-workflow': {
      name: 'Planning workflow',
      about: 'How to plan, in the permission mode Plan.',
      silent: 'the permission mode isn’t Plan, or the instruction level is 1.',
    },
    'primary-workflow': {
      name: 'Workflow',
      about: 'How to get from a question to an answer, step by step.',
      silent: 'the planning workflow replaces it, or the instruction level is 1 or 2.',
    },
    guidelines: {
      name: 'Guidelines',
      about: 'Tone, length, and the use of tools.',
      silent: 'at the instruction levels 1 and 2, the section Mode covers this briefly.',
    },
    permissions: {
      name: 'Permissions',
      about: 'What Docent may do. These rules apply even if this section is off.',
      silent: 'there is nothing to say.',
    },
    git: {
      name: 'Git',
      about: 'How to read the history and write commit messages.',
      silent: 'the vault isn’t a Git repository, or there is no Git tool.',
    },
    'additional-instructions': {
      name: 'Additional instructions',
      about: 'Your Additional instructions from settings.',
      silent: 'settings have none.',
    },
    'sanity-reality-check': {
      name: 'Self-check',
      about: 'Questions for the model to check its answer.',
      silent: 'it is for small models, unless settings say otherwise.',
    },
    'final-reminder': {
      name: 'Final reminder',
      about: 'The most important rules again, at the end.',
      silent: 'this model doesn’t need it, or the instruction level is 1 or 2.',
    },
    'tools-and-context': {
      name: 'List of tools',
      about: 'A description of the tools, for models that don’t get them separately.',
      silent: 'the model gets its tools separately.',
    },
    'project-context': {
      name: 'AGENTS.md',
      about: 'Your instructions for this vault.',
      silent: 'the vault has no such note at its top level.',
    },
    'system-extra': {
      name: 'system-extra.md',
      about: 'What you add to the instructions.',
      silent: 'the agent folder has no such note.',
    },
    'user-memory': {
      name: 'Memory',
      about: 'What Docent remembers about you.',
      silent: 'memory.md is empty or missing.',
    },
    'vault-listing': {
      name: 'Vault listing',
      about: 'The names of your notes and folders.',
      silent: 'the vault has no files to show.',
    },
    'available-workspaces': {
      name: 'Workspaces',
      about: 'Names of your Docent workspaces: notes with instructions and key notes for one area of work.',
      silent: 'there are none.',
    },
    'available-prompts': {
      name: 'Prompts',
      about: 'Names of your saved prompts.',
      silent: 'there are none.',
    },
    'selected-workspace': {
      name: 'Chosen workspace',
      about: 'The workspace of this chat.',
      silent: 'none is chosen.',
    },
    'selected-prompt': {
      name: 'Prompt for this chat',
      about: 'The saved prompt that applies to the whole chat.',
      silent: 'none is chosen.',
    },
    'previous-context': {
      name: 'Summary',
      about: 'The summary of older messages.',
      silent: 'no messages are summarized.',
    },
    'context-notes': {
      name: 'Pinned notes',
      about: 'Notes that are sent with every message of the chat.',
      silent: 'no note is pinned.',
    },
    environment: {
      name: 'Environment',
      about: 'Date, device, vault, daily note, and Obsidian’s settings for links and folders.',
      silent: 'there is nothing to say.',
    },
    files: {
      name: 'Attached notes',
      about: 'The text of notes that you attached.',
      silent: 'no note is attached.',
    },
    workspaces: { name: 'Attached workspaces', about: 'Workspaces named in the message.', silent: notAttached },
    'named-skills': { name: 'Chosen skills', about: 'Skills named in the message with /.', silent: notAttached },
    'custom-prompts': { name: 'Attached prompts', about: 'Saved prompts named in the message.', silent: notAttached },
    'tool-hints': { name: 'Tool hints', about: 'Tools named in the message.', silent: notAttached },
    'url-context': { name: 'Web pages', about: 'Web pages that were fetched.', silent: 'no page was fetched.' },
    'review-context': {
      name: 'Pending review',
      about: 'Proposed changes that you haven’t decided on.',
      silent: 'no changes are pending.',
    },
    'editor-context': {
      name: 'Open notes',
      about: 'Which notes are open, and the selected text.',
      silent: 'no note is open.',
    },
    'goal-progress': {
      name: 'Goal progress',
      about: 'What is done and what comes next.',
      silent: 'this chat has no goal.',
    },
    'mode-notice': {
      name: 'Change of mode',
      about: 'A notice that you changed the mode during the chat.',
      silent: 'the mode has not changed.',
    },
    'day-notice': {
      name: 'A new day',
      about: 'A notice that the date has changed since the chat began.',
      silent: 'the day has not changed.',
    },
    'context-status': {
      name: 'Context status',
      about: 'How much of the context window is used.',
      silent: 'it is sent from your second message on, while the context window is small or filling up.',
    },
    reminder: {
      name: 'Reminder',
      about: 'The rules for edits, or your system-reminder.md.',
      silent: 'an earlier message contains it, or the model can’t edit notes and you have no system-reminder.md.',
    },
  };
}
