/** The English catalogue: every word that a person reads, by area. Only this file and its areas hold interface words. */
import { agentFolder } from './en/agent-folder';
import { asking } from './en/asking';
import { commands } from './en/commands';
import { commit } from './en/commit';
import { diagnostics } from './en/diagnostics';
import { failures } from './en/failures';
import { goals } from './en/goals';
import { hooks } from './en/hooks';
import { images } from './en/images';
import { keeping } from './en/keeping';
import { models } from './en/models';
import { ownPrompt } from './en/own-prompt';
import { pane } from './en/pane';
import { prompts } from './en/prompts';
import { reader } from './en/reader';
import { remote } from './en/remote';
import { render } from './en/render';
import { request } from './en/request';
import { review } from './en/review';
import { sections } from './en/sections';
import { serverPane } from './en/server-pane';
import { servers } from './en/servers';
import { settings } from './en/settings';
import { spending } from './en/spending';
import { status } from './en/status';
import { subagents } from './en/subagents';
import { tools } from './en/tools';
import { writing } from './en/writing';

/** Areas by name; each is put together when one of its words is first read, since an app that starts needs few of them. */
export const en = areasOf({
  agentFolder,
  asking,
  commands,
  commit,
  diagnostics,
  failures,
  goals,
  hooks,
  images,
  keeping,
  models,
  ownPrompt,
  pane,
  prompts,
  reader,
  remote,
  render,
  request,
  review,
  sections,
  serverPane,
  servers,
  settings,
  spending,
  status,
  subagents,
  tools,
  writing,
});

function areasOf<Areas extends Readonly<Record<string, () => unknown>>>(
  areas: Areas,
): { readonly [Name in keyof Areas]: ReturnType<Areas[Name]> } {
  const made = {} as { [Name in keyof Areas]: ReturnType<Areas[Name]> };
  for (const [name, make] of Object.entries(areas)) {
    let area: unknown;
    Object.defineProperty(made, name, { get: () => (area ??= make()), enumerable: true });
  }
  return made;
}
