/** The composition root: opens each area and connects them when a view or a command first needs them. */
import workerCode from 'docent:count-worker';
import ranks from 'docent:packed-ranks';
import { apiVersion, Notice, Platform, type Plugin, requestUrl } from 'obsidian';
import * as z from 'zod/v4';
import type { EventLog } from './core/diagnostics/event-log';
import { Gate } from './core/gate/gate';
import { guardNetwork } from './core/gate/guard-network';
import type { PluginEvents } from './core/hooks/context-events';
import type { Hooks } from './core/hooks/hooks';
import type { PluginSkills } from './core/hooks/plugin-skills';
import { HomeSkills, joinSkills } from './core/library/home-skills';
import { describeFailure } from './core/ports/failure';
import type { DeviceStorage } from './core/ports/device';
import type { BufferedRequest } from './core/ports/network';
import { findOverride } from './core/prompt/override';
import { openDesktop } from './desktop/open';
import type { Transport } from './models/http/transport';
import { openModels } from './models/open';
import { type Agent, openAgent } from './open-agent';
import { openMcp } from './remote/open';
import { OAuthSignIns } from './remote/sign-in';
import { openTokens } from './tokens/open';
import { confirmAction } from './ui/components/dialogs';
import { openImages } from './ui/chat/images';
import { openUi, type Ui } from './ui/open';
import { words } from './text';
import type { ApiKeys } from './vault/api-keys';
import { pathsOf } from './vault/changes';
import {
  clock,
  dayOf,
  followAway,
  identifiers,
  randomText,
  runExclusively,
  timing,
  watchAway,
  writerOf,
} from './vault/device';
import { digest, digestOf } from './vault/hash';
import { openVault, vaultRootOf } from './vault/open';
import type { SettingsFile } from './vault/settings-file';

// Without this, zod tests whether it may run generated code.
z.config({ jitless: true });

/** What exists from the moment Obsidian loads the plugin. */
export interface Started {
  readonly file: SettingsFile;
  readonly device: DeviceStorage;
  readonly keys: ApiKeys;
  readonly log: EventLog;
  readonly hooks: Hooks;
  readonly events: PluginEvents;
  readonly skills: PluginSkills;
}

/** What the plugin's view and commands need. */
export type Docent = Pick<Ui, 'viewPorts' | 'commands'> &
  Pick<Agent, 'buildSystemPrompt'> & {
    /** Ends the sign-in to a server that a final address belongs to, and returns what to say about it. */
    finishSignIn(parameters: Readonly<Record<string, string>>): Promise<string>;
  };

export function openDocent(plugin: Plugin, started: Started): Docent {
  const { file, device, keys, log, hooks, events, skills } = started;
  const { app, manifest } = plugin;
  const { after, whenIdle } = timing;
  const gate = new Gate({ device, secret: (keyName) => keys.read(keyName) });
  const network = {
    fetch: (url: string, init: RequestInit) => window.fetch(url, init),
    requestUrl: (request: BufferedRequest) => requestUrl(request),
  };
  const transport: Transport = { ...guardNetwork(network, gate), memory: device };
  const desktop = openDesktop({ Platform, vaultRoot: vaultRootOf(app.vault.adapter) });
  const { computer } = desktop;
  const vault = openVault(plugin, {
    ...{ file, device, realPaths: desktop.realPaths },
    ownPrompt: () => {
      const { settings } = file;
      const { place } = findOverride({ computer, settings: () => settings, agentFolder: () => settings.agentFolder });
      return place.kind === 'vault' ? place.path : null;
    },
    confirmFolder: (missing, found) => confirmAction(app, questionAboutFolder(missing, found)),
  });
  const { writing } = vault;
  const models = openModels(file, {
    ...{ transport, timing: timing },
    readImage: vault.images.read,
    gate,
    storeKey: (keyName, key) => keys.store(keyName, key),
  });
  const tokens = openTokens({ ranks, workerCode, after }, device);
  const signIns = new OAuthSignIns({
    ...{ ...transport, timing, gate, clock, digest, secrets: keys, random: randomText, exclusively: runExclusively },
    servers: () => file.settings.mcpServers,
    signedIn: (name) => void servers.connect(name),
  });
  const connect = openMcp({
    signIns: signIns.tokens,
    ...{ ...transport, timing: timing, version: manifest.version },
    admit: (keyName, url) => gate.admitServer(keyName, url)?.secret ?? null,
    note: (text) => log.add('servers', text),
  });
  const images = openImages({ vault: vault.vault, files: vault.images, digest: digestOf });
  const homeSkills = new HomeSkills({ computer, device, clock, parse: vault.parseYaml });
  const agent = openAgent({
    ...{ file, device, gate, log, hooks, events, vault, models, tokens, connect, computer },
    givenSkills: joinSkills(
      () => skills.skills,
      () => homeSkills.skills,
    ),
    refreshSkills: () => homeSkills.refresh(),
    ...{ clock, identifiers, digest, after, whenIdle, watchAway, writer: writerOf(device) },
    report: (text) => void new Notice(text),
    images: images.attached,
    promptSent: (system) => ui.systemPrompt.promptSent(system),
  });
  const { chat, chats, chatIndex, chatNotes, registry, servers, sections, commands, check } = agent;
  const mentionTokens = tokens.mentionsOf(vault.vault, (path, signal) => agent.notes.read(path, signal));
  const ui = openUi(plugin, {
    ...{
      chat,
      chats,
      chatIndex,
      chatNotes,
      registry,
      servers,
      models,
      images,
      mentionTokens,
      commands,
      check,
      writing,
      signIns,
    },
    mentionSources: agent.mentionSources,
    searchIndex: agent.searchIndex,
    sentRequests: agent.sentRequests,
    usage: { day: dayOf, save: (table) => writing.saveExport(`Usage ${dayOf(clock.now())}.csv`, table) },
    homeSkills,
    untrusted: writing.ports.untrusted,
    instructions: {
      files: vault.instructions,
      allow: vault.allowInstructions,
      read: (path) => vault.readInstructions(path),
    },
    systemPrompt: {
      ...{ sections, computer, device, digest, files: vault.textFiles, start: agent.firstMode },
      templateBudget: (tier) => agent.templateBudgets[tier],
      note: (text) => log.add('prompt', text),
    },
    prompts: {
      notes: vault.promptNotes,
      folder: vault.promptFolder,
      repository: vault.repository,
      isFollowed: vault.isFollowed,
    },
    change: (part) => file.change(part),
    damaged: file,
    bindKey: (keyName, address) => gate.bindKey(keyName, address),
    createFolder: vault.createFolder,
    firstOpened: async () => {
      vault.follow((batch) => {
        agent.changed(batch);
        mentionTokens.forget(pathsOf(batch));
      });
      // After the vault itself, whose names decide how a link is written.
      vault.changes.followMoves((from, to) => agent.moved(from, to));
      await vault.findAgentFolder();
      const lookAtChats = (conversations?: ReadonlySet<string>): void => {
        void chats.look(conversations);
        chatIndex.touched();
      };
      // Each question to the file system takes milliseconds on a phone, and chats stay live until the app is closed.
      vault.followChats(lookAtChats);
      plugin.registerDomEvent(window, 'focus', () => lookAtChats());
      followAway((look) => plugin.registerDomEvent(activeDocument, 'visibilitychange', look));
      void servers.start();
      await Promise.all([vault.refresh(), homeSkills.refresh(), writing.start()]);
      await vault.prepare(new AbortController().signal);
      // Before that, the vault does not list all of its notes.
      app.workspace.onLayoutReady(() => agent.searchIndex.start());
    },
    onMoved: (listener) => vault.changes.followMoves(listener),
    movesSince: (time) => writing.moves.since(time),
    onChange: (listener) => {
      const releases = [
        vault.changes,
        vault.instructions,
        file,
        gate,
        registry,
        servers,
        skills,
        homeSkills,
        signIns,
      ].map((source) => source.subscribe(listener));
      return () => releases.forEach((release) => release());
    },
    onPromptsChanged: (listener) => {
      vault.followPrompts(listener);
      plugin.register(vault.instructions.subscribe(listener));
      plugin.register(file.subscribe(listener));
    },
    diagnostics: () =>
      agent.printDiagnostics({
        pluginVersion: manifest.version,
        appVersion: apiVersion,
        platform: Platform.isMobile ? 'mobile' : 'desktop',
        secrets: keys.valuesOf(file.settings),
      }),
  });
  plugin.register(() => agent.close());
  plugin.register(() => tokens.close());
  return {
    ...ui,
    buildSystemPrompt: agent.buildSystemPrompt,
    finishSignIn: async (parameters) => {
      const ended = await signIns.finish(parameters);
      return ended.ok ? words.signIn.signedIn(ended.value) : describeFailure(ended.failure);
    },
  };
}

function questionAboutFolder(missing: string, found: string): Parameters<typeof confirmAction>[1] {
  const { question, questionText, use } = words.agentFolder;
  return { title: question, text: questionText(missing, found), action: use(found), isHarmless: true };
}
