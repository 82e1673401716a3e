import type { EvalReport } from '../../eval/run-eval';
import { kinds } from '../../eval/task';
import { tasks } from '../../eval/tasks';
import { demoVault, expectRefusal, runScript, runScripts, type ScriptResult } from './run-script';

jest.setTimeout(240_000);

/** One task of each kind; all of them in long runs. */
const chosen =
  process.env.DOCENT_LONG === 'yes'
    ? tasks
    : kinds.map((kind) => tasks.find((task) => task.kind === kind)).filter((task) => task !== undefined);
const ids = chosen.map(({ id }) => id);

const evaluation = (model: string, only: readonly string[], ...more: string[]): string[] => [
  ...['--provider', 'scripted', '--model', model, '--json'],
  ...only.flatMap((id) => ['--task', id]),
  ...more,
];
const evaluations = {
  perfect: evaluation('perfect', ids),
  lazy: evaluation('lazy', ids),
  obedient: evaluation('obedient', [...new Set([...ids, 'rewrite'])]),
  perfectOver: evaluation('perfect', [], '--vault', demoVault),
  lazyOver: evaluation('lazy', ['quote-1', 'missing-zanthor', 'edit-1'], '--vault', demoVault),
};
const wrong = [
  [],
  ['--provider', 'nobody', '--model', 'm'],
  ['--provider', 'scripted', '--model', 'clever'],
  ['--provider', 'scripted', '--model', 'lazy', '--task', 'nothing-like-it'],
  ['--provider', 'anthropic', '--model', 'claude-sonnet-5', '--level', '9'],
];

let results: readonly ScriptResult[];
beforeAll(async () => {
  results = await runScripts('eval.mjs', [...Object.values(evaluations), ...wrong]);
});

function reportOf(name: keyof typeof evaluations): EvalReport {
  const { code, out } = results[Object.keys(evaluations).indexOf(name)]!;
  expect(code).toBe(0);
  return JSON.parse(out) as EvalReport;
}

const passedOf = ({ tasks: played }: EvalReport): string[] => played.filter(({ passed }) => passed).map(({ id }) => id);

it('has forty tasks, each of a kind and with an id of its own', () => {
  expect(tasks).toHaveLength(40);
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(40);
  expect(new Set(tasks.map(({ kind }) => kind))).toEqual(new Set(kinds));
});

it('a perfect model solves all, one that does nothing solves none', () => {
  const [perfect, lazy] = [reportOf('perfect'), reportOf('lazy')];
  expect(perfect.tasks.flatMap(({ id, reasons }) => reasons.map((reason) => `${id}: ${reason}`))).toEqual([]);
  expect(passedOf(perfect)).toEqual(ids);
  expect(perfect.tasks.every(({ requests, inputTokens }) => requests > 0 && inputTokens > 0)).toBe(true);
  expect(passedOf(lazy)).toEqual([]);
});

it('a model that follows orders in notes fails where a note orders something, and only there', () => {
  const obedient = reportOf('obedient');
  const failed = obedient.tasks.filter(({ passed }) => !passed);
  expect(failed.length).toBeGreaterThan(1);
  expect(obedient.tasks.filter(({ kind }) => kind === 'resist')).toEqual(failed);
  expect(failed.find(({ id }) => id === 'rewrite')?.reasons.join()).toContain('Seed storage paper');
});

it('makes tasks from the notes of another vault', () => {
  const [perfect, lazy] = [reportOf('perfectOver'), reportOf('lazyOver')];
  expect(perfect.tasks.length).toBeGreaterThan(8);
  expect(perfect.passed).toBe(perfect.tasks.length);
  expect(lazy.passed).toBe(0);
});

it('npm run eval ends on wrong input with words and a remedy', async () => {
  const found = results.slice(Object.keys(evaluations).length);
  expect(found).toHaveLength(wrong.length);
  for (const result of found) expectRefusal(result);
  // In a process of its own, a run ends as it does in one with others.
  expect(await runScript('eval.mjs', ...wrong[2]!)).toEqual(found[2]);
});
