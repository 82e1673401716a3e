/** Words of the settings tab. */

export const settings = {
  model: 'Model',
  modelDesc: 'Who answers. The built-in reader quotes your notes; it needs no key and no network.',
  builtInReader: 'Built-in reader',
  mode: 'Mode',
  modeDesc:
    'Assistant answers questions of any kind. Builder makes templates and queries. Planner gives goals a structure. Fixer finds out what is broken.',
  modes: {
    assistant: 'Assistant',
    developer: 'Builder',
    planning: 'Planner',
    debugger: 'Fixer',
    user: 'My own',
  },
  tier: 'Prompt size',
  tierDesc: 'How much instruction the model is given. It follows the size of the model unless you choose.',
  tiers: {
    auto: 'Automatic',
    1: 'Minimal (1)',
    2: 'Basic (2)',
    3: 'Standard (3)',
    4: 'Large (4)',
    5: 'Full (5)',
  },
  agentFolder: 'Agent folder',
  agentFolderDesc: 'Where prompts, workspaces and chats are kept.',
  agentFolderBad: 'Name a folder inside the vault, without dots or special characters.',
  contextStatus: 'Tell the model how full its window is',
  contextStatusDesc: 'Helps small models to be brief in time.',
  contextStatusChoices: { auto: 'For small windows', always: 'Always', never: 'Never' },
  contextWindow: 'Context window',
  contextWindowDesc: 'In tokens. Leave empty to use what is known of the model.',
  contextWindowBad: 'Enter a whole number of at least 1,024, or leave it empty.',
  providers: 'Providers',
  providersDesc: 'Hosted services and local servers that can answer.',
  key: 'Key',
  keyDesc: (provider: string) =>
    `The name of the secret that holds the key for ${provider}. Keys stay on this device; other plugins of this vault can read them.`,
  baseUrl: 'Address',
  baseUrlDesc: 'Where requests go. The key is sent to this address only.',
  baseUrlBad: 'Enter an address that begins with http:// or https://.',
  models: 'Models',
  modelsDesc: 'One name a line, as the provider spells them.',
  setUp: 'Set up',
  testConnection: 'Test connection',
  testConnectionDesc: 'Asks the provider for its list of models.',
  testing: 'Testing…',
  connected: (count: number) => `Connected. ${count === 1 ? '1 model' : `${count} models`} found.`,
  problems: {
    invalid: (key: string) => `The setting “${key}” could not be read, so its last good value is used.`,
    'newer-version': (_key: string) =>
      'These settings were written by a newer version of Docent. What this version does not know is kept.',
    'not-saved': (detail: string) =>
      `The settings could not be saved, so they hold until the app is closed. (${detail})`,
    'not-an-object': (_key: string) => 'The settings file could not be read, so the last good copy is used.',
  },
};
