/** @jest-environment node */
import { foldTranscript } from '../../../../src/core/chat/transcript';
import type { ImageReference } from '../../../../src/core/ports/message';
import { foldLog } from '../../../../src/core/request/history';
import { imageParts } from '../../../../src/core/request/history-text';
import type { EntryBody, Mention } from '../../../../src/core/session/entry';
import { decodeLine, encodeEntry } from '../../../../src/core/session/log-format';
import { targetOf } from '../../../../src/core/session/log-state';
import { answer, entry, result, toolCall, user } from '../../../support/entries';
import { digest } from '../../../support/memory-ports';

const image: ImageReference = {
  digest: 'a'.repeat(64),
  mediaType: 'image/png',
  width: 1000,
  height: 600,
  bytes: 4_000,
  conversation: 'c1',
};
const ofVault: Mention = { kind: 'image', id: 'Pics/a <b>.png', label: 'a <b>.png', image };
const pasted: Mention = { kind: 'image', id: image.digest, label: 'Pasted image 1', apart: true, image };
const note: Mention = { kind: 'note', id: 'A.md', label: 'A' };
const asked = (...mentions: Mention[]) => entry({ kind: 'user', text: 'See.', mentions });

describe('the images of a message', () => {
  it('R218 follow its text, each named by its path, or by the name that it was given', () => {
    const [message] = foldLog([asked(note, ofVault, pasted)]);
    expect(message?.parts.map(({ type }) => type)).toEqual(['text', 'image', 'image']);
    expect(message?.parts[1]).toEqual({
      type: 'image',
      name: 'Pics/a <b>.png',
      label: '<image path="Pics/a <b>.png" width="1000" height="600">\nThe image follows.\n</image>',
      text: '<image path="Pics/a <b>.png" width="1000" height="600">\nNot sent: this model does not support images. If the answer depends on it, say so.\n</image>',
      missingText:
        '<image path="Pics/a <b>.png" width="1000" height="600">\nNot sent: its file is missing. If the answer depends on it, ask the user to attach it again.\n</image>',
      olderText:
        '<image path="Pics/a <b>.png" width="1000" height="600">\nNot sent: this model takes fewer images. If the answer depends on it, ask the user to attach it again.\n</image>',
      image,
      tokens: 800,
    });
    expect(message?.parts[2]).toMatchObject({ name: 'Pasted image 1' });
    expect(JSON.stringify(message)).not.toContain('"name":"aaaa');
  });

  it('R218 that could not be made ready are told of, and one that is still on its way is left out', () => {
    const broken: Mention = { kind: 'image', id: 'x.png', label: 'x.png', problem: 'x.png is too large.' };
    expect(imageParts([broken, { kind: 'image', id: 'y.png', label: 'y.png' }])).toEqual([
      { type: 'text', text: '<image path="x.png">\nNot sent: x.png is too large.\n</image>' },
    ]);
  });

  it.each(['masked', 'dropped'] as const)(
    'R218 that are %s are told in words, and whole again when the user says so',
    (form) => {
      const log = [asked(ofVault), entry(answer('A boat.')), entry(user('And now?'))];
      const target = targetOf.image(log[0]?.id ?? '', image.digest);
      const cleared = [...log, entry({ kind: 'context-forms', forms: [{ target, form }], by: 'window' })];
      expect(foldLog(cleared)[0]?.parts[1]).toEqual({
        type: 'text',
        text: expect.stringMatching(/^<image path="Pics[^]*Cleared to save tokens\./),
      });
      const back = [...cleared, entry({ kind: 'context-forms', forms: [{ target, form: 'whole' }], by: 'user' })];
      expect(foldLog(back)).toEqual(foldLog(log));
    },
  );

  it('R218 put aside by the window are told to the user as images', () => {
    const forms = ['image:e1:a', 'image:e1:b', 'result:e2'].map((target) => ({ target, form: 'masked' as const }));
    expect(foldTranscript([entry({ kind: 'context-forms', forms, by: 'window' })])).toMatchObject([
      {
        type: 'relief',
        text: '2 older images are no longer sent; the model gets only their names. One older tool result was cleared to free tokens; the model gets only a placeholder.',
      },
    ]);
  });
});

describe('the images of a result', () => {
  it('R218 are no message of the user, also after a text of a hook for a second attempt', () => {
    const shown = { ...result('a'), images: [ofVault] } as EntryBody;
    const additions = [{ kind: 'hook' as const, source: 'tide', text: 'High water at six.' }];
    const log = [
      user('See.'),
      answer(toolCall('a')),
      shown,
      answer('It'),
      { kind: 'hook-context', additions, reports: [] } as const,
    ];
    const [last] = foldLog(log.map((body) => entry(body))).slice(-2);
    expect(last).toMatchObject({ role: 'user', carriesResults: true });
    expect(last?.parts.map(({ type }) => type)).toEqual(['image', 'text']);
  });
});

describe('the log', () => {
  const line = (mention: unknown): ReturnType<typeof decodeLine> =>
    decodeLine(encodeEntry(asked(mention as Mention), digest), digest);

  it('R218 keeps a reference to an image, and no reference that leads elsewhere', () => {
    expect(line(ofVault)).toMatchObject({ type: 'entry', entry: { mentions: [ofVault] } });
    expect(line(note)?.type).toBe('entry');
    for (const change of [{ digest: '../../x' }, { conversation: '../..' }, { mediaType: 'text/html' }, { width: 0 }]) {
      expect(line({ ...ofVault, image: { ...image, ...change } })).toEqual({ type: 'unknown' });
    }
  });
});
