/** Tags whose notes the agent never sees. */
import { words } from '../../../text';
import type { SettingRow } from '../setting-row';
import { linesOf } from '../lines-of';

export const keptTagsRow: SettingRow = {
  group: 'notes',
  keys: ['keptTags'],
  define: () => ({
    name: words.keeping.tags,
    desc: words.keeping.tagsDesc,
    control: { type: 'textarea', key: 'keptTags', rows: 2, placeholder: words.keeping.tagsExample },
  }),
  read: (_key, ports) => ports.settings().keptTags.join('\n'),
  write: (_key, value) => ({ keptTags: linesOf(value, withHash) }),
};

function withHash(line: string): string {
  const tag = line.replace(/^#+|\/+$/g, '').trim();
  return tag === '' ? '' : `#${tag}`;
}
