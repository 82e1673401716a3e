/** The English catalogue: every word that a person reads, by area. Only this file and its areas hold interface words. */
import { agentFolder } from './en/agent-folder';
import { commands } from './en/commands';
import { failures } from './en/failures';
import { models } from './en/models';
import { pane } from './en/pane';
import { reader } from './en/reader';
import { render } from './en/render';
import { settings } from './en/settings';
import { tools } from './en/tools';

export const en = { agentFolder, commands, failures, models, pane, reader, render, settings, tools };
