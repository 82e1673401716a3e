/** Developer: vault automation, templates, queries. */
import type { Mode } from '../../../mode';
import tier3 from './tier3.md';

export const developer: Mode = { id: 'developer', templates: { 3: tier3 } };
