/** Opens lines to servers of the Model Context Protocol, over HTTP only. */
import { fail, type Outcome, succeed } from '../core/ports/failure';
import type { ConnectMcp, McpServerChoice } from '../core/ports/network';
import { words } from '../text';
import { McpLine } from './mcp-line';
import type { McpPorts } from './mcp-ports';
import { readAddress } from './read-address';
import { redactorOf } from './redact-key';
import { openWay } from './send-request';

/** Nothing is sent to an address, and no key, before both were found fit. */
export function openMcp(ports: McpPorts): ConnectMcp {
  return async (choice, signal) => {
    const address = readAddress(choice.name, choice.url);
    if (!address.ok) return address;
    const url = address.value;
    const found = readKey(ports, choice, url);
    if (!found.ok) return found;
    const key = found.value;
    const line = new McpLine({
      server: { name: choice.name, host: url.host, hasKey: key !== null },
      way: openWay(ports, url),
      key,
      redactKey: redactorOf(key),
      pace: ports.pace,
      version: ports.version,
      note: ports.note ?? (() => undefined),
    });
    return line.open(signal);
  };
}

/** What a header can carry. */
const keyShape = /^[\x21-\x7e]+$/;

function readKey(ports: McpPorts, { name, keyName }: McpServerChoice, url: URL): Outcome<string | null> {
  if (keyName === '') return succeed(null);
  const text = words.remote;
  const key = ports.key(keyName, url.href)?.trim() ?? '';
  const refuse = (said: string, remedy: string): Outcome<null> =>
    fail({ kind: 'authentication', words: said, remedy, action: 'open-settings' });
  if (key === '') return refuse(text.keyMissing(name, url.origin), text.keyMissingRemedy);
  if (!keyShape.test(key)) return refuse(text.keyUnusable(name), text.keyUnusableRemedy);
  return succeed(key);
}
