import { readDraft, writeDraft } from '../../../../src/ui/state/chat-state';
import { memoryDevice } from '../../../support/memory-ports';

const mentions = [
  { kind: 'note', id: 'Boats/Heron.md', label: 'Boats/Heron' },
  { kind: 'tag', id: '#boat', label: '#boat' },
  { kind: 'tool', id: 'search_notes', label: 'search_notes' },
] as const;

describe('the draft', () => {
  it('R175 keeps text and mentions of all kinds, each chat its own', () => {
    const device = memoryDevice();
    const draft = { text: '[[Boats/Heron]] [[#boat]] /search_notes', mentions };
    writeDraft(device, 'one', draft);
    expect(readDraft(device, 'one')).toEqual(draft);
    expect(readDraft(device, 'two')).toEqual({ text: '', mentions: [] });
    writeDraft(device, 'one', { text: '', mentions: [] });
    expect(device.get('draft-one')).toBeNull();
  });

  it.each([
    '{',
    '{"text":1,"mentions":[]}',
    '{"text":"x"}',
    '{"text":"x","mentions":[{"kind":"planet","id":"a","label":"b"}]}',
  ])('is empty when what is stored is %j', (stored) => {
    const device = memoryDevice();
    device.set('draft-one', stored);
    expect(readDraft(device, 'one')).toEqual({ text: '', mentions: [] });
  });
});
