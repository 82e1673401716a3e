import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Vault } from '../../../../src/core/ports/vault';
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
  // The reader keeps the index of a vault, which takes longest, from one question to the next.
  let vault: Vault;
  beforeAll(() => {
    vault = folderVault(help);
  });

  it('names the source among the first three for questions made from its headings', async () => {
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

  it('begins with how its note introduces it when asked what something is', async () => {
    const introduced = await introducedNotes(vault);
    const missed: string[] = [];
    for (const { title, path, introduction } of introduced) {
      const { sources, quoted } = await askReader(vault, `What is ${title}?`);
      const line = quoted.find((each) => each.trim().length > 20)?.trim() ?? 'nothing';
      if (sources[0] !== path || !introduction.includes(line)) missed.push(`${title} → ${sources[0]}: ${line}`);
    }
    if (process.env['SHOW_MISSED']) process.stdout.write(`${missed.length} missed\n${missed.join('\n')}\n`);
    expect(introduced.length).toBeGreaterThan(100);
    expect(missed.length).toBeLessThanOrEqual(Math.floor(introduced.length / 20));
  }, 60_000);

  it.each(absentQuestions)('finds nothing on: %s', async (question) => {
    const { text, sources } = await askReader(vault, question);
    expect(text).toContain(words.reader.nothing);
    expect(sources).toEqual([]);
  });
});

/** Notes with a name of one or two words that no other note has, and an introduction above their first heading. */
async function introducedNotes(vault: Vault) {
  const notes = vault.files().filter(({ kind }) => kind === 'note');
  const titleOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.md'.length);
  const named = notes.filter(({ path }) => titleOf(path).split(' ').length <= 2);
  const unique = named.filter(({ path }) => named.filter((each) => titleOf(each.path) === titleOf(path)).length === 1);
  const read = unique.map(async ({ path }) => {
    const note = await vault.read(path, new AbortController().signal);
    const body = note.ok ? note.value.text.replace(/^---\n[^]*?\n---\n/, '') : '';
    return { title: titleOf(path), path, introduction: body.split(/^#+ /m)[0] ?? '' };
  });
  return (await Promise.all(read)).filter(({ introduction }) => /^[^`!|][^]{59}/.test(introduction.trim()));
}

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
