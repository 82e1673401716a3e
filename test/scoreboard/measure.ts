/** The scoreboard: what the worst model can do to a vault, with what the same attacks do to one without defences. */
import path from 'node:path';
import { measureFirstRequest } from '../bench/first-request';
import { measureAttacks } from './measure-attacks';
import { measureTaint } from './measure-taint';
import { measureCrashes, measureLinks, measurePaths, measureUndo } from './measure-disk';

export interface ScoreboardOptions {
  /** The folder of the project. */
  readonly root: string;
  /** Every goal over every carrier in every wrapper. */
  readonly full: boolean;
  readonly progress: (text: string) => void;
}

export async function measure({ root, full, progress }: ScoreboardOptions) {
  const plan = full ? { wrappersEach: 9, effectsEvery: 1 } : { wrappersEach: 3, effectsEvery: 2 };
  const { failures, ...attacks } = await measureAttacks({ ...plan, progress });
  const share = attacks.defences_off_succeeded / attacks.defences_off_runs;
  for (const failure of failures) progress(failure);
  progress('taint');
  const { failures: taintFailures, ...taint } = await measureTaint();
  for (const failure of taintFailures) progress(failure);
  progress('paths');
  const paths = { ...measurePaths(100_000), ...(await measureLinks()) };
  progress('crashes');
  const crashes = await measureCrashes();
  progress('undo');
  const undo = await measureUndo(Number(process.env['WRITING_SEQUENCES'] ?? 1_000));
  progress('first request');
  const { first_request_tokens } = await measureFirstRequest(path.join(root, 'test/support/demo-vault'));
  return {
    ...attacks,
    defences_off_share: Math.round(share * 1000) / 1000,
    ...taint,
    ...paths,
    ...crashes,
    ...undo,
    first_request_tokens,
  };
}

export type Scoreboard = Awaited<ReturnType<typeof measure>>;
