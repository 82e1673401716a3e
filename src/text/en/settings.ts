/** Words of the settings tab. */

const keyIsStored = 'Obsidian stores it in Keychain on this device, where other plugins can read it.';
const keyIsBound =
  'If you change it to another website, enter your API key again: Docent sends a key only to the website you entered it for.';

export function settings() {
  return {
    /** Heading above the pages. */
    more: 'More settings',
    pages: {
      providers: {
        name: 'Providers and API keys',
        desc: 'The services and programs that run models: Anthropic, OpenAI, Gemini, OpenRouter, Ollama, LM Studio, and others.',
      },
      model: {
        name: 'Context window and prices',
        desc: 'How much text your model accepts, what it costs, how varied its answers are, and how long it thinks.',
      },
      instructions: {
        name: 'Custom instructions',
        desc: 'Instructions for every chat, the length of answers, and the name of the agent.',
      },
      spending: {
        name: 'Spending and usage',
        desc: 'Limits on the cost of a chat, and what all chats have used.',
      },
      privacy: {
        name: 'Privacy and trust',
        desc: 'Hidden folders and tags, untrusted notes (text by others), and files that give Docent instructions.',
      },
      files: {
        name: 'Folders, files, and undo history',
        desc: 'Where Docent stores its files, which notes it reads for instructions, and what can be undone.',
      },
      servers: { name: 'MCP servers', desc: 'Tools from outside your vault, such as a calendar or an issue tracker.' },
      'long-chats': {
        name: 'Long chats and summaries',
        desc: 'When Docent summarizes older messages, and with which model.',
      },
      'system-prompt': {
        name: 'System prompt',
        desc: 'Replace, extend, shorten, or export the instructions that Docent sends.',
      },
    },
    model: 'Model',
    modelDesc:
      'The AI model that answers in new chats. The built-in reader isn’t an AI model: it only quotes your notes. To add models, enter an API key below, or set up Ollama or LM Studio under Providers and API keys.',
    modelAliases: ['LLM', 'AI', 'GPT', 'Claude'],
    builtInReader: 'Built-in reader',
    mode: 'Mode',
    modes: {
      assistant: 'Assistant',
      developer: 'Builder',
      planning: 'Planner',
      debugger: 'Troubleshooter',
      user: 'Custom',
    },
    modeGuidance: {
      assistant: 'for questions of any kind and help with writing.',
      developer: 'for note templates, queries, properties, and CSS snippets.',
      planning: 'for projects with steps and dates, and for the structure of your vault.',
      debugger: 'for broken links, empty queries, sync conflicts, and trouble with plugins.',
      user: 'the same as Assistant, until you write your own templates for it in settings, under System prompt.',
    },
    phoneNewLine: 'Begin a new line with Return on a phone',
    phoneNewLineDesc: 'On a phone, only the button sends then. Otherwise Return sends your message.',
    tier: 'Instruction level',
    tierDesc:
      'How detailed the instructions to the model are. Higher levels use more tokens, the pieces of words that models count and charge for. Automatic fits the level to the model.',
    tiers: {
      auto: 'Automatic',
      1: 'Minimal (1)',
      2: 'Basic (2)',
      3: 'Standard (3)',
      4: 'Large (4)',
      5: 'Full (5)',
    },
    agentFolder: 'Agent folder',
    agentFolderDesc:
      'The folder for chats, prompts, workspaces, and other notes for Docent. To move it and all its notes, use Obsidian: this setting follows. If you enter another path here, the notes stay where they are.',
    agentFolderBad: 'Enter a folder in this vault, without dots or special characters.',
    contextStatus: 'Context status',
    contextStatusDesc:
      'The context window is the most text that a model accepts at once. This tells the model how much of it is used, so that it shortens its answers in time. Automatic does so only while the context window is small or filling up.',
    contextStatusChoices: { auto: 'Automatic', always: 'Always', never: 'Never' },
    contextFilesIn: 'When to send AGENTS.md',
    contextFilesInDesc:
      'AGENTS.md is a note with your instructions for Docent. The one at the top of your vault can be sent with every message, or only after Docent has read a note. An AGENTS.md in another folder is sent after Docent has read a note in that folder.',
    contextFilesInChoices: { prompt: 'With every message', 'first-touch': 'When Docent first reads a note' },
    contextWindow: 'Context window',
    contextWindowDesc:
      'The most text that a model may get at once: instructions, notes, and messages. In tokens: 1,000 tokens are about 750 English words. Leave empty to detect it.',
    contextWindowBad: 'Enter a whole number of at least 1,024, or leave it empty.',
    providerKinds: {
      hosted: 'Needs an API key',
      local: 'On this device',
      own: 'Needs a web address',
    },
    key: 'API key',
    keyOfAny:
      'An API key lets Docent use your account at a provider, the company that runs the model. Choose a provider, then paste your key.',
    chooseProvider: 'Choose a provider',
    keyDesc: (provider: string) => `Your ${provider} API key. ${keyIsStored}`,
    keyOptional: `Only if the server asks for one. ${keyIsStored}`,
    getKey: 'Get an API key',
    pasteKey: 'Paste your API key',
    keySaved: 'Saved. Paste to replace',
    linkKey: 'Key from Keychain',
    linkKeyDesc: 'Use an API key that is already in Obsidian’s Keychain.',
    baseUrl: 'Address',
    baseUrlDesc: `The web address that Docent sends requests to, often ending in /v1. Leave it empty to use the provider’s usual address. ${keyIsBound}`,
    ownUrlDesc: `The web address of your server, usually ending in /v1. ${keyIsBound}`,
    baseUrlBad: 'Enter an address that begins with https://, or with http:// for a server on this device.',
    models: 'Models',
    modelsDesc: 'One model per line, as the provider names them. If this is empty, Test connection fills it.',
    useModel: 'Default model',
    useModelDesc: 'Use one of these models for new chats.',
    notUsed: 'Choose a model',
    setUp: 'Configured',
    inUse: 'In use',
    testConnection: 'Test connection',
    testConnectionDesc: 'Checks the address and API key, and gets the provider’s list of models.',
    testing: 'Testing…',
    addressEdited: 'The address was edited during the test.',
    addressEditedRemedy: 'Test the connection again.',
    connected: (count: number) => `Connected. ${count === 1 ? '1 model' : `${count} models`} found.`,
    problems: {
      invalid: (key: string) =>
        `Couldn’t read the setting “${key}” in data.json, so its last good value is used. To fix it, set it again.`,
      'invalid-default': (key: string) =>
        `Couldn’t read the setting “${key}” in data.json, so its default is used. To fix it, set it again.`,
      'invalid-hidden': (key: string) => `Couldn’t read “${key}” in data.json, so Docent reads no notes.`,
      'newer-version': (_key: string) =>
        'A newer version of Docent wrote these settings, so update Docent here. Settings that this version doesn’t know stay in the file.',
      'not-saved': (detail: string) =>
        `Couldn’t save the settings. They apply until you close Obsidian. Free up disk space or check the vault folder, then change a setting again.${detail === '' ? '' : ` (${detail})`}`,
      'too-large': (_key: string) =>
        'The settings would be larger than 5 MB, so they weren’t saved. They apply until you close Obsidian. Shorten the last text that you entered.',
      'not-an-object': (_key: string) => 'Couldn’t read the settings, so the last good copy is used.',
      missing: (_key: string) => 'The settings file is missing, so the last good copy on this device is used.',
      damaged: (sentence: string) => sentence,
      'written-over': (_key: string) =>
        'Couldn’t save the settings, because another program keeps replacing the file. They apply until you close Obsidian. Pause your sync service, then change a setting again.',
    },
    damaged: {
      name: 'Damaged settings',
      desc: 'Shown while the settings file can’t be read, or a sync service stored another version of it. Docent saves a copy of a damaged file at once, but replaces the file only after you choose.',
      flaws: {
        empty: (_detail: string) => 'The settings file is empty.',
        zeros: (_detail: string) => 'The settings file contains only zeros.',
        'not-json': (_detail: string) => 'The settings file is cut off or damaged.',
        'not-settings': (_detail: string) => 'The settings file doesn’t contain settings.',
        'too-large': (_detail: string) => 'The settings file is larger than 5 MB.',
        unreadable: (detail: string) => `Couldn’t read the settings file. (${detail})`,
        hidden: (_detail: string) => 'Couldn’t read which folders and tags are hidden.',
      },
      copied: (name: string) => `A copy is in “${name}”.`,
      notCopied: 'The file is unchanged.',
      lastGoodApplies: 'Until you choose, the last good copy on this device is used.',
      defaultsApply:
        'Until you choose, the defaults are used and Docent reads no notes, because it doesn’t know which are hidden.',
      hiddenApplies: 'Until you choose or set them again, Docent reads no notes.',
      choices: {
        'last-good': 'Use last good copy',
        defaults: 'Use defaults',
        retry: 'Try again',
        keep: 'Keep these settings',
        'take-copy': 'Use other version',
      },
      conflictName: 'Settings in two versions',
      conflict: (name: string, differing: string) =>
        `A sync service stored another version of the settings in “${name}”. The two differ in these entries of data.json: ${differing}. Until you choose, what either version hides is hidden. The version that you don’t choose stays in the plugin folder.`,
      defaultsNote: 'With the defaults, no folders or tags are hidden.',
      chosen: {
        'last-good': 'The last good settings are saved.',
        defaults: 'The default settings are saved.',
        keep: 'These settings are saved.',
        'take-copy': 'The other version of the settings is saved.',
      },
      repaired: 'The settings file can be read again.',
      undecided: 'Choose what replaces the damaged settings file first.',
      nothingReplaced: 'Couldn’t copy the settings file, so nothing was overwritten.',
      nothingReplacedRemedy: 'Free up space, or move data.json out of the plugin folder, then try again.',
    },
    deviceFull: (detail: string) =>
      `Obsidian’s storage on this device is full. Permissions and other values for this device apply only until you close Obsidian. (${detail})`,
  };
}
