/** Assistant: general questions over the vault. */
import type { Mode } from '../../../mode';
import tier1 from './tier1.md';
import tier3 from './tier3.md';

export const assistant: Mode = { id: 'assistant', templates: { 1: tier1, 3: tier3 } };
