/** Measures how much of each request the one before has already sent, and what a session costs, ours and other ways. */
import type { RequestPlan } from '../../../src/core/ports/request-plan';
import { folderVault } from '../../support/fake-vault';
import { alternatives, requestOrders } from '../baselines/request-orders';
import { type Body, bodyOf, type ProviderName, providerNames } from './cache-bodies';
import { bytesOf, commonBytes, costOf } from './cache-cost';
import { type Recorded, recordSession } from './cache-recorder';
import { measureRows, type RowFigures } from './cache-rows';
import { makeSessions, type Session } from './cache-sessions';

export interface OrderFigures {
  readonly prefix_share: number;
  /** Of an uncached token's price, for the whole session. */
  readonly cost_units: number;
}

export interface SessionFigures extends OrderFigures {
  readonly name: Session['name'];
  readonly turns: number;
  readonly in_loop_prefix_share: number;
  readonly breaks: readonly string[];
  readonly baselines: Readonly<Record<string, OrderFigures>>;
}

export interface CacheFigures {
  readonly policy: string;
  readonly sessions: readonly SessionFigures[];
  readonly rows: readonly RowFigures[];
}

export async function measureCache(folder: string, progress: (words: string) => void): Promise<CacheFigures> {
  const names = makeSessions(folderVault(folder)).map(({ name }) => name);
  const sessions: SessionFigures[] = [];
  for (const name of names) {
    const vault = folderVault(folder);
    const session = makeSessions(vault).find((each) => each.name === name);
    if (session === undefined) continue;
    progress(`playing ${session.turns.length} turns: ${name}`);
    const recorded = await recordSession(session, vault);
    const ours = await figuresOf(
      recorded,
      recorded.map(({ plan }) => plan),
    );
    const baselines: Record<string, OrderFigures> = {};
    for (const [order, makePlans] of Object.entries(requestOrders)) {
      const { prefix_share, cost_units } = await figuresOf(recorded, await makePlans(recorded));
      baselines[order] = { prefix_share, cost_units };
    }
    for (const [order, makePlans] of Object.entries(alternatives)) {
      const { prefix_share, cost_units } = await figuresOf(recorded, await makePlans(recorded));
      progress(`  ${order}: prefix_share ${prefix_share}, cost_units ${cost_units}; ours ${ours.cost_units}`);
    }
    sessions.push({ name, turns: session.turns.length, ...ours, baselines });
  }
  return { policy: 'as-sent', sessions, rows: await measureRows(folder, progress) };
}

type OwnFigures = Pick<SessionFigures, 'prefix_share' | 'in_loop_prefix_share' | 'cost_units' | 'breaks'>;

/** The mean of the providers' figures. */
async function figuresOf(recorded: readonly Recorded[], plans: readonly RequestPlan[]): Promise<OwnFigures> {
  const all: OwnFigures[] = [];
  for (const provider of providerNames) {
    const bodies: Body[] = [];
    for (const plan of plans) bodies.push(await bodyOf(plan, provider));
    all.push(measureBodies(recorded, bodies, provider));
  }
  const mean = (key: 'prefix_share' | 'in_loop_prefix_share' | 'cost_units'): number =>
    all.reduce((sum, each) => sum + each[key], 0) / all.length;
  return {
    prefix_share: rounded(mean('prefix_share')),
    in_loop_prefix_share: rounded(mean('in_loop_prefix_share')),
    cost_units: Math.round(mean('cost_units')),
    breaks: all[0]?.breaks ?? [],
  };
}

function measureBodies(recorded: readonly Recorded[], bodies: readonly Body[], provider: ProviderName): OwnFigures {
  const between = { common: 0, all: 0 };
  const inside = { common: 0, all: 0 };
  const breaks: string[] = [];
  bodies.slice(1).forEach((body, index) => {
    const before = bodies[index];
    const [last, next] = [recorded[index], recorded[index + 1]];
    if (before === undefined || last === undefined || next === undefined) return;
    if (next.rebuilt.length > 0) {
      breaks.push(`turn ${next.turn + 1}: ${next.rebuilt.join(', ')}`);
      return;
    }
    const sums = last.turn === next.turn ? inside : between;
    sums.common += commonBytes(before, body);
    sums.all += bytesOf(before);
  });
  const share = ({ common, all }: { readonly common: number; readonly all: number }): number =>
    all === 0 ? 1 : common / all;
  return {
    prefix_share: share(between),
    in_loop_prefix_share: share(inside),
    cost_units: costOf(bodies, provider),
    breaks,
  };
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
