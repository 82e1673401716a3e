// Patches for R080-R087: guidelines, permissions, the final reminder.
const sections = 'src/core/prompt/sections';
const guidelines = `${sections}/guidelines.ts`;
const permissions = `${sections}/permissions.ts`;
const finalReminder = `${sections}/reminders.ts`;

export const limits = [
  {
    name: 'wide-results',
    rows: ['R080'],
    file: guidelines,
    find: `      'Economy: ask by folder, limit, heading or lines; narrow a long result before reading on.',`,
    replace: `      '',`,
  },
  {
    name: 'economy-without-reading-tools',
    rows: ['R080'],
    file: guidelines,
    find: `    offers(state, ...readingTools) &&
      'Economy`,
    replace: `    true &&
      'Economy`,
  },
  {
    name: 'brevity-setting-unheeded',
    rows: ['R081'],
    file: guidelines,
    find: `if (brevity === 'normal') return 'Full sentences, as long as the matter needs, the result first.';`,
    replace: '',
  },
  {
    name: 'one-tone-for-all-models',
    rows: ['R081'],
    file: guidelines,
    find: 'return modernModel\n',
    replace: 'return !modernModel || modernModel\n',
  },
  {
    name: 'deletions-unexplained',
    rows: ['R082'],
    file: guidelines,
    find: `offers(state, ...writingTools) && 'Explain deletions, moves and bulk changes in a sentence beforehand.',`,
    replace: '',
  },
  {
    name: 'secrets-repeated',
    rows: ['R082'],
    file: guidelines,
    find: `      'Never repeat keys or passwords from notes or settings.',\n`,
    replace: '',
  },
  {
    name: 'two-edits-of-one-note',
    rows: ['R083'],
    file: guidelines,
    find: `        'Calls: independent ones together.',
        offers(state, ...writingTools) && 'One edit per note in a round.',`,
    replace: `        'Calls: independent ones together.',`,
  },
  {
    name: 'cancelled-calls-return',
    rows: ['R083'],
    file: guidelines,
    find: `        'A cancelled call returns only when asked for.',\n`,
    replace: '',
  },
  {
    name: 'memory-of-anything',
    rows: ['R202'],
    file: guidelines,
    find: ' is for facts about the user alone.',
    replace: ' keeps facts.',
  },
  {
    name: 'signs-untold',
    rows: ['R084'],
    file: guidelines,
    find: 'The message box knows / for commands and tools, @ prompts, # workspaces, [[ notes; say so when asked how.',
    replace: 'Ask.',
  },
  {
    name: 'staging-untold',
    rows: ['R085'],
    file: permissions,
    find: 'Creating, editing, moving and deleting are staged: ',
    replace: 'Changes: ',
  },
  {
    name: 'approval-untold',
    rows: ['R085'],
    file: permissions,
    find: ' Approval is needed for moves, deletions, whole-note rewrites, over five notes in a turn, and for skills, prompts and memory.',
    replace: '',
  },
  {
    name: 'refusal-unexplained',
    rows: ['R085'],
    file: permissions,
    find: ': say in a sentence what was refused and why, do the rest, and ${wayOut(state)}.',
    replace: '.',
  },
  {
    name: 'phone-limits-untold',
    rows: ['R085'],
    file: permissions,
    find: `    state.platform === 'mobile' && mobileLimits,
    \`A refused`,
    replace: `    \`A refused`,
  },
  {
    name: 'final-reminder-for-modern-models',
    rows: ['R087'],
    file: finalReminder,
    find: '!state.modernModel && state.tier >= 3,',
    replace: 'state.tier >= 3,',
  },
  {
    name: 'final-reminder-assumes',
    rows: ['R087'],
    file: finalReminder,
    find: '? `Never assume what a note holds: ${toolNames.readNote} shows it.`',
    replace: `? 'Go on.'`,
  },
];
