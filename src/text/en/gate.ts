/** Words of the questions before something is sent to an address for the first time, and of what a device allows. */

const unsent = 'Nothing was sent.';
const carried = 'Your messages and attached notes would go there.';

export function gate() {
  return {
    plain: (name: string, host: string) =>
      `The address set for ${name} starts with http://, and ${host} isn’t this device. Others on the network could read your notes.`,
    plainRemedy:
      'Enter an address that starts with https://. A server in your network has to be set up for https first, as its documentation describes. Or use a program such as SSH to make its port available on this device, and enter http://localhost with that port.',
    login: (name: string) => `The address set for ${name} contains a user name or a password.`,
    loginRemedy: 'Enter the address without them, and enter an API key in settings instead.',

    asksAddress: (name: string, origin: string, isNear: boolean) =>
      `${unsent} In settings, the address of ${name} is ${origin}, which this device hasn’t used before. ${isNear ? 'It is in a private network. ' : ''}${carried}`,
    asksKey: (name: string, origin: string, keyName: string) =>
      `${unsent} In settings, “${keyName}” is the API key for ${name}, but you haven’t chosen it on this device. It would be sent to ${origin} with each request.`,
    asksBoth: (name: string, origin: string, isNear: boolean, keyName: string) =>
      `${unsent} In settings, the address of ${name} is ${origin}, which this device hasn’t used before. ${isNear ? 'It is in a private network. ' : ''}${carried} “${keyName}” would be sent as the API key.`,
    asksRemedy:
      'If you set this up yourself, allow it on this device. If you don’t recognize it, correct it in settings.',

    asksBuffered: (name: string, origin: string, hasKey: boolean) =>
      `${unsent} ${name} at ${origin} doesn’t accept direct requests from apps (CORS). Obsidian can send them for Docent, but if the server redirects a request, ${hasKey ? 'your messages and API key' : 'your messages'} would go to the other address without notice.`,
    asksBufferedRemedy: 'If you trust this server, allow this on this device. You are asked only once.',
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
      'Where this device sends requests, and with which API key. If an address arrives by sync, nothing is sent there until you allow it.',
    noAddress: 'Nothing is sent, because no address is set.',
    refusedAddress:
      'Nothing is sent, because this address can’t be used. Enter one that begins with https://, or with http:// for a server on this device.',
    goesTo: (origin: string) => `Requests go to ${origin}.`,
    asksFirst: (origin: string) => `Nothing is sent to ${origin} until you allow it on this device.`,
    keyBound: (keyName: string, origin: string) => `The API key “${keyName}” is sent only to ${origin}.`,
    keyUnbound: (keyName: string, origin: string) =>
      `The API key “${keyName}” isn’t sent to ${origin} until you allow it on this device.`,
    keyElsewhere: (keyName: string, other: string) =>
      `The API key “${keyName}” isn’t sent, because you chose it for ${other}. Choose it again to use it here.`,
    noKey: 'No API key is sent.',
    buffered:
      'Obsidian sends the requests for Docent. If the server redirects one, your messages and any API key go to the other address without notice.',
    revoke: 'Stop allowing',
    revokeLabel: (name: string) => `Stop allowing ${name} on this device`,
  };
}
