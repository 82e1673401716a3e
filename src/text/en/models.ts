/** Words about models: names of providers, and what can fail between the chat view and a model. */
import { grouped } from './count';

const seconds = (count: number): string => (count === 1 ? '1 second' : `${count} seconds`);

const tokens = grouped;

export const models = () => ({
  labels: {
    anthropic: 'Anthropic',
    openai: 'OpenAI',
    gemini: 'Gemini',
    openRouter: 'OpenRouter',
    mistral: 'Mistral',
    deepSeek: 'DeepSeek',
    groq: 'Groq',
    xai: 'xAI',
    ollama: 'Ollama',
    lmStudio: 'LM Studio',
    openaiCompatible: 'OpenAI-compatible server',
  },

  addressMissing: (provider: string) => `No address is set for ${provider}.`,
  addressInvalid: (provider: string) => `The address set for ${provider} is not a web address.`,
  addressRemedy:
    'Enter an address in the settings that starts with https://, or with http:// for a server on this device.',

  keyMissing: (provider: string, origin: string) => `No key is stored for ${provider} at ${origin}.`,
  keyMissingRemedy: 'Choose the key in the settings. A key is sent only to the address that it was chosen for.',
  keyUnusable: (provider: string) => `The key stored for ${provider} holds characters that a key cannot have.`,
  keyUnusableRemedy: 'Copy the key again and store it without spaces or quotation marks.',
  keyNotStored: 'Obsidian couldn’t store the API key on this device.',
  keyNotStoredRemedy: 'Check Keychain in Obsidian’s settings, then enter the key again.',
  keyRefused: (provider: string) => `${provider} did not accept the key.`,
  keyRefusedRemedy: 'Check in the settings that the key is complete, still valid and allowed to use this model.',
  loginWanted: (provider: string) => `${provider} asks for a key.`,
  accessRefused: (provider: string) => `${provider} refused the request.`,
  accessRefusedLocalRemedy: 'Check in the settings of the server that it accepts requests from this app.',

  quotaReached: (provider: string) => `The account at ${provider} has no credit left or has reached its limit.`,
  quotaRemedy: 'Check the balance and limits of the account, or choose another model.',
  rateLimited: (provider: string) => `${provider} says that its limit of requests is reached.`,
  rateLimitedFor: (provider: string, wait: number) =>
    `${provider} says that its limit of requests is reached and asks to wait ${seconds(wait)}.`,
  rateLimitRemedy: 'Wait a little and send again, or choose another model.',
  overloaded: (provider: string) => `${provider} is overloaded or has trouble at the moment.`,
  overloadedFor: (provider: string, wait: number) =>
    `${provider} is overloaded at the moment and asks to wait ${seconds(wait)}.`,
  overloadedRemedy: 'Send again in a moment, or choose another model.',

  modelMissing: (provider: string, model: string) => `${provider} does not have the model “${model}”.`,
  modelMissingRemedy: 'Choose a model from the list in the settings, and check the address of the provider.',
  modelMissingLocalRemedy: 'Download or load the model in the server first, or choose one that it lists.',
  toolsUnsupported: (model: string) => `The server does not support native tool calling for the model “${model}”.`,
  toolsUnsupportedRemedy: 'Let the model call tools in text, or choose another model.',
  callToolsInText: 'Call tools in text',
  contextTooLong: (model: string) => `The request is longer than “${model}” can read.`,
  contextTooLongRemedy: 'Start a new chat, remove attached notes, or choose a model with a larger context window.',

  windowLearned: (model: string, window: number, assumed: number) =>
    `“${model}” has a window of ${tokens(window)} tokens instead of ${tokens(assumed)}. Requests are made to fit that from now on.`,
  windowLearnedOwn: (model: string, window: number, own: number) =>
    `“${model}” has a window of ${tokens(window)} tokens, although ${tokens(own)} are set for it. Requests are made to fit that from now on.`,

  requestRefused: (provider: string, status: number) => `${provider} refused the request (status ${status}).`,
  requestRefusedBecause: (provider: string, reason: string) => `${provider} refused the request: ${reason}`,
  interactionsOnly: (model: string) =>
    `“${model}” answers only over Google’s Interactions API, which Docent doesn’t use.`,
  interactionsOnlyRemedy: 'Choose another model of Gemini.',
  requestRefusedRemedy: 'Try another model, or check the address of the provider in the settings.',
  answerBroken: (provider: string) => `${provider} sent an answer that could not be understood.`,
  answerBrokenBecause: (provider: string, reason: string) => `${provider} reported an error: ${reason}`,
  answerBrokenRemedy: 'Send again. If it happens every time, check the address and the kind of the provider.',
  notAModel: (host: string) => `${host} answered with a web page instead of a model.`,
  notAModelRemedy: 'Log in to the network you are on if it asks for it, and check the address in the settings.',
  notAStream: (provider: string) => `${provider} answered without streaming.`,
  redirected: (host: string) => `${host} sent the request on to another address.`,
  redirectedRemedy: 'Enter the final address in the settings; the key is not sent anywhere else.',

  unreachable: (host: string) => `There is no connection to ${host}.`,
  unreachableRemedy: 'Check the internet connection and the address of the provider.',
  unreachableLocalRemedy: 'Check that the server is running and that its address and port are right.',
  silent: (host: string, wait: number) => `${host} sent nothing for ${seconds(wait)}.`,
  silentRemedy: 'Send again, or choose a smaller or faster model.',
  stalled: (host: string, wait: number) => `The answer stopped: ${host} sent nothing more for ${seconds(wait)}.`,
  stalledRemedy: 'What arrived is kept. Send again to continue.',
  closedEarly: (host: string) => `${host} closed the connection before it answered.`,
  closedEarlyRemedy: 'Send again in a moment.',

  /** What a countdown shows next to the reason. */
  tryingAgain: (count: number) => (count <= 0 ? 'Trying again…' : `Trying again in ${seconds(count)}.`),
  firstRun: {
    ways: 'Choose how Docent answers',
    reader: { name: 'Built-in reader', about: 'Quotes your notes. No account, and nothing leaves this device.' },
    local: { name: 'Local model', about: 'Ollama or LM Studio on this device.' },
    hosted: { name: 'Hosted model', about: 'Anthropic, OpenAI, Gemini, and others, with your API key.' },
    readerReady: 'Ready. Ask a question below, and the built-in reader answers with passages from your notes.',
    connect: 'Connect',
    keyStored: 'Obsidian stores the key in Keychain on this device. Docent sends it only to this provider.',
    getKeyOf: (provider: string) => `Get an API key from ${provider}`,
    all: (count: number) => `Search all ${grouped(count)} models`,
    firstQuestion: 'Questions to start with',
    questionOnNote: 'Summarize the open note.',
    questions: ['Which open tasks do I have?', 'What did I write about most recently?'],
    look: 'Look for a local server',
    looking: 'Looking for a local server…',
    none: 'No local server found. Start Ollama or LM Studio and try again, or enter the address of another server in settings.',
    server: (name: string, count: number) =>
      count === 0 ? `${name} is connected, but lists no models.` : `${name} is connected. Choose a model:`,
    use: (model: string, server: string) => `Use ${model} from ${server}`,
  },

  facts: {
    page: 'About this model',
    pageDesc: 'Values entered here override the defaults for this model.',
    changed: (count: number) => (count === 1 ? '1 change' : `${count} changes`),
    unknown: 'Not known',
    usual: 'As usual',
    fromTable: 'Grey values are those that the provider published.',
    windowUnknown: (window: number) => `Its window is unknown; ${tokens(window)} tokens are assumed.`,
    fromList: 'Grey values are those of the provider’s list, where it tells them, or cautious guesses.',
    learned: (window: number, assumed: number) =>
      `Its server takes ${tokens(window)} tokens instead of ${tokens(assumed)}, as a refused request showed on this device. Another window below is tried again.`,
    bad: ([least, most]: readonly [number, number]) =>
      `Enter a number from ${tokens(least)} to ${tokens(most)}, or leave it empty.`,
    contextWindow: {
      name: 'Window of this model',
      desc: 'In tokens. For this model it goes before the context window above.',
    },
    outputLimit: { name: 'Longest answer', desc: 'In tokens.' },
    inputPrice: { name: 'Price of input', desc: 'In dollars for a million tokens.' },
    outputPrice: { name: 'Price of output', desc: 'In dollars for a million tokens.' },
    cacheReadPrice: { name: 'Price of input read from the cache', desc: 'In dollars for a million tokens.' },
    cacheWritePrice: { name: 'Price of input written to the cache', desc: 'In dollars for a million tokens.' },
    temperature: { name: 'Temperature', desc: 'From 0, the most predictable, to 2. Some models refuse one.' },
    toolCalling: {
      name: 'Tool calling',
      desc: 'Native: the provider passes tools and calls. In text: the prompt describes the tools, and the model writes calls into its answer. Automatic uses native unless the provider reports that the model does not support it.',
    },
    toolCallings: {
      automatic: (isNative: boolean) => (isNative ? 'Automatic (native)' : 'Automatic (in text)'),
      by: { native: 'Native', text: 'In text' },
    },
    effort: { name: 'Thinking', desc: 'How much the model thinks before it answers, where it can be told.' },
    efforts: { usual: 'As usual', by: { none: 'None', low: 'A little', medium: 'Some', high: 'A lot' } },
  },

  /** @param how how a server is made to let the app read its answers */
  directlyInstead: (how: string) => `Or let the app read its answers: ${how}`,
  crossOrigin: (host: string) => `${host} is running, but it does not let this app read its answers.`,
  crossOriginHelp: {
    ollama: 'Set the environment variable OLLAMA_ORIGINS to * on the computer that runs Ollama, then restart Ollama.',
    lmStudio: 'In LM Studio, open the server settings, switch on “Enable CORS” and restart the server.',
    other: 'Allow cross-origin requests (CORS) in the settings of the server.',
  },
  wholeAnswers: (host: string) => `Answers from ${host} arrive in one piece, because it does not let this app stream.`,
});

const notes = (count: number): string => (count === 1 ? '1 note' : `${count} notes`);

/** Words of the built-in reader: what it writes around the passages it quotes. */
export const reader = () => ({
  label: 'Built-in reader (no model, no key)',
  honest: 'I quote your notes as they stand; I am not a language model.',
  introduction:
    'I am the built-in reader. Ask me something and I search your vault and quote the passages that fit, with links. ' +
    'I can also list a folder, outline a note or summarise one by its own sentences.',
  leadOne: (title: string) => `This is what “${title}” has on it.`,
  leadSeveral: (passages: number, count: number) =>
    `I found ${passages} passages in ${notes(count)}, the closest first.`,
  leadAttached: 'This is from the notes you attached.',
  leadSummary: (title: string) => `This is “${title}” in its own sentences.`,
  summaryPart: 'Only the first part of the note was read; it is too long to read at once.',
  leadOutline: (title: string, count: number) =>
    count === 1 ? `“${title}” has one heading.` : `“${title}” has ${count} headings.`,
  noHeadings: (title: string) => `“${title}” has no headings.`,
  outlinePart: 'There are more headings than fit one look.',
  leadFolder: (folder: string) => `This is in “${folder}”.`,
  leadVault: 'This is at the top of your vault.',
  folderEmpty: (folder: string) => `“${folder}” is empty.`,
  vaultEmpty: 'Your vault is empty.',
  folderPart: 'There are more entries than fit one look.',
  countedNotes: (count: number) => notes(count),
  noteEmpty: (title: string) => `“${title}” is empty.`,
  nothing: 'I found nothing on that in your vault.',
  nothingAttached: 'I found nothing on that in the notes you attached, and nothing in your vault.',
  lookedFor: (list: readonly string[]) => `I looked for: ${list.join(', ')}.`,
  unread: (count: string) => `${count} of the notes could not be read, so I could not look there.`,
  searchedPart: (searched: string, all: string) =>
    `I have searched ${searched} of your ${all} notes: the others are still being indexed. Ask again in a moment.`,
  noTools: 'I was given no way to search your vault, and nothing in the attached notes fits.',
  noQuestion: 'There is no question to answer.',
  searchFailed: (answer: string) => `The search did not work: ${answer}`,
  brokenRemedy: 'Ask again in a new chat, and report it if it happens again.',
  unreadableResult: 'The search gave an answer that I cannot read.',
});
