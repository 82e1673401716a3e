/** THE list of mention sources; those of one trigger are shown in this order. A new source is one file and one line. */
import { blockMentions } from './block';
import { commandMentions } from './command';
import { folderMentions } from './folder';
import { headingMentions } from './heading';
import { imageMentions } from './image';
import type { MentionSource } from './mention-source';
import { noteMentions } from './note';
import { promptMentions } from './prompt';
import { runPromptMentions } from './run-prompt';
import { tagMentions } from './tag';
import { toolMentions } from './tool';
import { workspaceMentions } from './workspace';

export const mentionSources: readonly MentionSource[] = [
  noteMentions,
  headingMentions,
  blockMentions,
  imageMentions,
  folderMentions,
  tagMentions,
  commandMentions,
  toolMentions,
  runPromptMentions,
  promptMentions,
  workspaceMentions,
];
