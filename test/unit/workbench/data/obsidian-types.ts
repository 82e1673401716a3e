/** Compiles only while the emulator's data classes can stand where Obsidian's are asked for. */
import type * as Obsidian from 'obsidian';
import type { Component } from '../../../workbench/emulator/base/component';
import type { Events } from '../../../workbench/emulator/base/events';
import type { Keymap, Scope } from '../../../workbench/emulator/base/scope';
import type * as Text from '../../../workbench/emulator/base/text';
import type { EmulatedAdapter } from '../../../workbench/emulator/data/adapter';
import type { FileManager } from '../../../workbench/emulator/data/file-manager';
import type { TFile, TFolder } from '../../../workbench/emulator/data/files';
import type * as Links from '../../../workbench/emulator/data/links';
import type { MetadataCache } from '../../../workbench/emulator/data/metadata-cache';
import type * as Search from '../../../workbench/emulator/data/search';
import type { Vault } from '../../../workbench/emulator/data/vault';
import type * as Yaml from '../../../workbench/emulator/data/yaml';

type Fits<Emulated extends Real, Real> = [Emulated, Real];
type FitsAsModule<Emulated, Real> = Emulated extends Pick<Real, keyof Emulated & keyof Real> ? true : never;

export type ClassChecks = [
  Fits<Events, Obsidian.Events>,
  Fits<Component, Obsidian.Component>,
  Fits<Scope, Obsidian.Scope>,
  Fits<Keymap, Obsidian.Keymap>,
  Fits<EmulatedAdapter, Obsidian.DataAdapter>,
  Fits<TFile, Obsidian.TFile>,
  Fits<TFolder, Obsidian.TFolder>,
  Fits<Vault, Obsidian.Vault>,
  Fits<MetadataCache, Obsidian.MetadataCache>,
  Fits<FileManager, Obsidian.FileManager>,
];

export const moduleChecks: [
  FitsAsModule<typeof Text, typeof Obsidian>,
  FitsAsModule<typeof Links, typeof Obsidian>,
  FitsAsModule<typeof Search, typeof Obsidian>,
  FitsAsModule<typeof Yaml, typeof Obsidian>,
] = [true, true, true, true];
