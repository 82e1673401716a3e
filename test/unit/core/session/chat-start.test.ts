// What the first message of a chat says stays as stored, until a summary lets it be written again.
import type { EntryBody } from '../../../../src/core/session/entry';
import { findChatStart } from '../../../../src/core/session/log-state';
import { answer, entry, user } from '../../../support/entries';
import { device } from '../../../support/turn-world';

const began = (isoDate: string) => entry({ kind: 'chat-began', start: { ...device, isoDate } });
const summary = (): ReturnType<typeof entry> =>
  entry({ kind: 'summary', covers: [], snapshot: {} } as unknown as EntryBody);

it('is null before the first request, and the stored one after it', () => {
  expect(findChatStart([entry(user('q'))])).toBeNull();
  const monday = began('2026-11-16');
  expect(findChatStart([entry(user('q')), monday, entry(answer('a'))])?.isoDate).toBe('2026-11-16');
});

it('is written again after a summary, and stays when that is undone', () => {
  const replaced = summary();
  const entries = [began('2026-11-16'), entry(answer('a')), replaced];
  expect(findChatStart(entries)).toBeNull();
  const undone = entry({ kind: 'summary-undone', summary: replaced.id });
  expect(findChatStart([...entries, undone])?.isoDate).toBe('2026-11-16');
  expect(findChatStart([...entries, began('2026-11-18')])?.isoDate).toBe('2026-11-18');
  expect(findChatStart([...entries, began('2026-11-18'), undone])?.isoDate).toBe('2026-11-18');
});
