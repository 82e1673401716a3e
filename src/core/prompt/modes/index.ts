/** THE list of modes, in the order of the mode picker. */
import type { Mode } from '../../settings/mode';
import { assistant } from './assistant';
import { debuggerMode } from './debugger';
import { developer } from './developer';
import { planning } from './planning';
import { user } from './user';

export const modes: readonly Mode[] = [assistant, developer, planning, debuggerMode, user];
