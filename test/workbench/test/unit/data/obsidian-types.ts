/** Compiles only if the emulator's data classes are assignable to Obsidian's. */
import type * as Obsidian from 'obsidian';
import type { Component } from '../../../src/obsidian/base/component';
import type { Events } from '../../../src/obsidian/base/events';
import type { Keymap, Scope } from '../../../src/obsidian/base/scope';
import type * as Text from '../../../src/obsidian/base/text';
import type { EmulatedAdapter } from '../../../src/obsidian/vault/adapter';
import type { FileManager } from '../../../src/obsidian/vault/file-manager';
import type { TFile, TFolder } from '../../../src/obsidian/vault/files';
import type * as Links from '../../../src/obsidian/index/links';
import type { MetadataCache } from '../../../src/obsidian/index/metadata-cache';
import type * as Search from '../../../src/obsidian/index/search';
import type { Vault } from '../../../src/obsidian/vault/vault';
import type * as Yaml from '../../../src/obsidian/index/yaml';

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
