/** THE list of mention sources. A new trigger is one file and one line here. */
import type { MentionSource } from './mention-source';
import { noteMentions } from './note';

export const mentionSources: readonly MentionSource[] = [noteMentions];
