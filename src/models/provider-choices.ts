/** The providers as people choose among them, with what each wants to be set up. */
import { words } from '../text';
import type { ProviderRow } from './provider-row';
import { providers } from './providers';

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
