/** User: starts as a copy of Assistant, until the user writes templates of their own. */
import { assistant } from '../assistant';
import type { Mode } from '../../../mode';

export const user: Mode = { id: 'user', templates: assistant.templates };
