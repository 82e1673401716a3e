/** @jest-environment jsdom */
import type { AttachedForm } from '../../../../src/core/context/prepare-turn';
import type { Mention } from '../../../../src/core/session/entry';
import { describeNoteChip, openerOf } from '../../../../src/ui/mentions/chips';

const note: Mention = { kind: 'note', id: 'Book.md', label: 'Book' };
const whole: Mention = { ...note, form: 'whole' };
const form = (changes: Partial<AttachedForm> = {}): AttachedForm => ({
  isLong: true,
  inPart: true,
  sent: 'text',
  asBefore: false,
  isCut: false,
  ...changes,
});

function describeChip(mention: Mention, attached: AttachedForm | null, sent = '3,200') {
  const chosen: boolean[] = [];
  const look = describeNoteChip(mention, attached, { whole: '98,544', sent }, (isWhole) => chosen.push(isWhole));
  look.act?.run();
  return { size: look.size, warning: look.warning, act: look.act?.label, chosen };
}

describe('the chip of a note', () => {
  it('shows the tokens of one that is not long, or not planned yet', () => {
    expect(describeChip(note, null)).toEqual({ size: '98,544 tokens', warning: undefined, act: undefined, chosen: [] });
  });

  it('says why one that is no text is not sent, and prices nothing', () => {
    const problem = '“Book.md” is not a text file.';
    const attached = form({ isLong: false, inPart: false, sent: problem, problem });
    expect(describeChip(note, attached)).toEqual({ size: '', warning: problem, act: undefined, chosen: [] });
  });

  it('offers a long one whole, with the price of both', () => {
    const act = 'Attach whole (98,544 tokens)';
    expect(describeChip(note, form())).toMatchObject({ size: 'Outline · 3,200 tokens', act, chosen: [true] });
    expect(describeChip(note, form(), '')).toMatchObject({ size: 'Outline', act });
    expect(describeChip(note, form({ asBefore: true, sent: null }))).toMatchObject({
      size: 'Outline · already sent',
      act,
    });
  });

  it('says of one that is not long how much of it fits with the others', () => {
    const attached = form({ isLong: false, inPart: false, isCut: true });
    expect(describeChip(note, attached, '900')).toMatchObject({
      size: '900 of 98,544 tokens fit',
      warning:
        'Book is shortened, because the attached notes don’t all fit. Attach fewer notes, or choose a model with a larger context window.',
      act: undefined,
    });
  });

  it('says of the whole how much fits, and offers the outline again', () => {
    const act = 'Attach outline';
    const attached = form({ inPart: false });
    expect(describeChip(whole, attached)).toMatchObject({ size: '98,544 tokens', act, chosen: [false] });
    expect(describeChip(whole, { ...attached, isCut: true }, '12,800')).toMatchObject({
      size: '12,800 of 98,544 tokens fit',
      warning: 'Book doesn’t fit. Attach its outline, or choose a model with a larger context window.',
    });
    expect(describeChip(whole, { ...attached, isCut: true, sent: null }, '')).toMatchObject({
      size: 'Only the name fits',
    });
    // The plan is from before the choice.
    expect(describeChip(whole, form())).toMatchObject({ size: '98,544 tokens', warning: undefined, act });
  });
});

it('opens what is a note or an image, and a prompt or skill that is a note', () => {
  const opened: string[] = [];
  const ports = {
    vault: { file: () => ({}), resolveLink: () => 'Book.md' },
    images: { pathOf: () => 'Docent/images/a.png' },
    openNote: (path: string) => void opened.push(path),
  } as unknown as Parameters<typeof openerOf>[1];
  const canOpen = (kind: Mention['kind'], id: string): boolean =>
    openerOf({ kind, id, label: id }, ports) !== undefined;
  for (const kind of ['note', 'image', 'prompt', 'workspace', 'skill'] as const)
    expect([kind, canOpen(kind, 'Book.md')]).toEqual([kind, true]);
  for (const kind of ['folder', 'resource', 'tag', 'tool'] as const)
    expect([kind, canOpen(kind, 'Book.md')]).toEqual([kind, false]);
  expect([canOpen('heading', 'Book.md#Keel'), canOpen('block', 'Book.md#^a')]).toEqual([true, true]);
  expect([canOpen('prompt', 'built-in'), canOpen('skill', 'server/skill')]).toEqual([false, false]);
});
