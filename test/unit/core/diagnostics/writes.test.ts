/** What the diagnostics say of writes: those whose end has to be chosen, with the acts that settle them, and how full the journal is. */
import type { CheckPlace } from '../../../../src/core/diagnostics/check';
import { checkBench } from './check-bench';

const usage = { operations: 1, bytes: 2_000_000, limitBytes: 200_000_000, limitDays: 30 };

const look = (writes: CheckPlace['writes']) => checkBench({}, writes === undefined ? {} : { writes }).run('writes');

it('F1 offers what each write that was cut off can be settled to', async () => {
  const [interrupted, full] = await look({
    interrupted: () => [{ path: 'Crew.md', choices: ['before', 'after', 'as-is'] }],
    measure: () => Promise.resolve(usage),
  });
  expect(interrupted).toMatchObject({ level: 'error', path: 'Crew.md' });
  expect(interrupted?.actions?.map(({ id, path }) => [id, path])).toEqual([
    ['take-back-write', 'Crew.md'],
    ['finish-write', 'Crew.md'],
    ['keep-write', 'Crew.md'],
  ]);
  expect(full?.words).toBe(
    '1 change can be undone. Their copies use 2 MB of 200 MB, and are deleted after 30 days or when space runs out, oldest first.',
  );
});

it('says that there is nothing to undo', async () => {
  const none = { ...usage, operations: 0, bytes: 0 };
  const [only] = await look({ interrupted: () => [], measure: () => Promise.resolve(none) });
  expect(only?.words).toBe(
    'There is nothing to undo at the moment. Copies of changed files may use 200 MB, and are deleted after 30 days or when space runs out, oldest first.',
  );
});

it('says that a part of the undo history cannot be read, and what to do', async () => {
  const unread = { kind: 'storage', words: 'A part is unread.', remedy: 'Restart.' } as const;
  const [first] = await look({ interrupted: () => [], measure: () => Promise.resolve(usage), unread: () => unread });
  expect(first).toEqual({ level: 'warning', words: 'A part is unread. Restart.' });
});

it('finds nothing wrong before anything was written', async () => {
  expect(await look(undefined)).toEqual([
    { level: 'ok', words: 'Docent stores copies of the files it changes, so that you can undo changes.' },
  ]);
});
