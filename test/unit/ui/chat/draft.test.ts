import { readDraft, writeDraft } from '../../../../src/ui/state/draft';
import { textsOnDevice } from '../../../../src/core/ports/device';
import { memoryDevice } from '../../../support/memory-ports';

const mentions = [
  { kind: 'note', id: 'Boats/Heron.md', label: 'Boats/Heron' },
  { kind: 'tag', id: '#boat', label: '#boat' },
  { kind: 'tool', id: 'search_notes', label: 'search_notes' },
] as const;

describe('the draft', () => {
  it('R175 keeps text and mentions of all kinds, each chat its own', async () => {
    const device = memoryDevice();
    const unsaved = textsOnDevice(device);
    const draft = { text: '[[Boats/Heron]] [[#boat]] /search_notes', mentions };
    await writeDraft(unsaved, 'one', draft);
    expect(await readDraft(unsaved, 'one')).toEqual(draft);
    expect(await readDraft(unsaved, 'two')).toEqual({ text: '', mentions: [] });
    await writeDraft(unsaved, 'one', { text: '', mentions: [] });
    expect(device.get('draft-one')).toBeNull();
  });

  it.each([
    '{',
    '{"text":1,"mentions":[]}',
    '{"text":"x"}',
    '{"text":"x","mentions":[{"kind":"planet","id":"a","label":"b"}]}',
  ])('is empty when what is stored is %j', async (stored) => {
    const device = memoryDevice();
    device.set('draft-one', stored);
    expect(await readDraft(textsOnDevice(device), 'one')).toEqual({ text: '', mentions: [] });
  });
});
