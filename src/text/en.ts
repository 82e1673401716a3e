/** The English catalogue: every word that a person reads, by area. Only this file and its areas hold interface words. */
import { agentFolder } from './en/agent-folder';
import { commands } from './en/commands';
import { diagnostics } from './en/diagnostics';
import { failures } from './en/failures';
import { goals } from './en/goals';
import { hooks } from './en/hooks';
import { models } from './en/models';
import { ownPrompt } from './en/own-prompt';
import { pane } from './en/pane';
import { prompts } from './en/prompts';
import { reader } from './en/reader';
import { render } from './en/render';
import { request } from './en/request';
import { sections } from './en/sections';
import { settings } from './en/settings';
import { status } from './en/status';
import { subagents } from './en/subagents';
import { tools } from './en/tools';
import { writing } from './en/writing';

export const en = {
  agentFolder,
  commands,
  diagnostics,
  failures,
  goals,
  hooks,
  models,
  ownPrompt,
  pane,
  prompts,
  reader,
  render,
  request,
  sections,
  settings,
  status,
  subagents,
  tools,
  writing,
};
