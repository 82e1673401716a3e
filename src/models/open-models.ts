/** Everything about models that the rest of the app is handed, over the settings as they are at the moment. */
import type { ModelAccess } from '../core/diagnostics/check';
import type { Outcome } from '../core/ports/failure';
import type { Model, ModelDescription } from '../core/ports/model';
import type { Settings } from '../core/settings/settings';
import { checkAccess } from './check-access';
import { findLocalServers, type LocalServer } from './find-local-servers';
import { type ModelPorts, openModel, testProvider } from './open-model';
import { providerChoices } from './provider-choices';
import type { ListedModel } from './wire-format';

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
