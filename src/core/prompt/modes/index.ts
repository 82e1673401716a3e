/** THE list of modes, in the order of the mode picker. */
import type { Mode } from '../template-record';
import tier1 from './assistant/tier1.eta.md';
import tier2 from './assistant/tier2.eta.md';
import tier3 from './assistant/tier3.eta.md';
import tier4 from './assistant/tier4.eta.md';
import tier5 from './assistant/tier5.eta.md';
import debuggerTier1 from './debugger/tier1.eta.md';
import debuggerTier2 from './debugger/tier2.eta.md';
import debuggerTier3 from './debugger/tier3.eta.md';
import debuggerTier4 from './debugger/tier4.eta.md';
import debuggerTier5 from './debugger/tier5.eta.md';
import developerTier1 from './developer/tier1.eta.md';
import developerTier2 from './developer/tier2.eta.md';
import developerTier3 from './developer/tier3.eta.md';
import developerTier4 from './developer/tier4.eta.md';
import developerTier5 from './developer/tier5.eta.md';
import planningTier1 from './planning/tier1.eta.md';
import planningTier2 from './planning/tier2.eta.md';
import planningTier3 from './planning/tier3.eta.md';
import planningTier4 from './planning/tier4.eta.md';
import planningTier5 from './planning/tier5.eta.md';

/** Assistant: general questions about the vault. */
export const assistant: Mode = { id: 'assistant', templates: { 1: tier1, 2: tier2, 3: tier3, 4: tier4, 5: tier5 } };

/** Debugger: what is broken, and why. */
const debuggerMode: Mode = {
  id: 'debugger',
  templates: { 1: debuggerTier1, 2: debuggerTier2, 3: debuggerTier3, 4: debuggerTier4, 5: debuggerTier5 },
};

/** Developer: vault automation, templates, queries. */
const developer: Mode = {
  id: 'developer',
  templates: { 1: developerTier1, 2: developerTier2, 3: developerTier3, 4: developerTier4, 5: developerTier5 },
};

/** Planning: goals, structure, strategy. */
const planning: Mode = {
  id: 'planning',
  templates: { 1: planningTier1, 2: planningTier2, 3: planningTier3, 4: planningTier4, 5: planningTier5 },
};

/** User: a copy of Assistant until the user writes templates. */
const user: Mode = { id: 'user', templates: assistant.templates };

export const modes: readonly Mode[] = [assistant, developer, planning, debuggerMode, user];
