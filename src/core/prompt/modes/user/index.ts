/** User: starts as a copy of Assistant, until the user writes templates of their own. */
import type { Mode } from '../../../settings/mode';
import { assistant } from '../assistant';

export const user: Mode = { id: 'user', templates: assistant.templates };
