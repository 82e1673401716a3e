/** Debugger: what is broken, and why. */
import type { Mode } from '../../../mode';
import tier3 from './tier3.md';

export const debuggerMode: Mode = { id: 'debugger', templates: { 3: tier3 } };
