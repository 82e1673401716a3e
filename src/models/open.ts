/** Opens models: finds the model for an id, its access, the provider choices, and local servers. */
import type { ModelAccess } from '../core/diagnostics/check';
import { type Destination, type Gate, openSending, type ProviderSending } from '../core/gate/gate';
import { type Failure, fail, type Outcome, succeed } from '../core/ports/failure';
import type { Model, ModelDescription } from '../core/ports/model';
import type { ProviderSettings, Settings } from '../core/settings/settings';
import { words } from '../text';
import { createBuiltInReader } from './built-in-reader/built-in-reader';
import { createModel } from './create-model';
import type { ReadImage } from './encode-plan';
import { hostedLimits } from './http/connection';
import { addressOf, isSendableKey, resolveEndpoint } from './http/endpoint';
import type { Timing, Transport } from './http/transport';
import type { ListedModel } from './http/wire-format';
import { listModels } from './query-server';
import { findProvider, providers } from './providers';
import type { ProviderRow } from './providers/provider';

export interface SettingsPort {
  readonly settings: Settings;
  change(part: Partial<Settings>): Promise<void>;
}

export interface ModelPorts {
  readonly transport: Transport;
  readonly timing: Timing;
  /** Reads the bytes of an image in a request. */
  readonly readImage?: ReadImage;
  readonly gate: ModelGate;
  /** Stores an API key on this device under a name; absent where none is stored. */
  readonly storeKey?: (keyName: string, key: string) => Outcome<void>;
}

/** What models ask of the gate. */
export type ModelGate = Pick<
  Gate,
  'admit' | 'allow' | 'allowDestination' | 'allowanceOf' | 'chooseKey' | 'enterAddress' | 'revoke'
>;

interface FoundProvider {
  /** The provider row's id. */
  readonly provider: string;
  readonly label: string;
  /** Its models; empty if it responds without any. */
  readonly models: readonly ListedModel[];
  /** Why it cannot be used. */
  readonly failure?: Failure;
}

export interface Models {
  readonly choices: ReturnType<typeof providerChoices>;
  /** Returns the model with an id such as `anthropic/name`. */
  readonly open: (id: string) => Outcome<Model>;
  /** Returns whether everything that a request needs is configured; sends nothing. */
  readonly access: (id: string) => Outcome<ModelAccess>;
  /** Describes a model without the user's settings for it; null for an unknown id. */
  known(id: string): ModelDescription | null;
  /** Describes a model, the user's settings first; null for an unknown id. */
  described(id: string): ModelDescription | null;
  readonly testConnection: (provider: string) => Promise<Outcome<readonly ListedModel[]>>;
  findLocalServers(): Promise<readonly FoundProvider[]>;
  /** Stores the key of a provider on this device, where the user entered it, for the provider's address alone. */
  saveKey(provider: string, key: string): Promise<Outcome<void>>;
  /** Stores the key of a provider, and requests its models with it. */
  connect(provider: string, key: string): Promise<FoundProvider>;
  /** Saves a provider with its models, and selects a model by its id; null selects none. */
  use(found: FoundProvider, model: string | null): Promise<void>;
  /** Stores that this model writes its tool calls as text. */
  readonly callToolsInText: (id: string) => Promise<void>;
  /** Allows on this device what a failure asks, if the settings still ask exactly that. */
  readonly allowAsked: (failure: Failure) => boolean;
  readonly sending: ProviderSending;
}

/** Returns everything about models that other code needs, based on the current settings at each call. */
export function openModels(file: SettingsPort, ports: ModelPorts): Models {
  const describe = (id: string, settings: Settings): ModelDescription | null => {
    const found = openModel(id, settings, ports);
    return found.ok ? found.value.description : null;
  };
  const sending = openSending(ports.gate, (id) => destinationOf(knownProvider(id), file.settings));
  const saveKey: Models['saveKey'] = async (id, entered) => {
    const row = knownProvider(id);
    const key = entered.trim();
    const { keyUnusable, keyUnusableRemedy } = words.models;
    if (!isSendableKey(key)) {
      const remedy = keyUnusableRemedy;
      return fail({ kind: 'invalid-input', words: keyUnusable(words.models.labels[row.labelKey]), remedy });
    }
    const keyName = row.keyName || `docent-${id}-key`;
    const stored = ports.storeKey?.(keyName, key) ?? succeed(undefined);
    if (!stored.ok) return stored;
    sending.chooseKey(id, keyName);
    const { providers } = file.settings;
    await file.change({ providers: { ...providers, [id]: { baseUrl: '', models: [], ...providers[id], keyName } } });
    return stored;
  };
  return {
    choices: providerChoices(),
    saveKey,
    connect: async (provider, key) => {
      const found = { provider, label: words.models.labels[knownProvider(provider).labelKey] };
      const saved = await saveKey(provider, key);
      const listed = saved.ok ? await testProvider(provider, file.settings, ports) : saved;
      return listed.ok ? { ...found, models: listed.value } : { ...found, models: [], failure: listed.failure };
    },
    open: (id) => openModel(id, file.settings, ports),
    access: (id) => checkAccess(id, file.settings, ports),
    known: (id) => {
      const { [id]: _chosen, ...others } = file.settings.modelFacts;
      return describe(id, { ...file.settings, modelFacts: others, contextWindow: null });
    },
    described: (id) => describe(id, file.settings),
    testConnection: (provider) => testProvider(provider, file.settings, ports),
    findLocalServers: () => findLocalServers(file.settings, ports),
    use: ({ provider, models }, model) => {
      const { providers } = file.settings;
      const reported = Object.fromEntries(models.map(({ name, ...facts }) => [name, facts]));
      const names = models.map(({ name }) => name);
      return file.change({
        ...(model !== null && { model }),
        // Fields that a newer version stored are retained.
        providers: {
          ...providers,
          [provider]: { baseUrl: '', keyName: '', ...providers[provider], models: names, reported },
        },
      });
    },
    callToolsInText: (id) => {
      const { modelFacts } = file.settings;
      return file.change({ modelFacts: { ...modelFacts, [id]: { ...modelFacts[id], toolCalling: 'text' } } });
    },
    allowAsked: (failure) => {
      const destinations = providers.map((row) => destinationOf(row, file.settings));
      return ports.gate.allow(failure, destinations);
    },
    sending,
  };
}

function knownProvider(id: string): ProviderRow {
  const row = findProvider(id);
  if (row === undefined) throw new Error(`No provider has the id ${id}.`);
  return row;
}

const reader = createBuiltInReader();

/** Returns the model for an id such as `anthropic/name` under the user's settings. */
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

/** Returns whether everything that a request needs is configured: provider, address and key. Sends nothing. */
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

/** Requests a provider's models, which also shows whether address and key are right. */
async function testProvider(
  id: string,
  settings: Settings,
  ports: ModelPorts,
): Promise<Outcome<readonly ListedModel[]>> {
  return listModels({ ...accessTo(knownProvider(id), settings, ports), signal: new AbortController().signal });
}

/** Returns the providers as the settings list them, with what each needs for setup. */
export function providerChoices(rows: readonly ProviderRow[] = providers) {
  return rows.map(({ id, labelKey, baseUrl, keyName, keyNeeded, keyPage, local, table }) => ({
    id,
    label: words.models.labels[labelKey],
    baseUrl,
    keyName,
    keyNeeded,
    ...(keyPage === undefined ? {} : { keyPage }),
    local,
    models: table.models.map(({ name }) => name),
  }));
}

/** Short, because a server on the same computer responds at once or not at all. */
const limits = { ...hostedLimits, connectMilliseconds: 3_000 };

/**
 * Searches for servers on this computer at their default ports, only when the user clicks. Returns those that respond,
 * including those that refuse cross-origin requests; ports without a server are left out.
 */
export async function findLocalServers(settings: Settings, ports: ModelPorts): Promise<readonly FoundProvider[]> {
  const rows = providers.filter(({ local, baseUrl }) => local && baseUrl !== '');
  const found = await Promise.all(
    rows.map(async (row): Promise<FoundProvider[]> => {
      const server = { provider: row.id, label: words.models.labels[row.labelKey] };
      const access = accessTo(row, settings, ports);
      const listed = await listModels({ ...access, limits, signal: new AbortController().signal });
      if (listed.ok) return [{ ...server, models: listed.value }];
      return listed.failure.kind === 'network' ? [] : [{ ...server, models: [], failure: listed.failure }];
    }),
  );
  return found.flat();
}

function accessTo(row: ProviderRow, settings: Settings, ports: ModelPorts) {
  const chosen: ProviderSettings | undefined = settings.providers[row.id];
  return {
    row,
    baseUrl: chosen?.baseUrl ?? '',
    admit: (address: string) => ports.gate.admit({ ...destinationOf(row, settings), address }),
    transport: ports.transport,
    timing: ports.timing,
  };
}

function destinationOf(row: ProviderRow, settings: Settings): Destination {
  const { baseUrl = '', keyName = '' } = settings.providers[row.id] ?? {};
  return {
    id: row.id,
    label: words.models.labels[row.labelKey],
    address: addressOf(row, baseUrl),
    ownAddress: row.baseUrl,
    keyName: keyName || row.keyName,
    ownKeyName: row.keyName,
  };
}
