/** Finds the model that an id such as `anthropic/name` stands for, under the user's settings. */
import { fail, type Outcome, succeed } from '../core/ports/failure';
import type { Model } from '../core/ports/model';
import type { ProviderSettings, Settings } from '../core/settings/settings';
import { words } from '../text';
import { createBuiltInReader } from './built-in-reader/built-in-reader';
import { createModel } from './create-model';
import { listModels } from './list-models';
import type { Pace } from './pace';
import type { ProviderRow } from './provider-row';
import { findProvider } from './providers';
import type { ReadImage } from './read-images';
import type { Transport } from './transport';
import type { ListedModel } from './wire-format';

export interface ModelPorts {
  readonly transport: Transport;
  readonly pace: Pace;
  /** The bytes of a picture that a request refers to. */
  readonly readImage?: ReadImage;
  /** The secret of this name for a request to this origin; ownOrigin is the provider's usual one. */
  key(keyName: string, origin: string, ownOrigin: string): string | null;
}

const reader = createBuiltInReader();

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
export async function testProvider(
  id: string,
  settings: Settings,
  ports: ModelPorts,
): Promise<Outcome<readonly ListedModel[]>> {
  const row = findProvider(id);
  if (row === undefined) throw new Error(`No provider has the id ${id}.`);
  return listModels({ ...accessTo(row, settings, ports), signal: new AbortController().signal });
}

export function accessTo(row: ProviderRow, settings: Settings, ports: ModelPorts) {
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
