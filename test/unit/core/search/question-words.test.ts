import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassageIndex } from '../../../../src/core/search/passage-index';
import { contentWords } from '../../../../src/core/search/query';
import { searchVault } from '../../../../src/core/search/search-vault';
import { fakeVault, folderVault } from '../../../support/fake-vault';
import { askReader } from '../../models/built-in-reader/ask-reader';

const help = join(__dirname, '../../../../../shared/data/vault-help');

/** `…` is the title of a note. */
const forms = {
  English: [
    'How does this work: …',
    'Can you explain … to me?',
    'Tell me about …',
    'Which note covers …?',
    'I need help with …',
    'Give me details about …, please',
  ],
  German: [
    'Wie geht das: …',
    'Was bedeutet …?',
    'Kannst du mir … erklären?',
    'Ich brauche Hilfe bei …',
    'Zeig mir, was es zu … gibt',
    'Welche Notiz beschreibt …?',
  ],
  French: [
    'Comment ça marche : … ?',
    'Que disent mes notes sur … ?',
    'Où puis-je trouver quelque chose sur … ?',
    'Explique-moi …, s’il te plaît',
    'Y a-t-il un guide pour … ?',
    'Je voudrais savoir comment fonctionne …',
  ],
  Spanish: [
    '¿Cómo funciona esto: …?',
    '¿Qué dicen mis notas sobre …?',
    '¿Puedes explicarme …?',
    'Necesito ayuda con …',
    'Muéstrame lo que hay sobre …',
    '¿De qué trata …?',
  ],
};

const isThere = existsSync(help);

(isThere ? describe : describe.skip)('a note of a help site asked for by its title', () => {
  const vault = isThere ? folderVault(help) : fakeVault({});
  const titleOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
  const notes = vault.files().filter(({ kind }) => kind === 'note');
  const own = notes.filter(({ path }) => notes.filter((other) => titleOf(other.path) === titleOf(path)).length === 1);
  const asked = Array.from({ length: 30 }, (_, number) => own[Math.floor((number * own.length) / 30)]?.path ?? '');

  it.each(Object.entries(forms).flatMap(([language, all]) => all.map((form) => [language, form] as const)))(
    'is among the first three sources in nine of ten answers: %s, %s',
    async (_, form) => {
      const missed: string[] = [];
      for (const path of asked) {
        const { sources } = await askReader(
          vault,
          form.replace('…', () => titleOf(path)),
        );
        if (!sources.slice(0, 3).includes(path)) missed.push(path);
      }
      if (missed.length > 3) throw new Error(`Missed: ${missed.join(', ')}`);
      expect(new Set(asked).size).toBe(30);
    },
    60_000,
  );
});

describe('the words that carry the subject', () => {
  it.each([
    ['Wie geht das: How to be on the raft', ['raft']],
    ['Erkläre mir bitte Folding', ['folding']],
    ['Was bedeutet Switch to Sync?', ['switch', 'sync']],
    ['Comment ça marche : Tags and links ?', ['tags', 'links']],
    ['¿Qué dicen mis notas sobre Back up your files?', ['files']],
    ['How do I comment code?', ['comment', 'code']],
    ['What did the man say of the war?', ['man', 'war']],
    ['Where is the guide?', ['guide']],
    ['page layout', ['page', 'layout']],
  ])('of %s', (question, words) => {
    expect(contentWords(question)).toEqual(words);
  });
});

describe('a question in another language than the notes', () => {
  const english = {
    'Tomatoes.md': '# Tomatoes\nSow them in March. The plants like it warm, and they need water.',
    'Beans.md': '# Beans\nThey climb up poles in the garden.',
  };
  const german = {
    'Tomaten.md': '# Tomaten\nIm März säen. Die Pflanzen mögen es warm und sie brauchen viel Wasser.',
    'Bohnen.md': '# Bohnen\nSie klettern im Garten auf Stangen und das ist nicht schwer.',
  };
  const find = async (files: Readonly<Record<string, string>>, question: string): Promise<string[]> => {
    const vault = fakeVault(files);
    const options = { entries: vault.files(), limit: 5 };
    const found = await searchVault(vault, new PassageIndex(), question, options, new AbortController().signal);
    return found.passages.map(({ path }) => path);
  };

  it('is not held to words that only its own language has', async () => {
    expect(await find(english, 'Wie züchtet man eigentlich Tomatoes?')).toEqual(['Tomatoes.md']);
  });

  it.each([
    [
      'Italian',
      'Come si coltivano i Tomatoes vegani con azoto?',
      'Le piante sono nel giardino della casa e gli animali sono lontani; questo basta.',
    ],
    [
      'Portuguese',
      'Como se cultivam os Tomatoes veganos com azoto?',
      'As plantas ficam dos lados da casa, uma perto do muro; não gostam do frio e voce rega pelo menos uma vez.',
    ],
    [
      'Spanish',
      '¿Cómo se cultivan los Tomatoes veganos con nitrógeno?',
      'Las plantas viven en una parte del jardín, como los frijoles; no les gusta el frío y las raíces son largas.',
    ],
  ])('is held to words that only its own language has where the notes are in it: %s', async (_name, question, text) => {
    const own = { 'Tomatoes.md': `# Tomatoes\n${text}`, 'Beans.md': `# Beans\n${text}` };
    expect(await find(english, question)).toEqual(['Tomatoes.md']);
    expect(await find(own, question)).toEqual([]);
  });

  it('is held to them where the notes are in its language', async () => {
    expect(await find(german, 'Wie züchtet man vegane Tomaten mit Stickstoff?')).toEqual([]);
    expect(await find(german, 'Wie geht das: Tomaten')).toEqual(['Tomaten.md']);
    expect(await find(english, 'Are tomatoes vegan?')).toEqual([]);
  });
});
