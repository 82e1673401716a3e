/** Recent events in plain words, redacted before they are stored, and the diagnostics text that a user copies. */
import { redact, redactKeys } from '../base/redact';
import type { Clock } from '../ports/device';
import type { Settings } from '../settings/settings';

/** Maximum events; the oldest are dropped. */
const capacity = 500;

export interface LoggedEvent {
  readonly time: number;
  /** The area of Docent in which it happened, such as `settings` or `turn`. */
  readonly area: string;
  readonly words: string;
}

export class EventLog {
  private readonly ring: LoggedEvent[] = [];

  /** @param secrets returns the exact values that must never be stored; called for each event */
  constructor(
    private readonly clock: Clock,
    private readonly secrets: () => readonly string[],
  ) {}

  add(area: string, words: string): void {
    this.ring.push({ time: this.clock.now(), area, words: redactKeys(redact(words, this.secrets())) });
    if (this.ring.length > capacity) this.ring.shift();
  }

  /** Oldest first. */
  get events(): readonly LoggedEvent[] {
    return [...this.ring];
  }
}

export interface DiagnosticsInput {
  readonly pluginVersion: string;
  readonly appVersion: string;
  readonly platform: string;
  readonly settings: Settings;
  readonly notes: number;
  readonly log: EventLog;
  readonly secrets: readonly string[];
}

/** Returns the site of an address, and what follows; both are empty for one that may have a password before its site. */
function splitAddress(address: string): readonly [origin: string, rest: string] {
  const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#@\\]*)(?![^/?#\\]*@)(.*)$/i.exec(address) ?? [];
  return [origin, rest];
}

/** Some servers give each user an address of their own, which is all that their tools ask for. */
function withoutAddress(server: Settings['mcpServers'][number]): object {
  const [origin, rest] = splitAddress(server.url);
  return { ...server, url: rest === '' || rest === '/' ? origin : `${origin}/…` };
}

/** So do some gateways to providers. Words and versions in a path say which of their interfaces is meant. */
function withoutSecrets(provider: Settings['providers'][string]): object {
  const [origin, rest] = splitAddress(provider.baseUrl);
  const [path = '', ...query] = rest.split(/[?#]/);
  const plain = path.split('/').map((name) => (/^(?:v\d[\w.]{0,8}|[a-z-]{0,24})$/.test(name) ? name : '…'));
  return { ...provider, baseUrl: `${origin}${plain.join('/')}${query.length === 0 ? '' : '?…'}` };
}

/** Returns the text that "Copy diagnostics" copies: versions, settings, sizes, and recent events, without secrets. */
export function printDiagnostics(input: DiagnosticsInput): string {
  const { pluginVersion, appVersion, platform, settings, notes, log, secrets } = input;
  const known = Object.entries(settings.providers).map(([id, provider]) => [id, withoutSecrets(provider)] as const);
  const providers = Object.fromEntries(known);
  const lines = [
    `Docent ${pluginVersion}, app ${appVersion}, ${platform}, ${notes} notes`,
    '',
    JSON.stringify({ ...settings, providers, mcpServers: settings.mcpServers.map(withoutAddress) }, null, 2),
    '',
    ...log.events.map(({ time, area, words }) => `${new Date(time).toISOString()} ${area}: ${words}`),
  ];
  return `${redactKeys(redact(lines.join('\n'), secrets))}\n`;
}
