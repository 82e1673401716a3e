/**
 * The scoreboard: what the worst model, the worst disk and the worst sync do to a vault, and what they do as soon as one
 * defence is off.
 */
import { carriers } from './carriers';
import { defences } from './defences.mjs';
import { goals } from './goals';
import { hardRules } from './hard-rules';
import { measureApproved, measureDenied } from './rows/attacks';
import { measureModes, measureNamed, measureUnmarked } from './rows/auto-edit';
import { measureChats } from './rows/chats';
import { measureContents } from './rows/contents';
import { measureCrashes, measureLinks, measurePaths, measureUndo } from './rows/disk';
import { measureFreezing } from './rows/freezing';
import { measureGit } from './rows/git';
import { measureInstructions } from './rows/instructions';
import { measureMarked } from './rows/marked';
import type { RowFigures, Tries } from './rows/row';
import { measureSending } from './rows/sending';
import { measureSettings } from './rows/settings';
import { measureDevices, measureTurns } from './rows/turns';
import { wrappers } from './wrappers';

/** In the order of the table. */
export const rows = {
  denied: measureDenied,
  approved: measureApproved,
  modes: measureModes,
  unmarked: measureUnmarked,
  named: measureNamed,
  contents: measureContents,
  marked: measureMarked,
  turns: measureTurns,
  devices: measureDevices,
  instructions: measureInstructions,
  sending: measureSending,
  git: measureGit,
  settings: measureSettings,
  freezing: measureFreezing,
  paths: measurePaths,
  links: measureLinks,
  crashes: measureCrashes,
  chats: measureChats,
  undo: measureUndo,
} satisfies Readonly<Record<string, (tries: Tries) => RowFigures | Promise<RowFigures>>>;

export type RowName = keyof typeof rows;

export interface ScoreboardOptions {
  /** Every goal over every carrier in every wrapper. */
  readonly full: boolean;
  readonly progress: (text: string) => void;
}

export async function measure({ full, progress }: ScoreboardOptions) {
  const measured: [RowName, Omit<RowFigures, 'failures'>][] = [];
  for (const name of Object.keys(rows) as RowName[]) {
    progress(name);
    const { failures, ...figures } = await rows[name]({ full });
    progress(`  ${figures.effects} effects in ${figures.tries} tries`);
    for (const failure of failures) progress(`  ${failure}`);
    measured.push([name, figures]);
  }
  return {
    effects: measured.reduce((sum, [, { effects }]) => sum + effects, 0),
    goals: goals.length,
    carriers: carriers.length,
    wrappers: wrappers.length,
    hard_rules: Object.keys(hardRules),
    rows: Object.fromEntries(measured) as Record<RowName, Omit<RowFigures, 'failures'>>,
    ...(await measureWithout({ progress })),
  };
}

/**
 * Switches each defence off in turn and repeats the tries that it is there for. Only a bundle with the switches can.
 * @returns the effects without each defence, out of so many tries, and those of the same tries with all of them
 */
export async function measureWithout({ progress, only }: Pick<ScoreboardOptions, 'progress'> & { only?: string[] }) {
  const without: Record<string, number> = {};
  const without_tries: Record<string, number> = {};
  /** The same tries with all defences on; several defences may have the same. */
  const withAll = new Map<string, RowFigures>();
  for (const { id, row, tries } of defences) {
    if (only?.includes(id) === false) continue;
    const key = JSON.stringify([row, tries]);
    const on = withAll.get(key) ?? (await switched(null, row, tries));
    withAll.set(key, on);
    const off = await switched(id, row, tries);
    progress(`without ${id}: ${off.effects} effects in ${off.tries} tries of “${row}”, with it ${on.effects}`);
    for (const failure of on.failures) progress(`  with it: ${failure}`);
    without[id] = off.effects;
    without_tries[id] = off.tries;
  }
  const with_all = [...withAll.values()].reduce((sum, on) => sum + on.effects + on.undelivered, 0);
  return { without, without_tries, with_all };
}

async function switched(id: string | null, row: string, tries: Tries): Promise<RowFigures> {
  const place = globalThis as { docentDefenceOff?: string | null };
  place.docentDefenceOff = id;
  try {
    return await rows[row as RowName]({ ...tries, alone: true });
  } finally {
    place.docentDefenceOff = null;
  }
}

export type Scoreboard = Awaited<ReturnType<typeof measure>>;
