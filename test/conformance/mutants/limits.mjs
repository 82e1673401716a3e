// Patches for R080-R087: guidelines, permissions, the final reminder.
const prose = 'src/core/prompt/sections/prose';
const sections = 'src/core/prompt/sections';
const finalReminder = `${sections}/reminders.ts`;

export const limits = [
  {
    name: 'wide-results',
    rows: ['R080'],
    file: `${prose}/guidelines.eta.md`,
    find: '- Economy: ask by folder, limit, heading or lines; narrow a long result before reading on.\n',
    replace: '',
  },
  {
    name: 'economy-without-reading-tools',
    rows: ['R080'],
    file: `${prose}/guidelines.eta.md`,
    find: '<% if (it.offers.reading) { %>',
    replace: '<% if (it) { %>',
  },
  {
    name: 'brevity-setting-unheeded',
    rows: ['R081'],
    file: `${prose}/guidelines.eta.md`,
    find: "it.brevity === 'normal'",
    replace: '!it',
  },
  {
    name: 'one-tone-for-all-models',
    rows: ['R081'],
    file: `${prose}/guidelines.eta.md`,
    find: 'it.modernModel',
    replace: 'it',
  },
  {
    name: 'deletions-unexplained',
    rows: ['R082'],
    file: `${prose}/guidelines.eta.md`,
    find: 'Explain deletions, moves and bulk changes in a sentence beforehand. ',
    replace: '',
  },
  {
    name: 'secrets-repeated',
    rows: ['R082'],
    file: `${prose}/guidelines.eta.md`,
    find: 'Never repeat keys or passwords from notes or settings.',
    replace: '',
  },
  {
    name: 'two-edits-of-one-note',
    rows: ['R083'],
    file: `${prose}/guidelines.eta.md`,
    find: ' One edit per note in a round.',
    replace: '',
  },
  {
    name: 'cancelled-calls-return',
    rows: ['R083'],
    file: `${prose}/guidelines.eta.md`,
    find: ' A cancelled call returns only when asked for.',
    replace: '',
  },
  {
    name: 'memory-of-anything',
    rows: ['R202'],
    file: `${prose}/guidelines.eta.md`,
    find: ' is for facts about the user alone.',
    replace: ' keeps facts.',
  },
  {
    name: 'signs-untold',
    rows: ['R084'],
    file: `${prose}/guidelines.eta.md`,
    find: 'The message box knows / for commands and tools, @ prompts, # workspaces, [[ notes; say so when asked how.',
    replace: 'Ask.',
  },
  {
    name: 'staging-untold',
    rows: ['R085'],
    file: `${prose}/permissions.eta.md`,
    find: 'Creating, editing, moving and deleting are staged: ',
    replace: 'Changes: ',
  },
  {
    name: 'approval-untold',
    rows: ['R085'],
    file: `${prose}/permissions.eta.md`,
    find: ' Approval is needed for moves, deletions, whole-note rewrites, over five notes in a turn, and for skills, prompts and memory.',
    replace: '',
  },
  {
    name: 'refusal-unexplained',
    rows: ['R085'],
    file: `${prose}/permissions.eta.md`,
    find: ': say in a sentence what was refused and why, do the rest, and ',
    replace: '. ',
  },
  {
    name: 'phone-limits-untold',
    rows: ['R085'],
    file: `${prose}/permissions.eta.md`,
    find: "<% if (it.platform === 'mobile') { %>",
    replace: '<% if (!it) { %>',
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
    file: `${prose}/final-reminder.eta.md`,
    find: 'Never assume what a note holds: <%= it.tools.readNote %> shows it.',
    replace: 'Go on.',
  },
];
