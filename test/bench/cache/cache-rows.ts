/** How much of each request the one before has already sent, for every provider and in windows of several sizes. */
import type { ModelDescription } from '../../../src/core/ports/model';
import { providers } from '../../../src/models/providers';
import type { ProviderRow } from '../../../src/models/providers/provider';
import { folderVault } from '../../support/fake-vault';
import { bodyOf } from './cache-bodies';
import { bytesOf, commonBytes } from './cache-cost';
import { type Recorded, recordSession } from './cache-recorder';
import { makeSessions, type Session } from './cache-sessions';

export interface RowFigures {
  readonly provider: string;
  readonly window: number;
  readonly session: Session['name'];
  readonly turns: number;
  /** Of the bytes of each request, those that begin the next one; requests after a recorded break are left out. */
  readonly prefix_share: number;
  /** The turns in which something that was sent was recorded to change. */
  readonly breaks: number;
  /**
   * Of these, the turns by what was recorded: `outgrown` where a summary or shorter results made room, else what the
   * user of the session changed.
   */
  readonly breaks_by_reason: Readonly<Record<string, number>>;
  /**
   * The breaks that nobody can avoid who sends all that the session adds: between two of them there is room for as much
   * as the window holds apart from the first request, even if a break leaves no summary and no message.
   */
  readonly fewest_outgrown: number;
  /** Requests that did not begin with the one before although nothing was recorded. */
  readonly unrecorded: number;
  /** Turns that were refused because they do not fit. */
  readonly refused: number;
}

const windows = [8_192, 32_768, 131_072] as const;
/** Only servers on the device are asked for so little. */
const localWindows = [4_096, ...windows] as const;

function describe(row: ProviderRow, contextWindow: number): ModelDescription {
  return {
    id: `${row.id}/m`,
    label: 'm',
    contextWindow,
    outputLimit: row.unlisted.outputLimit,
    nativeTools: true,
    cachesPrompts: row.cachesPrompts,
    // Summaries are extracted, so that every recorded request is one of the conversation.
    summarises: false,
  };
}

/** Sessions of equal models are recorded once, and encoded for each provider. */
export async function measureRows(folder: string, progress: (words: string) => void): Promise<RowFigures[]> {
  const figures: RowFigures[] = [];
  const known = new Map<string, Recorded[]>();
  const record = async (name: Session['name'], row: ProviderRow, window: number): Promise<Recorded[]> => {
    const model = describe(row, window);
    const key = JSON.stringify([name, window, Math.min(model.outputLimit, 16_384, window / 4), row.cachesPrompts]);
    const before = known.get(key);
    if (before !== undefined) return before;
    progress(`${name} at ${window}`);
    const vault = folderVault(folder);
    const session = makeSessions(vault).find((each) => each.name === name);
    if (session === undefined) throw new Error(`There is no session ${name}.`);
    const recorded = await recordSession(session, vault, { model, tier: 'auto', mayFail: true });
    known.set(key, recorded);
    return recorded;
  };
  for (const row of providers) {
    for (const { name, turns } of makeSessions(folderVault(folder))) {
      // In the largest window, no session outgrows it.
      const whole = await record(name, row, Math.max(...windows));
      for (const window of row.local ? localWindows : windows) {
        const recorded = await record(name, row, window);
        const fewest_outgrown = fewestBreaks(recorded, sizeAt(whole, -1) - sizeAt(whole, 0));
        figures.push({
          ...{ provider: row.id, window, session: name, turns: turns.length, fewest_outgrown },
          ...(await compare(row, recorded, turns.length)),
        });
      }
    }
  }
  return figures;
}

function sizeAt(recorded: readonly Recorded[], at: number): number {
  return recorded.at(at)?.plan.totals.all ?? 0;
}

/** @param added the tokens that the whole session adds to its first request */
function fewestBreaks(recorded: readonly Recorded[], added: number): number {
  const { window, reserve } = recorded[0]?.plan.totals ?? { window: 0, reserve: 0 };
  const room = window - reserve - sizeAt(recorded, 0);
  return Math.max(0, Math.ceil(added / room) - 1);
}

async function compare(
  row: ProviderRow,
  recorded: readonly Recorded[],
  turns: number,
): Promise<Pick<RowFigures, 'prefix_share' | 'breaks' | 'breaks_by_reason' | 'unrecorded' | 'refused'>> {
  const bodies = await Promise.all(recorded.map(({ plan }) => bodyOf(plan, row.id)));
  const broken = new Map<number, string>();
  let [common, all, unrecorded] = [0, 0, 0];
  bodies.slice(1).forEach((body, index) => {
    const [before, next] = [bodies[index], recorded[index + 1]];
    if (before === undefined || next === undefined) return;
    if (next.rebuilt.length > 0) {
      broken.set(next.turn, reasonOf(next.rebuilt));
      return;
    }
    const [same, size] = [commonBytes(before, body), bytesOf(before)];
    common += same;
    all += size;
    if (same < size) unrecorded += 1;
  });
  return {
    prefix_share: all === 0 ? 1 : Math.round((common / all) * 10_000) / 10_000,
    breaks: broken.size,
    breaks_by_reason: countEach([...broken.values()]),
    unrecorded,
    refused: turns - new Set(recorded.map(({ turn }) => turn)).size,
  };
}

function reasonOf(rebuilt: readonly string[]): string {
  const isOutgrown = rebuilt.some((reason) => reason === 'summary' || reason.endsWith('parts shortened'));
  return isOutgrown ? 'outgrown' : rebuilt.join(', ');
}

function countEach(reasons: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
