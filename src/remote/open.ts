/** Opens connections to MCP servers, over HTTP only, at addresses that pass the checks below. */
import { readWebAddress } from '../core/gate/address';
import { type Failure, fail, type Outcome, succeed } from '../core/ports/failure';
import type { ConnectMcp, McpServerChoice } from '../core/ports/network';
import { words } from '../text';
import { HttpMcpConnection } from './mcp-connection';
import { type McpPorts, redactorOf } from './mcp-ports';
import { createSender } from './send-request';
import type { SignInTokens } from './sign-in-tokens';

interface OpenMcpPorts extends McpPorts {
  /** What the user signed in to; absent where nobody can. */
  readonly signIns?: Pick<SignInTokens, 'redactor' | 'senderFor' | 'stateOf'>;
}

/** Returns a function that connects to a server; nothing is sent before the gate admitted address and key. */
export function openMcp(ports: OpenMcpPorts): ConnectMcp {
  return async (choice, signal) => {
    const address = readAddress(choice.name, choice.url);
    if (!address.ok) return address;
    const url = address.value;
    const found = readKey(ports, choice, url);
    if (!found.ok) return found;
    const key = found.value;
    const sender = createSender(ports, url);
    // A server with a key is never signed in to, so that a token replaces no key that the user chose.
    const signIns = key === null ? ports.signIns : undefined;
    const connection = new HttpMcpConnection({
      server: {
        name: choice.name,
        host: url.host,
        origin: url.origin,
        address: `${url.origin}${url.pathname}`,
        hasKey: key !== null || signIns?.stateOf(choice) === 'in',
      },
      way: signIns?.senderFor(choice, sender) ?? sender,
      key,
      redactKey: signIns?.redactor(choice) ?? redactorOf(key),
      timing: ports.timing,
      version: ports.version,
      note: ports.note ?? (() => undefined),
      memory: ports.memory,
    });
    return connection.open(signal);
  };
}

/** The characters that a header can carry. */
const keyShape = /^[\x21-\x7e]+$/;

function readKey(ports: McpPorts, { name, keyName }: McpServerChoice, url: URL): Outcome<string | null> {
  const key = ports.admit(keyName, url.href)?.trim() ?? '';
  if (keyName === '') return succeed(null);
  const text = words.remote;
  const refuse = (said: string, remedy: string): Outcome<null> =>
    fail({ kind: 'authentication', words: said, remedy, action: 'open-settings' });
  if (key === '') return refuse(text.keyMissing(name, url.origin), text.keyMissingRemedy);
  if (!keyShape.test(key)) return refuse(text.keyUnusable(name), text.keyUnusableRemedy);
  return succeed(key);
}

/** Returns the address without its fragment, or why nothing may be sent there: public hosts, and this device itself. */
export function readAddress(server: string, address: string): Outcome<URL> {
  const text = words.remote;
  const read = readWebAddress(address);
  if (read === 'invalid') return refuse(text.addressInvalid(server));
  if (read === 'login') return refuse(text.addressLogin(server), text.addressLoginRemedy);
  if (read === 'plain') return refuse(text.addressOpen(server));
  return read.reach === 'network' ? refuse(text.addressPrivate(server, read.url.host)) : succeed(read.url);
}

function refuse(said: string, remedy: string = words.remote.addressRemedy): Outcome<URL> {
  const failure: Failure = { kind: 'configuration', words: said, remedy, action: 'open-settings' };
  return fail(failure);
}
