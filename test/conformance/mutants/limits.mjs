// Patches for R080-R087: guidelines, permissions, the final reminder.
const prose = 'src/core/prompt/sections/prose';
const sections = 'src/core/prompt/sections';
const finalReminder = `${sections}/reminders.ts`;

export const limits = [
  {
    name: 'wide-results',
    rows: ['R080'],
    file: `${prose}/guidelines.eta.md`,
    find: '- Ask for narrow results: use folder, limit, heading or lines.\n',
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
    find: "<% if (it.brevity === 'normal') { %>\n",
    replace: '<% if (!it) { %>\n',
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
    find: 'Explain deletions, moves and bulk changes first. ',
    replace: '',
  },
  {
    name: 'secrets-repeated',
    rows: ['R082'],
    file: `${prose}/guidelines.eta.md`,
    find: ' Never repeat keys or passwords.',
    replace: '',
  },
  {
    name: 'two-edits-of-one-note',
    rows: ['R083'],
    file: `${prose}/guidelines.eta.md`,
    find: ' Edit each note once per step.',
    replace: '',
  },
  {
    name: 'cancelled-calls-return',
    rows: ['R083'],
    file: `${prose}/guidelines.eta.md`,
    find: ' Do not repeat a canceled call unless asked.',
    replace: '',
  },
  {
    name: 'memory-of-anything',
    rows: ['R202'],
    file: 'src/core/tools/remember.ts',
    find: ' that the user stated, for all chats. Save nothing else.',
    replace: ' for all chats.',
  },
  {
    name: 'signs-untold',
    rows: ['R084'],
    file: `${prose}/guidelines.eta.md`,
    find: 'If asked how: / runs commands, tools and skills; @ prompts, # workspaces, [[ notes.',
    replace: 'Ask.',
  },
  {
    name: 'staging-untold',
    rows: ['R085'],
    file: `${prose}/permissions.eta.md`,
    find: 'Your changes are staged. ',
    replace: 'Changes: ',
  },
  {
    name: 'approval-untold',
    rows: ['R085'],
    file: `${prose}/permissions.eta.md`,
    find: ' Moves, deletions, whole-note rewrites, over five notes in a turn, skills, prompts and memory need approval.',
    replace: '',
  },
  {
    name: 'refusal-unexplained',
    rows: ['R085'],
    file: `${prose}/permissions.eta.md`,
    find: ' Say what was refused and why. Do the rest and ',
    replace: ' ',
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
    find: ': use <%= it.tools.readNote %>',
    replace: '',
  },
];
