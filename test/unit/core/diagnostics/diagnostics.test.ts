import { redact } from '../../../../src/core/base/redact';
import { EventLog, printDiagnostics } from '../../../../src/core/diagnostics/event-log';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { fakeClock } from '../../../support/memory-ports';

const secret = 'sk-test/canary+key=="ü9';

describe('redaction', () => {
  it.each<[string, string]>([
    ['as it is', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['JSON-escaped', JSON.stringify(secret)],
    ['in Base64', Buffer.from(secret).toString('base64')],
    ['in Base64 behind one byte', Buffer.from(`:${secret}`).toString('base64')],
    ['in Base64 behind two bytes', Buffer.from(`a:${secret}`).toString('base64')],
    ['in Base64 within other text', Buffer.from(`user:${secret}@host`).toString('base64')],
    ['in Base64 for URLs', Buffer.from(`a:${secret}z`).toString('base64url')],
  ])('H10 takes out a key %s', (_form, text) => {
    const clean = redact(`before ${text} after`, [secret]);
    expect(clean).toContain('[redacted]');
    expect(clean).not.toContain(text);
    expect(clean).toMatch(/^before .* after$/);
    const longest = text.replace(/[":]/g, '').slice(4, 16);
    expect(clean).not.toContain(longest);
  });

  it('H10 takes out a key in Base64 for URLs, whose letters differ', () => {
    const sharp = 'sk-~~~???>>>~~~???>>>';
    for (const before of ['', 'a', 'ab']) {
      const encoded = Buffer.from(before + sharp).toString('base64url');
      expect(encoded).toMatch(/[-_]/);
      expect(redact(encoded, [sharp]).replace('[redacted]', '').length).toBeLessThanOrEqual(5);
    }
  });

  it('leaves ordinary words alone: secrets that are too short to be keys, and no secret at all', () => {
    expect(redact('abc tea', ['abc', ''])).toBe('abc tea');
    expect(redact('some text', [])).toBe('some text');
  });
});

describe('the event log', () => {
  it('keeps the last 500 events, redacted when they come in', () => {
    const clock = fakeClock(0);
    let secrets = [secret];
    const log = new EventLog(clock, () => secrets);
    log.add('turn', `first ${secret}`);
    secrets = [];
    for (let count = 0; count < 499; count += 1) log.add('turn', `event ${count}`);
    expect(log.events[0]?.words).toBe('first [redacted]');
    clock.advance(5);
    log.add('settings', 'last');
    expect(log.events).toHaveLength(500);
    expect(log.events[0]?.words).toBe('event 0');
    expect(log.events.at(-1)).toEqual({ time: 5, area: 'settings', words: 'last' });
  });

  it('hands out a copy', () => {
    const log = new EventLog(fakeClock(), () => []);
    const before = log.events;
    log.add('a', 'b');
    expect(before).toEqual([]);
  });
});

describe('the diagnostics that a user copies', () => {
  it('H10 hold versions, settings and events, and no secret, not even one that came into the settings by mistake', () => {
    const log = new EventLog(fakeClock(0), () => []);
    log.add('turn', `a server said ${secret}`);
    const text = printDiagnostics({
      pluginVersion: '0.1.0',
      appVersion: '1.13.1',
      platform: 'desktop',
      settings: { ...defaultSettings, agentName: secret },
      notes: 12,
      log,
      secrets: [secret],
    });
    expect(text).toContain('Docent 0.1.0, app 1.13.1, desktop, 12 notes');
    expect(text).toContain('"mode": "assistant"');
    expect(text).toContain('1970-01-01T00:00:00.000Z turn: a server said [redacted]');
    expect(text).not.toContain(secret);
    expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
  });

  it('name the host of a server, and not the rest of an address that may be a password', () => {
    const urls = [
      ...['https://tools.example/s/MTIzNDU2/mcp', 'https://tools.example?k=MTIzNDU2', 'https://plain.example/'],
      ...['https://MTIzNDU2:x@login.example/mcp', 'https://me:MTIzNDU2@login.example', 'MTIzNDU2'],
    ];
    const mcpServers = urls.map((url, at) => ({ name: `s${at}`, url, keyName: '', isOn: true }));
    const text = printDiagnostics({
      ...{ pluginVersion: '', appVersion: '', platform: '', notes: 0, secrets: [] },
      ...{ settings: { ...defaultSettings, mcpServers }, log: new EventLog(fakeClock(0), () => []) },
    });
    expect(text).not.toContain('MTIzNDU2');
    const shown = ['https://tools.example/…', 'https://tools.example/…', 'https://plain.example', '', '', ''];
    expect([...text.matchAll(/"url": "(.*)"/g)].map(([, url]) => url)).toEqual(shown);
  });

  it('name the host and the interface of a provider, and not what may be a password in its address', () => {
    const addresses = [
      ...[
        'https://api.example/compatible-mode/v1',
        'https://gate.example/v1/MTIzNDU2/openai',
        'http://localhost:11434',
      ],
      ...[
        'https://api.example/v1?key=MTIzNDU2',
        'https://api.example/v1#MTIzNDU2',
        'https://me:MTIzNDU2@api.example/v1',
      ],
      ...['https://api.example/%4dTIzNDU2', '', 'MTIzNDU2'],
    ];
    const providers = Object.fromEntries(
      addresses.map((baseUrl, at) => [`p${at}`, { baseUrl, keyName: '', models: [] }]),
    );
    const text = printDiagnostics({
      ...{ pluginVersion: '', appVersion: '', platform: '', notes: 0, secrets: [] },
      ...{ settings: { ...defaultSettings, providers }, log: new EventLog(fakeClock(0), () => []) },
    });
    expect(text).not.toContain('TIzNDU2');
    expect([...text.matchAll(/"baseUrl": "(.*)"/g)].map(([, url]) => url)).toEqual([
      ...['https://api.example/compatible-mode/v1', 'https://gate.example/v1/…/openai', 'http://localhost:11434'],
      ...['https://api.example/v1?…', 'https://api.example/v1?…', '', 'https://api.example/…', '', ''],
    ]);
  });
});
