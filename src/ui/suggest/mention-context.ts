/** What mention sources know of the world, as the pane's ports tell it now. */
import type { MentionContext } from '../../core/mentions/mention-source';
import type { PanePorts } from '../state/ports';

export type MentionPorts = Pick<
  PanePorts,
  'vault' | 'tools' | 'prompts' | 'commands' | 'mentionSources' | 'settings' | 'activeNote' | 'onChange'
>;

export function mentionContextOf(ports: MentionPorts): MentionContext {
  const { vault, tools, prompts, commands, settings, activeNote } = ports;
  return {
    vault,
    tools,
    prompts: prompts.registry.list(),
    commands,
    agentFolder: settings().agentFolder,
    activeNote: activeNote(),
  };
}
