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
  const names = makeSessions(folderVault(folder)).map(({ name }) => name);
  for (const row of providers) {
    for (const window of row.local ? localWindows : windows) {
      for (const name of names) {
        const vault = folderVault(folder);
        const session = makeSessions(vault).find((each) => each.name === name);
        if (session === undefined) continue;
        const model = describe(row, window);
        const key = JSON.stringify([name, window, Math.min(model.outputLimit, 16_384, window / 4), row.cachesPrompts]);
        if (!known.has(key)) {
          progress(`${name} at ${window}`);
          known.set(key, await recordSession(session, vault, { model, tier: 'auto', mayFail: true }));
        }
        figures.push(await figuresOf(row, window, session, known.get(key) ?? []));
      }
    }
  }
  return figures;
}

async function figuresOf(
  row: ProviderRow,
  window: number,
  { name, turns }: Session,
  recorded: readonly Recorded[],
): Promise<RowFigures> {
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
  const asked = new Set(recorded.map(({ turn }) => turn));
  return {
    provider: row.id,
    window,
    session: name,
    turns: turns.length,
    prefix_share: all === 0 ? 1 : Math.round((common / all) * 10_000) / 10_000,
    breaks: broken.size,
    breaks_by_reason: countEach([...broken.values()]),
    unrecorded,
    refused: turns.length - asked.size,
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
