/** The user guide: THE list of pages in docs/ that the plugin carries, by the names under which they are found. */
import hooks from '../../docs/hooks.md';
import savedPrompts from '../../docs/saved-prompts.md';
import servers from '../../docs/servers.md';
import settings from '../../docs/settings.md';
import templates from '../../docs/templates.md';
import userMode from '../../docs/user-mode.md';

export const guide: Readonly<Record<string, string>> = {
  'Custom mode.md': userMode,
  'Hooks.md': hooks,
  'MCP servers.md': servers,
  'Saved prompts.md': savedPrompts,
  'Settings.md': settings,
  'Templates.md': templates,
};
