import { EventLog } from '../../../../src/core/diagnostics/event-log';
import { redact } from '../../../../src/core/diagnostics/redact';
import { fakeClock } from '../../fakes/memory-ports';

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
