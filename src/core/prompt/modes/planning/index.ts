/** Planning: goals, structure, strategy. */
import type { Mode } from '../../../mode';
import tier3 from './tier3.md';

export const planning: Mode = { id: 'planning', templates: { 3: tier3 } };
