/** Words of the settings of servers, of the look at what one offers, and of the question before a call. */

const some = (number: number, one: string): string =>
  number === 1 ? `1 ${one}` : `${number.toLocaleString('en')} ${one}s`;
const tools = (number: number): string => some(number, 'tool');

export const serverPane = () => ({
  intro: 'Tools from outside the vault',
  introDesc:
    'A server of the Model Context Protocol gives chats further tools, such as those of a calendar or an issue tracker. What is sent to a server leaves the vault, so you are asked before each call and see what it would send. Each device asks only the servers that you allowed on it: a synced vault does not bring that leave along.',
  add: 'Add server',

  states: {
    off: 'Off.',
    unknown: 'Not allowed on this device yet.',
    idle: 'Allowed on this device. It is asked when a chat is opened.',
    connecting: 'Connecting…',
    unseen: (number: number) => `Offers ${tools(number)} that you have not looked at. Chats do not use them yet.`,
    changed: (number: number) =>
      `What it offers has changed since you allowed it (now ${tools(number)}). Chats do not use it until you have looked.`,
    ready: (toolCount: number, promptCount: number) => `Ready: ${tools(toolCount)}, ${some(promptCount, 'prompt')}.`,
    leftOut: (names: readonly string[]) => `Left out, since another tool has the name: ${names.join(', ')}.`,
  },
  connect: 'Connect',
  look: 'Look at what it offers',
  tryAgain: 'Try again',
  forget: (name: string) => `Forget ${name} on this device`,
  edit: (name: string) => `Edit ${name}`,
  remove: (name: string) => `Remove ${name}`,
  use: (name: string) => `Use ${name} in chats`,
  removeTitle: 'Remove this server?',
  removeText: (name: string) => `${name} is taken out of the settings, on your other devices too.`,
  removeAction: 'Remove',

  form: {
    addTitle: 'Add a server',
    editTitle: (name: string) => `Edit ${name}`,
    name: 'Name',
    nameDesc: 'Stands before the names of its tools. Letters, digits, “-” and “_”.',
    nameBad: 'Enter 1 to 24 letters, digits, “-” or “_”.',
    nameTaken: 'Another server has this name.',
    url: 'Address',
    urlDesc: 'As its makers give it. Nothing is sent there until you press “Connect”.',
    urlExample: 'https://example.com/mcp',
    urlBad: 'Enter a whole address that begins with https://.',
    urlPlain: 'Only a server on this device itself can be asked without encryption. Enter an address with https://.',
    urlCredentials:
      'Leave name and password out of the address. What the server needs to know you is chosen as the key.',
    key: 'Key',
    keyDesc:
      'The name of the secret that holds the key, if the server asks for one. The key is sent to this address only, and stays on this device.',
    noKey: 'Use no key',
    save: 'Save',
    cancel: 'Cancel',
  },

  offer: {
    title: (name: string) => `What ${name} offers`,
    lead: 'The server wrote all of this, and the model gets to read what you allow. Look for what does not belong to the task that a tool is named after.',
    firstLook: 'Nothing of it is allowed on this device yet.',
    marked: 'What differs from what you allowed is marked.',
    allowed: 'This is what you allowed on this device.',
    summary: (toolCount: number, promptCount: number, resourceCount: number) =>
      `${tools(toolCount)}, ${some(promptCount, 'prompt')}, ${some(resourceCount, 'resource')}:`,
    nothing: 'It offers nothing.',
    parts: { tool: 'Tools', prompt: 'Prompts', resource: 'Resources' },
    fields: { description: 'Description', schema: 'What it takes', text: 'Text', uri: 'Address' },
    empty: 'none',
    changes: { added: 'New', removed: 'Gone', changed: 'Changed' },
    leftOut: 'Left out: another tool has this name',
    movedOn: 'The server no longer offers what you see here. Look at what it offers now before you allow anything.',
    showNow: 'Show what it offers now',
    gone: 'This server is no longer in the settings.',
    allow: 'Allow on this device',
    notNow: 'Not now',
    close: 'Close',
  },

  question: {
    title: (server: string) => `Ask ${server}?`,
    place: (at: number, all: number) => `${at} of ${all}`,
    host: (host: string) => `Goes to ${host}`,
    sends: 'What would be sent',
    carries: 'Carries text of your notes',
    tainted: (source: string) =>
      `This chat has text from ${source} in view, which others wrote. It may be what asks for this.`,
    send: 'Send',
    refuse: 'Do not send',
    said: (server: string, title: string, place: string) => `Ask ${server}? ${title}. ${place}`,
  },

  notice: {
    changed: (name: string) => `${name} offers something else than you allowed`,
    failed: (name: string) => `${name} cannot be used`,
    several: (number: number) => `${some(number, 'server')} need a look`,
  },
});
