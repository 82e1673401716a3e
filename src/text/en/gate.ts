/** Words of the questions before something is sent to an address for the first time, and of what a device allows. */

const unsent = 'Nothing was sent.';
const carried = 'Your messages and the notes that belong to them would go there.';

export const gate = () => ({
  plain: (name: string, host: string) =>
    `The address set for ${name} starts with http://, and ${host} isn’t this device. Anyone on the way could read your notes.`,
  plainRemedy:
    'Enter an address that starts with https://. For a server in your network, set up https on it, or forward its port to this device and enter http://localhost with that port.',
  login: (name: string) => `The address set for ${name} contains a user name or a password.`,
  loginRemedy: 'Enter the address without them, and store a key in the settings instead.',

  asksAddress: (name: string, origin: string, isNear: boolean) =>
    `${unsent} The settings name ${origin} as the address of ${name}, and this device hasn’t used it before. ${isNear ? 'It is a computer in a private network. ' : ''}${carried}`,
  asksKey: (name: string, origin: string, keyName: string) =>
    `${unsent} The settings name the secret “${keyName}” as the key of ${name}, and this device hasn’t used it for that. It would be sent to ${origin} with each request.`,
  asksBoth: (name: string, origin: string, isNear: boolean, keyName: string) =>
    `${unsent} The settings name ${origin} as the address of ${name}, and this device hasn’t used it before. ${isNear ? 'It is a computer in a private network. ' : ''}${carried} The secret “${keyName}” would be sent along as the key.`,
  asksRemedy: 'If you set this up yourself, allow it on this device. If you don’t know it, correct it in the settings.',

  asksBuffered: (name: string, origin: string, hasKey: boolean) =>
    `${unsent} ${name} at ${origin} doesn’t let apps read its answers directly. Obsidian can send the request for Docent, but if the server redirects it, ${hasKey ? 'what is sent and the key' : 'what is sent'} would go to the other address unnoticed.`,
  asksBufferedRemedy: 'If you trust this server, allow that on this device. You are asked only once.',
  asksSignIn: (name: string, origin: string) =>
    `${unsent} The server ${name} sends you to ${origin} to sign in, and this device hasn’t used that address for it before.`,
  asksSignInRemedy: 'If you expect this address, allow it on this device. You are asked only once.',
  signInRefused: (name: string, address: string) =>
    `The server ${name} names an address for signing in that Docent doesn’t connect to: ${address}`,
  signInRefusedRemedy:
    'Nothing was sent there. Ask the makers of the server: the address must start with https:// and lead to the internet.',
  allow: 'Allow on this device',

  row: 'Allowed on this device',
  rowDesc:
    'Where this device sends requests, and which key. Nothing goes to an address that came by a sync before you allow it.',
  noAddress: 'No address is set, so nothing is sent.',
  refusedAddress: 'Nothing is sent to this address.',
  goesTo: (origin: string) => `Requests go to ${origin}.`,
  asksFirst: (origin: string) => `Nothing goes to ${origin} before you allow it on this device.`,
  keyBound: (keyName: string, origin: string) => `The key “${keyName}” is sent to ${origin} only.`,
  keyUnbound: (keyName: string, origin: string) =>
    `The key “${keyName}” isn’t sent to ${origin} before you allow it on this device.`,
  keyElsewhere: (keyName: string, other: string) =>
    `The key “${keyName}” isn’t sent: it was chosen for ${other}. Choose it again to use it here.`,
  noKey: 'No key is sent.',
  buffered: 'Obsidian may send requests for Docent, and follows redirects.',
  revoke: 'Revoke',
  revokeLabel: (name: string) => `Revoke what ${name} is allowed on this device`,
});
