/** How full the journal is from which writes are undone, and its bounds of age and size. */
import { Notice } from 'obsidian';
import { describeFailure } from '../../../core/ports/failure';
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';

const say = words.keeping;

export const journalRow: SettingRow = {
  group: 'notes',
  keys: [],
  define: ({ journal }) => ({
    name: say.journal,
    desc: words.diagnostics.writes.usage(journal?.usage() ?? null),
    render: (setting) => {
      const show = async (): Promise<void> => {
        const pruned = await journal?.prune();
        if (pruned?.ok === true) setting.setDesc(words.diagnostics.writes.usage(pruned.value));
        if (pruned?.ok === false) new Notice(describeFailure(pruned.failure));
      };
      setting.addButton((button) => button.setButtonText(say.prune).onClick(show));
    },
  }),
  read: () => undefined,
  write: () => ({}),
};
