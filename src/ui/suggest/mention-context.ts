/** What mention sources know of the world, as the pane's ports tell it now. */
import type { MentionContext } from '../../core/mentions/mention-source';
import type { PanePorts } from '../pane-ports';

export type MentionPorts = Pick<
  PanePorts,
  'vault' | 'tools' | 'commands' | 'mentionSources' | 'settings' | 'activeNote' | 'onChange'
>;

export function mentionContextOf({ vault, tools, commands, settings, activeNote }: MentionPorts): MentionContext {
  return { vault, tools, commands, agentFolder: settings().agentFolder, activeNote: activeNote() };
}
