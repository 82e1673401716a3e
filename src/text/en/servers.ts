/** Words about the servers that chats may use: what goes wrong with one, and what a call of one is refused for. */

export const servers = () => ({
  taintOf: (server: string) => `an answer of the server ${server}`,
  taintOfPrompt: (server: string) => `a prompt of the server ${server}`,
  callTitle: (server: string, tool: string) => `Ask ${server}: ${tool}`,
  argumentsShape: 'one JSON object is expected, without a key named __proto__',
  nameRefused: (name: string) => `“${name}” cannot be the name of a server.`,
  nameRefusedRemedy: 'Give it 1 to 24 letters, digits, hyphens or underscores.',
  nameTaken: (name: string) => `Another server is called “${name}” already.`,
  nameTakenRemedy: 'Give one of the two another name.',
  notKept: (detail: string) => `What you allowed could not be kept on this device. (${detail})`,
  notKeptRemedy: 'Free some space, then try again.',
  offersOther: (name: string) => `The server ${name} offers something else by now.`,
  offersOtherRemedy: 'Look at what it offers again.',
  changed: (name: string) =>
    `The server ${name} no longer offers what was approved on this device, so nothing was sent.`,
  changedRemedy: 'Do not repeat the call. The user can look at what the server offers now in the settings.',
  unavailable: (name: string) => `The server ${name} cannot be used now, so nothing was sent.`,
  unavailableRemedy: 'Do not repeat the call. The user finds the reason in the settings.',
  lineEnded: (name: string) =>
    `The line to the server ${name} was ended while it was asked, and its answer was dropped.`,
  lineEndedRemedy: 'Do not repeat the call. It may have been carried out.',
  notAllowed: 'The user did not allow this call, so nothing was sent.',
  notAllowedRemedy: 'Do not repeat it, in this form or another: go on without it and say what is missing.',
  nobodyToAsk:
    'A call that leaves the vault needs the user’s word each time, and nobody can be asked here: nothing was sent.',
  nobodyToAskRemedy: 'Do not repeat it: go on without it and say what is missing.',
  stateChanged: (name: string, state: string) => `server ${name}: ${state}`,
});
