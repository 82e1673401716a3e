/** The user guide: THE list of pages in docs/ that the plugin carries, by the names under which they are found. */
import chats from '../../docs/chats.md';
import contextFiles from '../../docs/context-files.md';
import environmentVariables from '../../docs/environment-variables.md';
import gettingStarted from '../../docs/getting-started.md';
import hooks from '../../docs/hooks.md';
import longChats from '../../docs/long-chats.md';
import memory from '../../docs/memory.md';
import modelsAndPrices from '../../docs/models-and-prices.md';
import privacy from '../../docs/privacy.md';
import savedPrompts from '../../docs/saved-prompts.md';
import servers from '../../docs/servers.md';
import settings from '../../docs/settings.md';
import skills from '../../docs/skills.md';
import subagents from '../../docs/subagents.md';
import systemPrompt from '../../docs/system-prompt.md';
import templates from '../../docs/templates.md';
import troubleshooting from '../../docs/troubleshooting.md';
import userMode from '../../docs/user-mode.md';
import workspaces from '../../docs/workspaces.md';
import writingAndUndo from '../../docs/writing-and-undo.md';

/** The text of each page. */
export const guide: Readonly<Record<string, string>> = {
  'Finding and changing chats.md': chats,
  'Context files.md': contextFiles,
  'Custom mode.md': userMode,
  'Custom system prompt.md': systemPrompt,
  'Environment variables.md': environmentVariables,
  'Getting started.md': gettingStarted,
  'Hooks.md': hooks,
  'Long chats.md': longChats,
  'MCP servers.md': servers,
  'Memory.md': memory,
  'Models and prices.md': modelsAndPrices,
  'Privacy.md': privacy,
  'Saved prompts.md': savedPrompts,
  'Settings.md': settings,
  'Skills.md': skills,
  'Subagents.md': subagents,
  'Templates.md': templates,
  'Troubleshooting.md': troubleshooting,
  'Workspaces.md': workspaces,
  'Writing and undo.md': writingAndUndo,
};
