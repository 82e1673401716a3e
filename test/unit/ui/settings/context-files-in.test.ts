/** @jest-environment jsdom */
/** The setting for where the vault's context file appears in a chat. */
import type { App } from 'obsidian';
import { defaultSettings, type Settings } from '../../../../src/core/settings/settings';
import { contextFilesInRow } from '../../../../src/ui/settings/notes-page';
import { settingRows } from '../../../../src/ui/settings/settings-tab';
import type { SettingsPorts } from '../../../../src/ui/state/ports';
import { readHostState } from '../../../../src/vault/host-state';

describe('the setting for context files', () => {
  const portsWith = (settings: Settings): SettingsPorts => ({ settings: () => settings }) as unknown as SettingsPorts;

  it('R200 shows and changes where the context file stands; in every prompt is the default', () => {
    expect(settingRows).toContain(contextFilesInRow);
    expect(contextFilesInRow.read('contextFilesIn', portsWith(defaultSettings))).toBe('prompt');
    const change = contextFilesInRow.write('contextFilesIn', 'first-touch', portsWith(defaultSettings));
    expect(change).toEqual({ contextFilesIn: 'first-touch' });
    expect(contextFilesInRow.write('contextFilesIn', 'elsewhere', portsWith(defaultSettings))).toEqual({
      contextFilesIn: 'prompt',
    });
  });

  it('R200 reaches what prompts are written from', () => {
    for (const contextFilesIn of ['prompt', 'first-touch'] as const) {
      const around = readHostState({} as App, () => ({ ...defaultSettings, contextFilesIn }), {
        isRepository: () => false,
        isHidden: () => false,
      });
      expect(around.settings().contextFilesIn).toBe(contextFilesIn);
    }
  });
});
