/** What the diagnostics say of writes: those whose end has to be chosen, with the acts that settle them, and how full the journal is. */
import type { CheckPlace } from '../../../../src/core/diagnostics/check';
import { checkBench } from './check-bench';

const usage = { operations: 1, bytes: 2_000_000, limitBytes: 200_000_000, limitDays: 30 };

const look = (writes: CheckPlace['writes']) => checkBench({}, writes === undefined ? {} : { writes }).run('writes');

it('F1 offers what each write that was cut off can be settled to', async () => {
  const [interrupted, full] = await look({
    interrupted: () => [{ path: 'Crew.md', choices: ['before', 'after', 'as-is'] }],
    usage: () => usage,
  });
  expect(interrupted).toMatchObject({ level: 'error', path: 'Crew.md' });
  expect(interrupted?.actions?.map(({ id, path }) => [id, path])).toEqual([
    ['take-back-write', 'Crew.md'],
    ['finish-write', 'Crew.md'],
    ['keep-write', 'Crew.md'],
  ]);
  expect(full?.words).toBe(
    '1 write can be undone. Their copies take 2 MB of 200 MB at most, and are dropped after 30 days, the oldest first.',
  );
});

it('finds nothing wrong before anything was written', async () => {
  expect(await look(undefined)).toEqual([
    { level: 'ok', words: 'The copies for the undo have not been looked at yet.' },
  ]);
});
