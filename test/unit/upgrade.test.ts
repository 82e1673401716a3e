/** What version 0.1.0 wrote is read whole: each setting, each line of a chat, each write that can be undone. */
import { createHash } from 'node:crypto';
import { foldTranscript } from '../../src/core/chat/transcript';
import { decodeSettings } from '../../src/core/settings/settings';
import { decodeRecord } from '../../src/core/writing/changeset/journal-records';
import { firstVersion, settingsFile } from '../support/upgrade/first-version';
import { mergeShards } from '../support/merge-shards';

const { files, chats } = firstVersion();
const digest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
const stored = JSON.parse(files[settingsFile] ?? '') as Record<string, unknown>;

it('reads each setting', () => {
  const { settings, problems, unknown, refused } = decodeSettings(stored);
  expect(settings).toMatchObject(stored);
  expect([problems, unknown, refused]).toEqual([[], {}, {}]);
});

it.each(chats)('reads each line of the chat “$name”', ({ questions }) => {
  const folder = new Set(Object.keys(files).map((file) => /^Docent\/chats\/[^/]+\//.exec(file)?.[0]));
  const logs = [...folder].map((each) =>
    mergeShards(
      Object.entries(files).flatMap(([name, text]) => (each && name.startsWith(each) ? [{ name, text }] : [])),
      digest,
    ),
  );
  const shown = logs.map(({ entries, damaged, unknown }) => {
    const asked = foldTranscript(entries).flatMap((item) => (item.type === 'user' ? [item.text] : []));
    return { asked, damaged, unknown };
  });
  expect(shown).toContainEqual({ asked: questions, damaged: 0, unknown: 0 });
});

it('reads each write of the journal, and has the copies that undo them', () => {
  const [log = ''] = Object.entries(files).flatMap(([file, text]) => (file.includes('/journal/log/') ? [text] : []));
  const records = log
    .trim()
    .split('\n')
    .map((line) => decodeRecord(line, digest));
  expect(records.map((record) => record?.kind)).toEqual(
    Array.from({ length: 5 }, () => ['call', 'intent', 'commit']).flat(),
  );
  const copies = Object.keys(files).flatMap((file) => /\/copies\/(\w+)$/.exec(file)?.[1] ?? []);
  const needed = records.flatMap((record) => (record?.kind === 'intent' && record.pre !== null ? [record.pre] : []));
  expect(copies).toEqual(expect.arrayContaining(needed));
  expect(needed).toHaveLength(5);
});
