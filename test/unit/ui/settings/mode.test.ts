/** @jest-environment jsdom */
/** What a person reads in the settings about modes. */
import type { SettingDefinitionBase } from 'obsidian';
import { installDom } from 'obsidian-workbench/jest';
import { modeIds } from '../../../../src/core/settings/mode';
import { words } from '../../../../src/text';
import { modeRow } from '../../../../src/ui/settings/chats-page';
import type { SettingsPorts } from '../../../../src/ui/state/ports';

describe('the mode in the settings', () => {
  installDom(window);
  const { desc, control } = modeRow.define({} as SettingsPorts) as SettingDefinitionBase & {
    control: { options: Record<string, string> };
  };
  const lines = [...(desc as DocumentFragment).children].map(({ textContent }) => textContent ?? '');

  it('R110 shows for each mode that can be chosen one line on what it is for', () => {
    expect(Object.keys(control.options)).toEqual([...modeIds]);
    expect(lines).toHaveLength(modeIds.length);
    modeIds.forEach((id, index) => {
      const [label, guidance = ''] = (lines[index] ?? '').split(': ');
      expect([id, label]).toEqual([id, control.options[id]]);
      expect([id, guidance]).toEqual([id, words.settings.modeGuidance[id]]);
      expect([id, guidance.split(' ').length >= 5]).toEqual([id, true]);
    });
    expect(new Set(lines).size).toBe(modeIds.length);
  });

  it.each([
    ['assistant', /any kind/],
    ['developer', /templates, queries/],
    ['planning', /structure/],
    ['debugger', /trouble/],
    ['user', /Assistant.*your own/],
  ] as const)('R110 says of %s what the mode is made for', (id, subject) => {
    expect(lines[modeIds.indexOf(id)]).toMatch(subject);
  });
});
