/** Words about the lines to servers: why one was not asked, what went wrong while it was, and what was left out. */

const seconds = (count: number): string => (count === 1 ? '1 second' : `${count} seconds`);

export const remote = () => ({
  addressInvalid: (server: string) => `The address of the server ${server} is not a web address.`,
  addressOpen: (server: string) => `The address of the server ${server} is not encrypted: it starts with http://.`,
  addressLogin: (server: string) => `The address of the server ${server} holds a user name or a password.`,
  addressPrivate: (server: string, host: string) =>
    `The server ${server} is at ${host}, which is an address inside a private network.`,
  addressRemedy:
    'Enter an address that starts with https://, or with http:// for a server on this device (127.0.0.1 or localhost).',
  addressLoginRemedy: 'Enter the address without them, and store a key for the server instead.',

  keyMissing: (server: string, origin: string) => `No key is stored for the server ${server} at ${origin}.`,
  keyMissingRemedy: 'Add the key in the settings. A key is only sent to the address it was stored for.',
  keyUnusable: (server: string) => `The key stored for the server ${server} holds characters that a key cannot have.`,
  keyUnusableRemedy: 'Copy the key again and store it without spaces or quotation marks.',
  keyRefused: (server: string) => `The server ${server} did not accept the key.`,
  keyRefusedRemedy: 'Check in the settings that the key is complete and still valid.',
  keyWanted: (server: string) => `The server ${server} asks for a key.`,
  keyWantedRemedy: 'Store its key in the settings.',

  unreachable: (server: string, host: string) => `There is no connection to the server ${server} at ${host}.`,
  unreachableRemedy: 'Check that the server is running, its address, and the internet connection.',
  redirected: (server: string) => `The server ${server} sent the request on to another address.`,
  redirectedRemedy: 'Enter the final address in the settings; nothing is sent anywhere else.',
  silent: (server: string, wait: number) => `The server ${server} did not answer within ${seconds(wait)}.`,
  silentRemedy: 'Try again later, or check what the server is doing.',
  cut: (server: string) => `The connection to the server ${server} broke off before its answer was complete.`,
  cutRemedy: 'Try again in a moment.',
  tooLarge: (server: string, kilobytes: number) =>
    `The server ${server} sent more than ${kilobytes} KB; nothing of its answer was taken.`,
  tooLargeRemedy: 'Ask for less at once.',
  offerTooLarge: (server: string, kilobytes: number) =>
    `The server ${server} describes its tools, prompts and resources in more than ${kilobytes} KB.`,
  offerTooLargeRemedy: 'Switch off some of its tools in the settings of the server.',
  webPage: (server: string) => `The server ${server} answered with a web page.`,
  webPageRemedy: 'Log in to the network you are on if it asks for it, and check the address of the server.',
  broken: (server: string) => `The server ${server} sent an answer that could not be understood.`,
  brokenRemedy: 'Check that its address is that of an MCP server over HTTP.',
  misdirected: (server: string) => `The server ${server} sent the answer to another question.`,
  unanswered: (server: string) => `The server ${server} took the request and sent no answer.`,
  reported: (server: string, code: number) => `The server ${server} reported an error (code ${code}).`,
  reportedRemedy: 'Look at the log of the server, or try again later.',
  missing: (server: string) => `There is no MCP server for ${server} at its address.`,
  missingRemedy: 'Check the address in the settings; it often ends in /mcp.',
  expired: (server: string) => `The server ${server} ended the session.`,
  rateLimited: (server: string) => `The server ${server} says that its limit of requests is reached.`,
  rateLimitRemedy: 'Wait a little before it is asked again.',
  overloaded: (server: string, status: number) => `The server ${server} has trouble at the moment (status ${status}).`,
  refused: (server: string, status: number) => `The server ${server} refused the request (status ${status}).`,
  closed: (server: string) => `The connection to the server ${server} was ended.`,
  closedRemedy: 'Connect it again in the settings.',
  stopped: 'Stopped.',
  stoppedRemedy: 'Ask again to continue.',
  mayHaveRunRemedy: 'The call may have been carried out: check that before it is repeated.',

  toolLeftOut: (server: string, tool: string) =>
    `The server ${server} offers the tool “${tool}” in a form that cannot be used; it was left out.`,
  promptLeftOut: (server: string, prompt: string) =>
    `The server ${server} gives no usable text for the prompt “${prompt}”; it was left out.`,
  sameName: (server: string, name: string) => `The server ${server} offers “${name}” twice; the first one was kept.`,
  tooMany: (server: string, most: number, what: string) =>
    `The server ${server} offers more than ${most} ${what}; the others were left out.`,
  tools: 'tools',
  prompts: 'prompts',
  resources: 'resources',

  partLeftOut: (kind: string, type: string, kilobytes: number) =>
    `[${[kind, type, `${kilobytes} KB`].filter((word) => word !== '').join(', ')}: left out]`,
  unknownPart: (kind: string) => `[${kind}: left out]`,
  link: (name: string, uri: string) => `[link to ${name}: ${uri}]`,
});
