/** Developer: vault automation, templates, queries. */
import type { Mode } from '../../../settings/mode';
import tier1 from './tier1.md';
import tier2 from './tier2.md';
import tier3 from './tier3.md';
import tier4 from './tier4.md';
import tier5 from './tier5.md';

export const developer: Mode = { id: 'developer', templates: { 1: tier1, 2: tier2, 3: tier3, 4: tier4, 5: tier5 } };
