/** Compares the index with what a real Obsidian recorded. The recordings are other people's notes, so they stay out. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CachedMetadata } from 'obsidian';
import { getAllTags } from '../../../src/obsidian/index/links';
import { parseNote } from '../../../src/obsidian/index/parse-note';
import { parseFrontMatterTags } from '../../../src/obsidian/index/yaml';

const folder = process.env['RECORDED_CACHES'] ?? join(__dirname, '../../../../../../shared/data/recorded-caches');
const isPresent = existsSync(folder);
const whenPresent = isPresent ? describe : describe.skip;

interface Recording {
  readonly name: string;
  readonly cachedMetadata: CachedMetadata & { v?: number };
  readonly fileContents: string;
  readonly getAllTags: string[] | null;
  readonly parseFrontMatterTags: string[] | null;
}

const recordings = isPresent
  ? readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !/^(?:un)?resolvedLinks/.test(name))
      .map((name): Recording => ({ ...JSON.parse(readFileSync(join(folder, name), 'utf8')), name }))
  : [];

whenPresent('what a real Obsidian recorded', () => {
  it('has recordings', () => expect(recordings.length).toBeGreaterThan(40));

  it.each(recordings)('is the whole metadata of $name', ({ fileContents, cachedMetadata }) => {
    const { v: _version, ...recorded } = cachedMetadata;
    expect(parseNote(fileContents)).toEqual(recorded);
  });

  it.each(recordings)('is the tags of $name', (recording) => {
    const cache = parseNote(recording.fileContents);
    expect(parseFrontMatterTags(cache.frontmatter ?? null)).toEqual(recording.parseFrontMatterTags);
    expect(getAllTags(cache)).toEqual(recording.getAllTags);
  });
});
