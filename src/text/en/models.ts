/** Words about models: names of providers, and what can fail between the chat view and a model. */
import { grouped } from './count';

const seconds = (count: number): string => (count === 1 ? '1 second' : `${count} seconds`);

const tokens = grouped;

/** What a server said, as a sentence that another one can follow. */
const ended = (said: string): string => (/[.!?…]['"’”)\]]?$/.test(said) ? said : `${said}.`);

export function models() {
  return {
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
    addressInvalid: (provider: string) => `The address set for ${provider} isn’t a web address.`,
    addressRemedy:
      'In settings, enter an address that starts with https://, or with http:// for a server on this device.',
    addressTail: (provider: string) => `The address set for ${provider} contains “?” or “#”, which Docent can’t use.`,
    addressTailRemedy: 'In settings, enter the address up to there.',

    keyMissing: (provider: string, origin: string) => `No API key is stored for ${provider} at ${origin}.`,
    keyMissingRemedy: 'Enter the API key in settings. It is sent only to the address you enter it for.',
    keyUnusable: (provider: string) =>
      `The API key for ${provider} contains spaces or other characters that a key can’t have.`,
    keyUnusableRemedy: 'Copy the API key again and enter it without spaces or quotation marks.',
    keyNotStored: 'Obsidian couldn’t store the API key on this device.',
    keyNotStoredRemedy: 'Check Keychain in Obsidian’s settings, then enter the key again.',
    keyRefused: (provider: string) => `${provider} didn’t accept the API key.`,
    keyRefusedRemedy: 'Check that the API key is complete, still valid, and may use this model.',
    loginWanted: (provider: string) => `${provider} requires an API key.`,
    accessRefused: (provider: string) => `${provider} rejected the request.`,
    accessRefusedLocalRemedy: 'Check in the server’s settings that it accepts requests from Obsidian.',

    quotaReached: (provider: string) => `Your ${provider} account has no credit left or has reached its limit.`,
    quotaRemedy: 'Check the balance and limits of your account, or choose another model.',
    rateLimited: (provider: string) => `${provider} reports that you reached its request limit.`,
    rateLimitRemedy: 'Wait a moment and send again, or choose another model.',
    overloaded: (provider: string) => `${provider} is overloaded.`,
    /** An error of the server itself. */
    serverFailed: (provider: string) => `${provider} couldn’t respond because of a problem on its side.`,
    serverFailedBecause: (provider: string, reason: string) => `${provider} failed: ${ended(reason)}`,
    serverTimedOut: (provider: string) => `${provider} took too long to respond and gave up.`,
    overloadedRemedy: 'Send again in a few minutes, or choose another model.',
    waitRemedy: (wait: number) => `Wait ${seconds(wait)} and send again, or choose another model.`,
    triedTimes: (count: number) => `Docent tried ${count} times.`,

    modelMissing: (provider: string, model: string) => `${provider} doesn’t have the model “${model}”.`,
    modelMissingRemedy: 'Choose another model, or check the provider’s address in settings.',
    modelMissingLocalRemedy: 'Download or load the model in the server, or choose another one.',
    toolsUnsupported: (model: string) => `“${model}” can’t use tools, such as searching notes, through this server.`,
    toolsUnsupportedRemedy:
      'Select Call tools in text to let the model write its tool calls as text, or choose another model.',
    callToolsInText: 'Call tools in text',
    callUnread: (model: string) => `“${model}” tried to use a tool, but its tool call can’t be read.`,
    callUnreadRemedy: 'Send again. If it keeps happening, select Call tools in text, or choose another model.',
    contextTooLong: (model: string) => `The request exceeds the context window of “${model}”.`,
    contextTooLongRemedy: 'Start a new chat, remove attached notes, or choose a model with a larger context window.',

    requestTooLarge: (model: string) => `The request is too large for “${model}”.`,
    requestTooLargeBecause: (model: string, reason: string) =>
      `The request is too large for “${model}”: ${ended(reason)}`,
    requestTooLargeRemedy: 'Start a new chat, remove attached notes or images, or choose another model.',

    imagesOmitted: {
      images: (model: string) => `“${model}” doesn’t accept images, so it got only a text note that they are attached.`,
      imageCount: (model: string) =>
        `“${model}” accepts fewer images in a request, so it got only text notes in place of the oldest.`,
    },

    windowLearned: (model: string, window: number, assumed: number) =>
      `“${model}” has a context window of ${tokens(window)} tokens, not ${tokens(assumed)}. From now on, Docent sends no more than that.`,
    windowLearnedOwn: (model: string, window: number, own: number) =>
      `“${model}” has a context window of ${tokens(window)} tokens, but settings say ${tokens(own)}. From now on, Docent sends no more than the model accepts.`,

    requestRefused: (provider: string, status: number) => `${provider} rejected the request (status ${status}).`,
    requestRefusedBecause: (provider: string, reason: string) => `${provider} rejected the request: ${ended(reason)}`,
    interactionsOnly: (model: string) =>
      `“${model}” works only with Google’s Interactions API, which Docent doesn’t support.`,
    interactionsOnlyRemedy: 'Choose another Gemini model.',
    requestRefusedRemedy: 'Choose another model, or check the provider’s address in settings.',
    answerBroken: (provider: string) => `${provider} returned an invalid response.`,
    answerBrokenBecause: (provider: string, reason: string) => `${provider} reported an error: ${ended(reason)}`,
    answerBrokenRemedy: 'Send again. If it keeps happening, check the provider’s address in settings.',
    notAModel: (host: string) => `${host} returned a web page.`,
    notAModelRemedy: 'If your network requires a login, log in. Otherwise, check the address in settings.',
    notAStream: (provider: string) => `${provider} sent its response in a form that Docent can’t read.`,
    redirected: (host: string) => `${host} redirected the request to another address, so Docent stopped.`,
    redirectedRemedy:
      'Open the address from settings in a browser. If it changes there, enter the new one in settings. Your API key wasn’t sent anywhere else.',

    unreachable: (host: string) => `Couldn’t connect to ${host}.`,
    unreachableRemedy: 'Check your internet connection and the provider’s address in settings.',
    unreachableLocalRemedy: 'Check that the server is running, and check its address and port in settings.',
    certificate: (host: string) => `The certificate of ${host} isn’t trusted, so Docent didn’t connect.`,
    certificateRemedy:
      'Check the date of this device. For a server of your own, add its certificate to those that the system trusts.',
    silent: (host: string, wait: number) => `${host} didn’t respond within ${seconds(wait)}.`,
    silentRemedy: 'Send again, or choose a smaller or faster model.',
    stalled: (host: string, wait: number) => `The answer stopped, because ${host} sent nothing for ${seconds(wait)}.`,
    stalledRemedy: 'The text so far is saved. Send the message again.',
    closedEarly: (host: string) => `${host} closed the connection before it responded.`,
    closedEarlyRemedy: 'Send again in a moment.',

    /** What a countdown shows next to the reason. */
    tryingAgain: (count: number) => (count <= 0 ? 'Trying again…' : `Trying again in ${seconds(count)}.`),
    firstRun: {
      ways: 'Choose how Docent answers',
      reader: { name: 'Built-in reader', about: 'Quotes your notes. No account, and nothing leaves this device.' },
      local: { name: 'Local model', about: 'Runs on this device, in a local server such as Ollama or LM Studio.' },
      hosted: {
        name: 'Hosted model',
        about: 'Anthropic, OpenAI, Gemini, and others. Needs an API key from your account there.',
      },
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
      page: 'Model details',
      pageDesc: 'Values entered here override the defaults for this model.',
      changed: (count: number) => (count === 1 ? '1 change' : `${count} changes`),
      unknown: 'Unknown',
      usual: 'Default',
      fromTable: 'Gray values are published by the provider.',
      windowUnknown: (window: number) => `Its context window is unknown, so Docent assumes ${tokens(window)} tokens.`,
      fromList: 'Gray values come from the provider’s list of models, or are cautious guesses.',
      learned: (window: number, assumed: number) =>
        `On this device, its server rejected a request: the context window is ${tokens(window)} tokens, not ${tokens(assumed)}. Enter another value below to try again.`,
      bad: ([min, max]: readonly [number, number], isWhole: boolean) =>
        isWhole
          ? `Enter a whole number from ${tokens(min)} to ${tokens(max)}, or leave it empty.`
          : `Enter a number from ${min} to ${max} without a thousands separator, or leave it empty.`,
      contextWindow: {
        name: 'Context window of this model',
        desc: 'In tokens. Overrides the context window for all models.',
      },
      outputLimit: { name: 'Maximum answer length', desc: 'In tokens.' },
      inputPrice: { name: 'Input price', desc: 'In dollars per million tokens that you send.' },
      outputPrice: { name: 'Output price', desc: 'In dollars per million tokens that the model writes.' },
      cacheReadPrice: {
        name: 'Cached input price',
        desc: 'In dollars per million tokens that the provider reuses from an earlier request.',
      },
      cacheWritePrice: {
        name: 'Cache write price',
        desc: 'In dollars per million tokens that the provider stores for later requests.',
      },
      temperature: {
        name: 'Temperature',
        desc: 'How varied answers are, from 0 (most predictable) to 2. Some models don’t accept it.',
      },
      toolCalling: {
        name: 'Tool calling',
        desc: 'How the model learns which tools it has, such as searching notes. Automatic suits most models. If a model doesn’t use its tools, choose In text: Docent then describes them in the prompt. Native always leaves this to the provider.',
      },
      toolCallings: {
        automatic: (isNative: boolean) => (isNative ? 'Automatic (native)' : 'Automatic (in text)'),
        by: { native: 'Native', text: 'In text' },
      },
      effort: { name: 'Thinking', desc: 'How long the model thinks before it answers, if it supports this setting.' },
      efforts: { usual: 'Default', by: { none: 'None', low: 'Low', medium: 'Medium', high: 'High' } },
    },

    /** @param how how a server is made to let the app read its answers */
    directlyInstead: (how: string) => `Or let the server accept requests from Obsidian: ${how}`,
    crossOrigin: (host: string) => `${host} is running, but it doesn’t accept requests from Obsidian.`,
    crossOriginHelp: {
      ollama:
        'On the computer that runs Ollama, set the environment variable OLLAMA_ORIGINS to *, then restart Ollama. Environment variables are settings of the operating system; Ollama’s FAQ explains how to set them.',
      lmStudio: 'In LM Studio, open the server settings, turn on “Enable CORS”, and restart the server.',
      other:
        'In the settings of the server, allow requests from other apps. The setting is often called CORS or allowed origins.',
    },
    wholeAnswers: (host: string) =>
      `Answers from ${host} arrive all at once, because it doesn’t allow streaming to Obsidian.`,
  };
}

const notes = (count: number): string => (count === 1 ? '1 note' : `${count} notes`);

/** Words of the built-in reader: what it writes around the passages it quotes. */
export function reader() {
  return {
    label: 'Built-in reader (no model, no API key)',
    honest: 'I quote your notes word for word; I am not a language model.',
    introduction:
      'I am the built-in reader. Ask me something and I search your vault and quote the passages that fit, with links. ' +
      'I can also list a folder, outline a note, or summarize one in its own sentences.',
    leadOne: (title: string) => `This is what “${title}” says about it.`,
    leadSeveral: (passages: number, count: number) =>
      `I found ${passages} passages in ${notes(count)}, the closest first.`,
    leadAttached: 'This is from the notes you attached.',
    leadSummary: (title: string) => `This is “${title}” in its own sentences.`,
    summaryPart: 'Only the first part of the note was read; it is too long to read at once.',
    leadOutline: (title: string, count: number) =>
      count === 1 ? `“${title}” has one heading.` : `“${title}” has ${count} headings.`,
    noHeadings: (title: string) => `“${title}” has no headings.`,
    outlinePart: 'There are more headings than I can show at once.',
    leadFolder: (folder: string) => `This is in “${folder}”.`,
    leadVault: 'This is at the top of your vault.',
    folderEmpty: (folder: string) => `“${folder}” is empty.`,
    vaultEmpty: 'Your vault is empty.',
    folderPart: 'There are more entries than I can show at once.',
    countedNotes: (count: number) => notes(count),
    noteEmpty: (title: string) => `“${title}” is empty.`,
    nothing: 'I found nothing about that in your vault.',
    nothingAttached: 'I found nothing about that in the notes you attached or in your vault.',
    lookedFor: (list: readonly string[]) => `I looked for: ${list.join(', ')}.`,
    unread: (count: string) =>
      count === '1'
        ? 'I couldn’t read one of the notes, so I couldn’t search it.'
        : `I couldn’t read ${count} of the notes, so I couldn’t search them.`,
    noteUnread: (title: string, reason: string) => (reason === '' ? `I can’t read “${title}”.` : reason),
    readsOnly:
      'I only read and quote notes. To have one changed, choose a model below the message box: its changes wait for your review.',
    searchedPart: (searched: string, all: string) =>
      `I have searched ${searched} of your ${all} notes: the others are still being indexed. Ask again in a moment.`,
    noTools:
      'I can’t search your vault in this chat, and nothing in the attached notes fits. Attach the note that you mean, and ask again.',
    noQuestion: 'There is no question to answer.',
    searchFailed: (answer: string) => `The search failed: ${answer}`,
    brokenRemedy: 'Ask again in a new chat, and report it if it happens again.',
    unreadableResult: 'The search returned a result that I can’t read.',
  };
}
