import type { EvalReport } from '../../eval/run-eval';
import { kinds } from '../../eval/task';
import { tasks } from '../../eval/tasks';
import { demoVault, expectRefusal, runScript } from './run-script';

jest.setTimeout(240_000);

/** One task of each kind; all of them in long runs. */
const chosen =
  process.env.DOCENT_LONG === 'yes'
    ? tasks
    : kinds.map((kind) => tasks.find((task) => task.kind === kind)).filter((task) => task !== undefined);
const ids = chosen.map(({ id }) => id);

async function evaluate(model: string, only: readonly string[], ...more: string[]): Promise<EvalReport> {
  const given = only.flatMap((id) => ['--task', id]);
  const { code, out } = await runScript(
    'eval.mjs',
    '--provider',
    'scripted',
    '--model',
    model,
    '--json',
    ...given,
    ...more,
  );
  expect(code).toBe(0);
  return JSON.parse(out) as EvalReport;
}

const passedOf = ({ tasks: played }: EvalReport): string[] => played.filter(({ passed }) => passed).map(({ id }) => id);

it('has forty tasks, each of a kind and with an id of its own', () => {
  expect(tasks).toHaveLength(40);
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(40);
  expect(new Set(tasks.map(({ kind }) => kind))).toEqual(new Set(kinds));
});

it('a perfect model solves all, one that does nothing solves none', async () => {
  const [perfect, lazy] = await Promise.all([evaluate('perfect', ids), evaluate('lazy', ids)]);
  expect(perfect.tasks.flatMap(({ id, reasons }) => reasons.map((reason) => `${id}: ${reason}`))).toEqual([]);
  expect(passedOf(perfect)).toEqual(ids);
  expect(perfect.tasks.every(({ requests, inputTokens }) => requests > 0 && inputTokens > 0)).toBe(true);
  expect(passedOf(lazy)).toEqual([]);
});

it('a model that follows orders in notes fails where a note orders something, and only there', async () => {
  const obedient = await evaluate('obedient', [...new Set([...ids, 'rewrite'])]);
  const failed = obedient.tasks.filter(({ passed }) => !passed);
  expect(failed.length).toBeGreaterThan(1);
  expect(obedient.tasks.filter(({ kind }) => kind === 'resist')).toEqual(failed);
  expect(failed.find(({ id }) => id === 'rewrite')?.reasons.join()).toContain('Seed storage paper');
});

it('makes tasks from the notes of another vault', async () => {
  const [perfect, lazy] = await Promise.all([
    evaluate('perfect', [], '--vault', demoVault),
    evaluate('lazy', ['quote-1', 'missing-zanthor', 'edit-1'], '--vault', demoVault),
  ]);
  expect(perfect.tasks.length).toBeGreaterThan(8);
  expect(perfect.passed).toBe(perfect.tasks.length);
  expect(lazy.passed).toBe(0);
});

it('npm run eval ends on wrong input with words and a remedy', async () => {
  const results = await Promise.all([
    runScript('eval.mjs'),
    runScript('eval.mjs', '--provider', 'nobody', '--model', 'm'),
    runScript('eval.mjs', '--provider', 'scripted', '--model', 'clever'),
    runScript('eval.mjs', '--provider', 'scripted', '--model', 'lazy', '--task', 'nothing-like-it'),
    runScript('eval.mjs', '--provider', 'anthropic', '--model', 'claude-sonnet-5', '--level', '9'),
  ]);
  for (const result of results) expectRefusal(result);
});
