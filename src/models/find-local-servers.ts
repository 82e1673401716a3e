/** Looks for servers of this computer at the ports where they usually listen; only ever on the user's click. */
import type { Failure } from '../core/ports/failure';
import type { Settings } from '../core/settings/settings';
import { words } from '../text';
import { hostedLimits } from './connection';
import { listModels } from './list-models';
import { accessTo, type ModelPorts } from './open-model';
import { providers } from './providers';
import type { ListedModel } from './wire-format';

export interface LocalServer {
  /** Row id. */
  readonly provider: string;
  readonly label: string;
  /** What it offers; empty for one that answers and has none. */
  readonly models: readonly ListedModel[];
  /** Why it cannot be used although it is there. */
  readonly failure?: Failure;
}

/** A server of the same computer answers at once or not at all. */
const limits = { ...hostedLimits, connectMilliseconds: 3_000 };

/** Those that answer, and those that are there and do not let the app in; where nothing listens, nothing is told. */
export async function findLocalServers(settings: Settings, ports: ModelPorts): Promise<readonly LocalServer[]> {
  const rows = providers.filter(({ local, baseUrl }) => local && baseUrl !== '');
  const found = await Promise.all(
    rows.map(async (row): Promise<LocalServer[]> => {
      const server = { provider: row.id, label: words.models.labels[row.labelKey] };
      const access = accessTo(row, settings, ports);
      const listed = await listModels({ ...access, limits, signal: new AbortController().signal });
      if (listed.ok) return [{ ...server, models: listed.value }];
      return listed.failure.kind === 'network' ? [] : [{ ...server, models: [], failure: listed.failure }];
    }),
  );
  return found.flat();
}
