/** Tells whether all that a request to a model needs is configured: provider, address and key. Nothing is sent. */
import type { ModelAccess } from '../core/diagnostics/check';
import { type Outcome, succeed } from '../core/ports/failure';
import type { Settings } from '../core/settings/settings';
import { words } from '../text';
import { hostedLimits } from './connection';
import { accessTo, type ModelPorts, openModel } from './open-model';
import { findPlace } from './place';
import { findProvider } from './providers';

export function checkAccess(id: string, settings: Settings, ports: ModelPorts): Outcome<ModelAccess> {
  const model = openModel(id, settings, ports);
  if (!model.ok) return model;
  const row = findProvider(id.slice(0, id.indexOf('/')));
  if (row === undefined) return succeed({ provider: null, address: '', hasKey: false });
  const place = findPlace({ ...accessTo(row, settings, ports), modelName: '', limits: hostedLimits });
  if (!place.ok) return place;
  const { origin, secret } = place.value;
  return succeed({ provider: words.models.labels[row.labelKey], address: origin, hasKey: secret !== null });
}
