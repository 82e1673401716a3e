/** Words about MCP servers: what can fail, and why a call is refused. */
import { grouped } from './count';

export function servers() {
  return {
    taintOf: (server: string) => `a response of the MCP server ${server}`,
    taintOfPrompt: (server: string) => `a prompt of the MCP server ${server}`,
    progress: (done: string, total: string | null, said: string) =>
      [total === null ? done : `${done} of ${total}`, said].filter((part) => part !== '').join(': '),
    resourceTitle: (server: string, uri: string) => `Read from ${server}: ${uri}`,
    noResources: (server: string) => `No server “${server}” can be asked for resources now.`,
    noResourcesRemedy: 'Use the name of a connected server and an address that it lists.',
    notReturned: (server: string) => `The server ${server} didn’t return it.`,
    resourceUnread: (label: string, why: string) => `${label} was not sent: ${why}`,
    imageName: (server: string, number: number) => `Image ${number} of ${server}`,
    imageUnkept: 'Images of servers are only stored in chats.',
    promptMissing: (server: string, prompt: string) =>
      `The server ${server} doesn’t provide the prompt “${prompt}” now.`,
    promptMissingRemedy: 'In settings, connect the server, then select Review tools to see its prompts.',
    callTitle: (server: string, tool: string) => `Ask ${server}: ${tool}`,
    argumentsShape: 'one JSON object is expected, without a key named __proto__',
    nameRefused: (name: string) => `“${name}” can’t be the name of a server.`,
    nameRefusedRemedy: 'Use 1 to 24 letters, digits, hyphens, or underscores.',
    nameTaken: (name: string) => `Another server already has the name “${name}”.`,
    nameTakenRemedy: 'Rename one of them.',
    notStored: (detail: string) => `Couldn’t save what you allowed on this device: ${detail}`,
    notStoredRemedy: 'Free up space, then try again.',
    offersOther: (name: string) => `The MCP server ${name} has changed what it provides.`,
    offersOtherRemedy: 'Review its tools again.',
    changed: (name: string) =>
      `Not sent: this tool of the server ${name} has changed since the user approved it on this device.`,
    changedRemedy: 'Do not retry. Continue without it, and ask the user to review the server in settings.',
    unavailable: (name: string) => `Not sent: the server ${name} is not available.`,
    unavailableRemedy: 'Do not retry. Continue without it. The user finds the reason in settings.',
    noAccess: (name: string) => `Not run: the user’s access to the server ${name} is missing or no longer accepted.`,
    lineEnded: (name: string) =>
      `The connection to the server ${name} was closed during the call, so its response was lost.`,
    lineEndedRemedy: 'Do not retry: the call may have run.',
    notAllowed: 'Not sent: the user did not allow this call.',
    notAllowedRemedy: 'Do not retry it in any form. Continue without it and say what is missing.',
    approvalUnavailable: 'Not sent: this call needs the user’s approval, and no user is present.',
    nobodyToAskRemedy: 'Do not retry. Continue without it and say what is missing.',
    stateChanged: (name: string, state: string) => `server ${name}: ${state}`,
  };
}

function betweenWords(least: number, most: number): string {
  if (most === Infinity) return `${least} or more`;
  return least === -Infinity ? `${most} or less` : `${least} to ${most}`;
}

/** By the formats that are checked. */
const formatHints: Readonly<Record<string, string>> = {
  email: 'Enter an email address, such as name@example.com.',
  uri: 'Enter a full address, such as https://example.com.',
  date: 'Enter a date, such as 2026-11-28.',
  'date-time': 'Enter a date and time, such as 2026-11-28T14:30:00Z.',
};

const some = (number: number, one: string): string => (number === 1 ? `1 ${one}` : `${grouped(number)} ${one}s`);
const tools = (number: number): string => some(number, 'tool');

/** Words of the server settings, of the view of a catalog, and of approval requests. */
export function serverSettings() {
  return {
    intro: 'Add MCP servers',
    introDesc:
      'MCP servers give chats tools from outside your vault, such as a calendar or an issue tracker. When a chat uses such a tool, text leaves your vault. So Docent first shows you what would be sent and asks you, unless you allowed that tool in the chat. Each device connects only to servers you allowed there. Syncing your vault doesn’t copy this permission.',
    add: 'Add server',

    states: {
      off: 'Off.',
      unknown: 'Not allowed on this device yet.',
      idle: 'Allowed on this device. Connects when you open a chat.',
      connecting: 'Connecting…',
      unseen: (toolCount: number, promptCount: number, resourceCount: number) => {
        const counts = Object.entries({ tool: toolCount, prompt: promptCount, resource: resourceCount });
        const offered = counts.flatMap(([one, count]) => (count > 0 ? some(count, one) : []));
        return `Provides ${offered.join(', ') || tools(0)} that you haven’t reviewed. Chats don’t use them yet.`;
      },
      changed: (number: number) =>
        `Changed since you allowed it (now ${tools(number)}). Unchanged tools work; review the others to use them.`,
      ready: (toolCount: number, promptCount: number, resourceCount: number) => {
        const resources = resourceCount > 0 ? `, ${some(resourceCount, 'resource')}` : '';
        return `Ready: ${tools(toolCount)}, ${some(promptCount, 'prompt')}${resources}.`;
      },
      leftOut: (names: readonly string[]) => `Left out, because another tool has the same name: ${names.join(', ')}.`,
    },
    connect: 'Connect',
    look: 'Review tools',
    tryAgain: 'Try again',
    forget: (name: string) => `Stop allowing ${name} on this device`,
    edit: (name: string) => `Edit ${name}`,
    remove: (name: string) => `Remove ${name}`,
    use: (name: string) => `Use ${name} in chats`,
    removeTitle: 'Remove this server?',
    removeText: (name: string) => `${name} is removed from settings on all synced devices.`,
    removeAction: 'Remove',

    form: {
      addTitle: 'Add a server',
      editTitle: (name: string) => `Edit ${name}`,
      name: 'Name',
      nameDesc: 'Tool names begin with it. Use letters, digits, “-”, and “_”.',
      nameBad: 'Enter 1 to 24 letters, digits, “-”, or “_”.',
      nameTaken: 'Another server has this name.',
      url: 'Address',
      urlDesc: 'The web address of the server, from its documentation. Nothing is sent there until you select Connect.',
      urlExample: 'https://example.com/mcp',
      urlBad: 'Enter a full address that begins with https://.',
      urlPlain: 'Only a server on this device can use http. Enter an address with https://.',
      urlPrivate: (host: string) =>
        `${host} is in a private network. Docent connects only to servers on the internet and on this device.`,
      urlCredentials: 'Remove the user name and password from the address, and enter an API key below instead.',
      key: 'API key',
      keyDesc:
        'Choose a key from Obsidian’s Keychain, if the server requires one. It is sent only to this address and stays on this device.',
      noKey: 'No API key',
      save: 'Save',
      cancel: 'Cancel',
    },

    offer: {
      title: (name: string) => `Tools of ${name}`,
      lead: 'The server wrote these descriptions, and the model reads those you allow. Tools are actions, prompts are texts to send, and resources are files and pages to attach. Check that each tool only does what its name says.',
      firstLook: 'Nothing is allowed on this device yet.',
      marked: 'Changes since you allowed it are marked.',
      allowed: 'You allowed this on this device.',
      summary: (toolCount: number, promptCount: number, resourceCount: number) =>
        `${tools(toolCount)}, ${some(promptCount, 'prompt')}, ${some(resourceCount, 'resource')}:`,
      nothing: 'This server provides nothing.',
      parts: {
        tool: 'Tools',
        prompt: 'Prompts',
        resource: 'Resources',
        template: 'Resources with an address to fill in',
        instructions: 'Instructions',
      },
      whole: 'Sent to the model',
      fields: {
        title: 'Shown name',
        description: 'Description',
        says: 'What the server says about it',
        schema: 'What the model fills in',
        takes: 'What you fill in',
        text: 'Text',
        uri: 'Address',
      },
      hints: {
        readOnlyHint: (is: boolean) => (is ? 'It only reads.' : 'It changes something.'),
        destructiveHint: (is: boolean) => (is ? 'It may delete or overwrite.' : 'It only adds.'),
        idempotentHint: (is: boolean) =>
          is ? 'Running it again changes nothing more.' : 'Running it again may change more.',
        openWorldHint: (is: boolean) => (is ? 'It may contact other services.' : 'It uses only its own server.'),
      },
      argument: (name: string, description: string, isRequired: boolean) =>
        `${name}${isRequired ? '' : ' (optional)'}${description === '' ? '' : `: ${description}`}`,
      empty: 'none',
      changes: { added: 'New', removed: 'Removed', changed: 'Changed' },
      leftOut: 'Left out: another tool has this name',
      lookAlike: 'Its name has unusual characters and may imitate another tool’s name',
      more: (count: number) => `${grouped(count)} more were left out.`,
      movedOn: 'The server has changed since you opened this. Review it again before you allow anything.',
      showNow: 'Show current tools',
      notInSettings: 'This server was removed from settings.',
      allow: 'Allow on this device',
      notNow: 'Not now',
      close: 'Close',
    },

    question: {
      title: (server: string) => `Send to ${server}?`,
      place: (at: number, all: number) => `${at} of ${all}`,
      host: (host: string) => `Goes to ${host}`,
      sends: 'Sends',
      carries: 'Contains text from your notes',
      tainted: (source: string) =>
        `This chat has read untrusted text from ${source}. You didn’t write it, and it may have caused this call.`,
      send: 'Send',
      refuse: 'Don’t send',
      forChat: 'Send, and allow this tool in this chat',
      titled: (title: string) => `(called “${title}” by the server)`,
      lookAlike:
        'The name of this tool has unusual characters and may imitate another tool’s name. Compare it with the list in settings.',
      warns: 'The server says that this tool may change or delete something.',
      asksYou: (server: string) => `${server} asks you`,
      answerHost: (host: string) => `Your answer goes to ${host}`,
      formHint: 'The server wrote this question. Never enter a password or a key here.',
      pageHint:
        'The server wants you to open this page in your browser. What you enter there does not pass through Docent.',
      pageHost: (host: string) => `Opens ${host}`,
      openPage: 'Open page',
      answer: 'Answer',
      noAnswer: 'Don’t answer',
      saidAsks: (server: string, message: string, place: string) => `${server} asks you: ${message} ${place}`,
      said: (server: string, title: string, place: string) => `Send to ${server}? ${title}. ${place}`,
    },

    prompt: {
      title: (name: string) => `The prompt ${name}`,
      lead: (server: string) => `What you enter here is sent to ${server}, which writes the prompt with it.`,
      insert: 'Insert',
    },

    fields: {
      optional: '(optional)',
      choose: 'Choose…',
      missing: 'Enter a value.',
      number: 'Enter a number.',
      whole: 'Enter a whole number.',
      range: (least: number, most: number) => `Enter a number ${betweenWords(least, most)}.`,
      length: (least: number, most: number) => `Enter a text of ${betweenWords(least, most)} characters.`,
      choices: (least: number, most: number) => `Choose ${betweenWords(least, most)}.`,
      format: (format: string) => formatHints[format] ?? `Enter a value in the format “${format}”.`,
    },

    notice: {
      changed: (name: string) => `${name} has changed since you allowed it`,
      failed: (name: string) => `${name} isn’t available`,
      several: (number: number) => `${some(number, 'MCP server')} need your review`,
    },
  };
}

const seconds = (count: number): string => (count === 1 ? '1 second' : `${count} seconds`);

/** Words about connections to servers: why none was made, what failed, and what was left out. */
export function remote() {
  return {
    label: (server: string) => `The server ${server}`,
    addressInvalid: (server: string) => `The address of the server ${server} is not a web address.`,
    addressOpen: (server: string) => `The address of the server ${server} is not encrypted: it starts with http://.`,
    addressLogin: (server: string) => `The address of the server ${server} contains a user name or a password.`,
    addressPrivate: (server: string, host: string) =>
      `The server ${server} is at ${host}, which is an address inside a private network.`,
    addressRemedy:
      'Enter an address that starts with https://, or with http:// for a server on this device (127.0.0.1 or localhost).',
    addressLoginRemedy: 'Enter the address without them, and choose an API key for the server instead.',

    keyMissing: (server: string, origin: string) => `No API key is stored for the server ${server} at ${origin}.`,
    keyMissingRemedy: 'Add the API key in settings. It is sent only to the address it was stored for.',
    keyUnusable: (server: string) =>
      `The API key stored for the server ${server} contains characters that it can’t have.`,
    keyUnusableRemedy: 'Copy the API key again, without spaces or quotation marks.',
    keyRefused: (server: string) => `The server ${server} didn’t accept the API key.`,
    keyRefusedRemedy: 'Check in settings that the API key is complete and still valid.',
    keyWanted: (server: string) => `The server ${server} requires an API key.`,
    keyWantedRemedy: 'Add its API key in settings.',
    keyOrSignInRemedy: 'Sign in to it, or add its API key in settings.',
    signInWanted: (server: string) => `The server ${server} asks you to sign in.`,
    signInRemedy: 'Sign in to it in settings.',
    signInExpired: (server: string) => `Your sign-in to the server ${server} has expired.`,
    signInAgainRemedy: 'Sign in again in settings.',
    morePermission: (server: string) => `The server ${server} needs more permission from you for this call.`,
    noAccess: (server: string) => `The server ${server} refused access to the account that you signed in with.`,
    noAccessRemedy: 'Sign in with another account, or check its permissions at the service.',
    notRenewed: (server: string) => `Couldn’t renew the sign-in to the server ${server}.`,
    notRenewedRemedy: 'Try again in a moment. If it fails again, a new sign-in is needed in settings.',

    unreachable: (server: string, host: string) => `Couldn’t connect to the server ${server} at ${host}.`,
    unreachableRemedy: 'Check the internet connection, the address in settings, and that the server is running.',
    certificate: (server: string, host: string) =>
      `The certificate of the server ${server} at ${host} isn’t trusted, so Docent didn’t connect.`,
    redirected: (server: string) =>
      `The server ${server} redirected the request to another address, so Docent stopped.`,
    redirectedRemedy:
      'Compare the address in settings with the one in the server’s documentation. Or open it in a browser and see whether it changes. Nothing was sent to the other address.',
    silent: (server: string, wait: number) => `The server ${server} did not respond within ${seconds(wait)}.`,
    silentRemedy: 'Try again later, or check the server.',
    cut: (server: string) => `The connection to the server ${server} ended before its response was complete.`,
    cutRemedy: 'Try again in a moment.',
    tooLarge: (server: string, megabytes: number) =>
      `The response of the server ${server} was larger than ${megabytes} MB and was dropped.`,
    tooLargeRemedy: 'Request less at once.',
    offerTooLarge: (server: string, kilobytes: number) =>
      `The server ${server} describes its tools, prompts and resources in more than ${kilobytes} KB.`,
    offerTooLargeRemedy: 'Turn off some of its tools in the server’s own settings.',
    webPage: (server: string) => `The server ${server} returned a web page.`,
    webPageRemedy: 'If the network requires a login, log in. Otherwise, check the address of the server.',
    broken: (server: string) => `The server ${server} returned an invalid response.`,
    brokenRemedy: 'Compare the address in settings with the one in the server’s documentation.',
    misdirected: (server: string) => `The server ${server} returned a response that belongs to another request.`,
    unanswered: (server: string) => `The server ${server} accepted the request but returned no response.`,
    reported: (server: string, code: number) => `The server ${server} returned an error (code ${code}).`,
    reportedRemedy: 'Check the log of the server, or try again later.',
    missing: (server: string) => `No MCP server was found at the address of ${server}.`,
    missingRemedy: 'Check the address in settings; it often ends in /mcp.',
    expired: (server: string) => `The server ${server} ended the session.`,
    rateLimited: (server: string) => `The server ${server} reports that its request limit is reached.`,
    rateLimitRemedy: 'Wait a little, then try again.',
    overloaded: (server: string, status: number) => `The server ${server} is overloaded or failing (status ${status}).`,
    refused: (server: string, status: number) => `The server ${server} rejected the request (status ${status}).`,
    asksOther: (server: string) =>
      `The server ${server} asked for something that Docent doesn’t give to servers, such as an answer of the model.`,
    asksOtherRemedy: 'Continue without it. It may need another app.',
    asksOn: (server: string) => `The server ${server} asked again after every answer, so Docent stopped.`,
    closed: (server: string) => `The connection to the server ${server} was closed.`,
    closedRemedy: 'Connect it again in settings.',
    stopped: 'Stopped.',
    stoppedRemedy: 'Send the message again to continue.',
    mayHaveRunRemedy: 'The call may have run. Check that before you repeat it.',

    toolLeftOut: (server: string, tool: string) =>
      `Left out the tool “${tool}” of the server ${server}, because Docent can’t use its description.`,
    promptLeftOut: (server: string, prompt: string) =>
      `Left out the prompt “${prompt}” of the server ${server}, because Docent can’t use its description.`,
    resourceLeftOut: (server: string, name: string) =>
      `Left out the resource “${name}” of the server ${server}, because Docent can’t use its name or its address.`,
    sameName: (server: string, name: string) =>
      `The server ${server} provides “${name}” twice, so the second one was left out.`,
    tooMany: (server: string, most: number, what: string) =>
      `The server ${server} provides more than ${most} ${what}, so the others were left out. In the server’s own settings, turn off what you don’t need.`,
    tools: 'tools',
    prompts: 'prompts',
    resources: 'resources',
    templates: 'resources with an address to fill in',

    partLeftOut: (kind: string, type: string, kilobytes: number) =>
      `[${[kind, type, `${kilobytes} KB`].filter((word) => word !== '').join(', ')}: left out]`,
    imageNamed: (number: number, type: string, kilobytes: number) => `[image ${number}: ${type}, ${kilobytes} KB]`,
    moreImages: (count: number) =>
      count === 1 ? '[1 more image: left out]' : `[${grouped(count)} more images: left out]`,
    questionLeftOut:
      '[The server asked the user something that Docent can’t show as a form. It was told that nobody decided.]',
    userSays: 'User:',
    assistantSays: 'Assistant:',
    unknownPart: (kind: string) => `[${kind}: left out]`,
    link: (name: string, uri: string) => `[link to ${name}: ${uri}]`,
  };
}

/** Words about signing in to a server: the dialog, and why a sign-in stops. */
export function signIn() {
  return {
    signIn: 'Sign in',
    signInAgain: 'Sign in again',
    signOut: (name: string) => `Sign out of ${name}`,
    states: {
      in: 'Signed in.',
      expired: 'Your sign-in has expired.',
      more: 'It needs more permission for a call. Sign in again to give it.',
    },
    notice: (name: string) => `Sign in to ${name}`,

    title: (name: string) => `Sign in to ${name}`,
    looking: 'Finding out where to sign in…',
    lead: 'You sign in in your browser. Docent never sees your password.',
    page: 'Sign-in page',
    asksFor: 'The server asks permission for:',
    open: 'Open the sign-in page',
    leadsBack:
      'When you are done, your browser opens Obsidian again. If it doesn’t, paste the address of the last page here.',
    isPasted:
      'When you are done, your browser shows a page that it can’t open. That is expected: copy its address, and paste it here.',
    paste: 'Paste the address',
    pasteExample: (start: string) => `${start}?code=…`,
    pasteBad: (start: string) => `Paste the whole address. It begins with ${start} and contains “code” and “state”.`,
    done: 'Done',
    signingIn: 'Signing in…',
    startOver: 'Start over',
    cancel: 'Cancel',
    tryAgain: 'Try again',
    signedIn: (name: string) => `Signed in to ${name}.`,
    signedOut: (name: string) => `Signed out of ${name}.`,

    client: 'Client ID',
    clientDesc: 'The ID that the service gave you when you registered an app there.',
    clientSecret: 'Client secret',
    clientSecretDesc: 'Leave empty if the service gave you none. It stays in Keychain on this device.',
    redirect: 'Redirect address',
    redirectDesc: 'Where your browser goes after you sign in. Choose the one that you entered at the service.',
    next: 'Continue',

    none: (server: string) => `The server ${server} offers no sign-in.`,
    noneRemedy: 'If it needs an API key, add it in settings.',
    makersRemedy: 'Nothing was sent there. Ask the makers of the server.',
    againRemedy: 'Sign in again.',
    elsewhere: (server: string) =>
      `The server ${server} gives its sign-in details at an address that isn’t its own, so Docent stopped.`,
    wrongResource: (server: string) =>
      `The sign-in details of the server ${server} are those of another server, so Docent stopped.`,
    noIssuerNamed: (server: string) => `The server ${server} doesn’t say where to sign in.`,
    noIssuer: (issuer: string) => `No sign-in was found at ${issuer}.`,
    wrongIssuer: (origin: string) =>
      `The sign-in details at ${origin} are those of another address, so Docent stopped.`,
    noCode: (host: string) => `The sign-in at ${host} can’t be used by an app.`,
    noPkce: (host: string) =>
      `The sign-in at ${host} lacks the protection against stolen sign-ins that Docent requires (PKCE), so Docent stopped.`,
    redirected: (host: string) => `${host} redirected a request of the sign-in to another address, so Docent stopped.`,
    notRegistered: (host: string) => `${host} didn’t accept Docent as an app.`,
    noClient: (host: string) => `${host} doesn’t let apps register themselves, so you need to register one for Docent.`,
    noClientRemedy:
      'On the website of the service, look in your account or its developer pages for a place to register an app (also called OAuth client). Enter one of the redirect addresses below there (also called redirect URI). Then enter here the client ID that you get. It stays on this device.',
    clientUnusable: 'This client ID or client secret can’t be used.',
    clientUnusableRemedy: 'Copy both again.',
    notHere: 'This sign-in didn’t begin here, or it is over, so Docent ignored it.',
    notHereRemedy: 'Sign in again, in the vault and on the device where you use the server.',
    late: (server: string) => `The sign-in to ${server} took too long.`,
    mixedUp: (server: string, host: string) =>
      `The sign-in to ${server} was answered by another address than ${host}, so Docent ignored it.`,
    denied: (server: string, host: string) => `The sign-in to ${server} was canceled at ${host}.`,
    refused: (server: string, host: string, code: string) =>
      code === ''
        ? `${host} didn’t complete the sign-in to ${server}.`
        : `${host} refused the sign-in to ${server} (${code}).`,
    notStored: (detail: string) => `The sign-in couldn’t be stored in Keychain. (${detail})`,
    notStoredRemedy: 'Sign in again.',
  };
}
