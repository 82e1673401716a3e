/**
 * THE list of mention sources; those with the same trigger are shown in this order. A new source is one file and one
 * line.
 */
import { commandMentions, toolMentions } from './commands';
import { folderMentions, imageMentions } from './files';
import type { MentionSource } from './mention-source';
import { noteMentions } from './note';
import { blockMentions, headingMentions } from './note-parts';
import { promptMentions, runPromptMentions, skillMentions, workspaceMentions } from './prompts';
import { resourceMentions } from './resources';
import { tagMentions } from './tag';

export const mentionSources: readonly MentionSource[] = [
  noteMentions,
  headingMentions,
  blockMentions,
  imageMentions,
  folderMentions,
  tagMentions,
  resourceMentions,
  commandMentions,
  skillMentions,
  toolMentions,
  runPromptMentions,
  promptMentions,
  workspaceMentions,
];
