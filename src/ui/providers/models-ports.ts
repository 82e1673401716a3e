/** ModelsPorts: what the pane and the settings ask of the models. */
import type { Failure } from '../../core/ports/failure';
import type { ModelDescription } from '../../core/ports/model';
import type { ModelFacts } from '../../core/settings/settings';

/** A server of this computer that answered. */
export interface FoundServer {
  readonly provider: string;
  readonly label: string;
  readonly models: readonly (ModelFacts & { readonly name: string })[];
  /** Why it cannot be used although it is there. */
  readonly failure?: Failure;
}

export interface ModelsPorts {
  /** What is known of a model apart from what the user set for it; null for one that there is not. */
  known(id: string): ModelDescription | null;
  /** What holds of a model, the user's word first; null for one that there is not. */
  described(id: string): ModelDescription | null;
  findLocalServers(): Promise<readonly FoundServer[]>;
  /** Sets a server up with what it offers, and has this model of it answer from now on. */
  use(server: FoundServer, modelName: string): Promise<void>;
}
