/** Makes the room of models: the model of an id, its access, the choices, servers of this computer. */
import type { ModelAccess } from '../core/diagnostics/check';
import { type Failure, fail, type Outcome, succeed } from '../core/ports/failure';
import type { Model, ModelDescription } from '../core/ports/model';
import type { ProviderSettings, Settings } from '../core/settings/settings';
import { words } from '../text';
import { createBuiltInReader } from './built-in-reader/built-in-reader';
import { createModel } from './create-model';
import type { ReadImage } from './encode-plan';
import { hostedLimits } from './http/connection';
import { resolveEndpoint } from './http/endpoint';
import type { Timing, Transport } from './http/transport';
import type { ListedModel } from './http/wire-format';
import { listModels } from './list-models';
import { findProvider, providers } from './providers';
import type { ProviderRow } from './providers/provider';

export interface SettingsPort {
  readonly settings: Settings;
  change(part: Partial<Settings>): Promise<void>;
}

export interface Models {
  readonly choices: ReturnType<typeof providerChoices>;
  /** The model of an id such as `anthropic/name`. */
  readonly open: (id: string) => Outcome<Model>;
  /** Whether all that a request to it needs is configured; nothing is sent. */
  readonly access: (id: string) => Outcome<ModelAccess>;
  /** What is known of a model apart from what the user set for it; null for one that there is not. */
  known(id: string): ModelDescription | null;
  /** What holds of a model, the user's word first; null for one that there is not. */
  described(id: string): ModelDescription | null;
  readonly testConnection: (provider: string) => Promise<Outcome<readonly ListedModel[]>>;
  findLocalServers(): Promise<readonly LocalServer[]>;
  /** Sets a server up with what it offers, and has this model of it answer from now on. */
  use(server: LocalServer, modelName: string): Promise<void>;
}

/** Everything about models that the rest of the app is handed, over the settings as they are at the moment. */
export function openModels(file: SettingsPort, ports: ModelPorts): Models {
  const describe = (id: string, settings: Settings): ModelDescription | null => {
    const found = openModel(id, settings, ports);
    return found.ok ? found.value.description : null;
  };
  return {
    choices: providerChoices(),
    open: (id) => openModel(id, file.settings, ports),
    access: (id) => checkAccess(id, file.settings, ports),
    known: (id) => {
      const { [id]: _chosen, ...others } = file.settings.modelFacts;
      return describe(id, { ...file.settings, modelFacts: others, contextWindow: null });
    },
    described: (id) => describe(id, file.settings),
    testConnection: (provider) => testProvider(provider, file.settings, ports),
    findLocalServers: () => findLocalServers(file.settings, ports),
    use: ({ provider, models }, modelName) => {
      const { providers } = file.settings;
      const { baseUrl = '', keyName = '' } = providers[provider] ?? {};
      const reported = Object.fromEntries(models.map(({ name, ...facts }) => [name, facts]));
      const names = models.map(({ name }) => name);
      return file.change({
        model: `${provider}/${modelName}`,
        providers: { ...providers, [provider]: { baseUrl, keyName, models: names, reported } },
      });
    },
  };
}

export interface ModelPorts {
  readonly transport: Transport;
  readonly pace: Timing;
  /** The bytes of a picture that a request refers to. */
  readonly readImage?: ReadImage;
  /** The secret of this name for a request to this origin; ownOrigin is the provider's usual one. */
  key(keyName: string, origin: string, ownOrigin: string): string | null;
}

const reader = createBuiltInReader();

/** Finds the model that an id such as `anthropic/name` stands for, under the user's settings. */
export function openModel(id: string, settings: Settings, ports: ModelPorts): Outcome<Model> {
  if (id === reader.description.id) return succeed(reader);
  const at = id.indexOf('/');
  const row = findProvider(id.slice(0, at));
  const modelName = id.slice(at + 1);
  if (row === undefined || modelName === '') {
    const remedy = words.failures.unknownModelRemedy;
    return fail({ kind: 'configuration', words: words.failures.unknownModel(id), remedy, action: 'open-settings' });
  }
  const { contextWindow } = settings;
  return succeed(
    createModel({
      ...accessTo(row, settings, ports),
      modelName,
      chosen: settings.modelFacts[id],
      reported: settings.providers[row.id]?.reported?.[modelName],
      ...(contextWindow === null ? {} : { contextWindow }),
      ...(ports.readImage === undefined ? {} : { readImage: ports.readImage }),
    }),
  );
}

/** Asks a provider for its models, which also shows whether address and key are right. */
async function testProvider(
  id: string,
  settings: Settings,
  ports: ModelPorts,
): Promise<Outcome<readonly ListedModel[]>> {
  const row = findProvider(id);
  if (row === undefined) throw new Error(`No provider has the id ${id}.`);
  return listModels({ ...accessTo(row, settings, ports), signal: new AbortController().signal });
}

function accessTo(row: ProviderRow, settings: Settings, ports: ModelPorts) {
  const chosen: ProviderSettings | undefined = settings.providers[row.id];
  const keyName = chosen?.keyName || row.keyName;
  return {
    row,
    baseUrl: chosen?.baseUrl ?? '',
    key: (origin: string) => ports.key(keyName, origin, originOf(row.baseUrl)),
    transport: ports.transport,
    pace: ports.pace,
  };
}

function originOf(baseUrl: string): string {
  return baseUrl === '' ? '' : new URL(baseUrl).origin;
}

/** Tells whether all that a request to a model needs is configured: provider, address and key. Nothing is sent. */
export function checkAccess(id: string, settings: Settings, ports: ModelPorts): Outcome<ModelAccess> {
  const model = openModel(id, settings, ports);
  if (!model.ok) return model;
  const row = findProvider(id.slice(0, id.indexOf('/')));
  if (row === undefined) return succeed({ provider: null, address: '', hasKey: false });
  const place = resolveEndpoint({ ...accessTo(row, settings, ports), modelName: '', limits: hostedLimits });
  if (!place.ok) return place;
  const { origin, secret } = place.value;
  return succeed({ provider: words.models.labels[row.labelKey], address: origin, hasKey: secret !== null });
}

/** The providers as people choose among them, with what each wants to be set up. */
export function providerChoices(rows: readonly ProviderRow[] = providers) {
  return rows.map(({ id, labelKey, baseUrl, keyName, keyNeeded, local, table }) => ({
    id,
    label: words.models.labels[labelKey],
    baseUrl,
    keyName,
    keyNeeded,
    local,
    models: table.models.map(({ name }) => name),
  }));
}

// Looks for servers of this computer at the ports where they usually listen; only ever on the user's click.

interface LocalServer {
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
