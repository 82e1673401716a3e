/** The English catalog: every word that users read, by area. Only this file and its areas contain interface words. */
import { agentFolder, failures, hooks, subagents, tools } from './agent';
import { asking, branches, commandNames, commands, images, chatView, render } from './chat';
import { chatNotes, chats, find } from './chats';
import { inspector, request, spending, status } from './context';
import { diagnostics } from './diagnostics';
import { gate } from './gate';
import { goals } from './goals';
import { instructions } from './instructions';
import { models, reader } from './models';
import { commit, ownPrompt, prompts, starters } from './prompts';
import { review } from './review';
import { sections } from './sections';
import { remote, serverSettings, servers, signIn } from './servers';
import { settings } from './settings';
import { usage } from './usage';
import { keeping, writing } from './writing';

/**
 * Areas by name; each is built when one of its words is first read, because starting Obsidian needs few of them. Each is
 * a function that the engine passes over until then; arrow functions it parses with the file.
 */
export const en = areasOf({
  agentFolder,
  asking,
  branches,
  chatNotes,
  chats,
  commandNames,
  commands,
  commit,
  diagnostics,
  failures,
  find,
  gate,
  goals,
  hooks,
  images,
  inspector,
  instructions,
  keeping,
  models,
  ownPrompt,
  chatView,
  prompts,
  reader,
  remote,
  render,
  request,
  review,
  sections,
  serverSettings,
  servers,
  settings,
  signIn,
  spending,
  starters,
  status,
  subagents,
  tools,
  usage,
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
