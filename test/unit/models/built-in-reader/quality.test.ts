import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { words } from '../../../../src/text';
import { folderVault } from '../../../support/fake-vault';
import { absentQuestions } from './absent-questions';
import { askReader } from './ask-reader';
import { headingQuestions } from './heading-questions';

const root = join(__dirname, '../../../..');
const help = join(root, '../shared/data/vault-help');
const demo = join(root, 'test/support/demo-vault');
const demoQuestions = join(root, 'test/support/demo-questions.json');

const whenHelp = existsSync(help) ? describe : describe.skip;

whenHelp('over the notes of a help site', () => {
  it('names the source among the first three for questions made from its headings', async () => {
    const vault = folderVault(help);
    const missed: string[] = [];
    const questions = headingQuestions(vault, 200);
    for (const { question, source } of questions) {
      const { sources } = await askReader(vault, question);
      if (!sources.slice(0, 3).includes(source)) missed.push(`${question} (${source}) → ${sources.join(', ')}`);
    }
    if (process.env['SHOW_MISSED']) process.stdout.write(`${missed.length} missed\n${missed.join('\n')}\n`);
    expect(questions).toHaveLength(200);
    expect(missed.length).toBeLessThanOrEqual(15);
  }, 60_000);

  it.each(absentQuestions)('finds nothing on: %s', async (question) => {
    const { text, sources } = await askReader(folderVault(help), question);
    expect(text).toContain(words.reader.nothing);
    expect(sources).toEqual([]);
  });
});

interface DemoQuestion {
  readonly question: string;
  readonly source: string;
  readonly mustContain: readonly string[];
}

describe('over the demo vault', () => {
  it('names the source among the first three for nearly all of its questions', async () => {
    const vault = folderVault(demo);
    const missed: string[] = [];
    let untold = 0;
    const questions = JSON.parse(readFileSync(demoQuestions, 'utf8')) as DemoQuestion[];
    for (const { question, source, mustContain } of questions) {
      const { sources, text } = await askReader(vault, question);
      if (!sources.slice(0, 3).includes(source)) missed.push(`${question} (${source}) → ${sources.join(', ')}`);
      const gaps = mustContain.filter((part) => !text.includes(part));
      if (gaps.length > 0) untold += 1;
      if (process.env['SHOW_MISSED'] && gaps.length) process.stdout.write(`untold: ${question} ${gaps.join(' | ')}\n`);
    }
    if (process.env['SHOW_MISSED'])
      process.stdout.write(`${missed.length} missed, ${untold} untold\n${missed.join('\n')}\n`);
    expect(missed.length).toBeLessThanOrEqual(Math.floor(questions.length / 10));
  });
});
