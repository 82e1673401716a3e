// Returns the licenses of the packages inside a bundle as one comment for its end, each distinct text once.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Copyrights of data that a package passes on without its original license. */
const copyrightsOfData = { 'js-tiktoken': ['Copyright (c) 2025 OpenAI, Shantanu Jain (the ranks, from tiktoken)'] };

const packageFolder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * Returns an empty text if the bundle contains no package. Plain ASCII, because one other character would double the
 * script in memory.
 */
export async function thirdPartyNotices(metafile, root) {
  const folders = new Set();
  for (const output of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const folder = bytesInOutput > 0 ? packageFolder.exec(input)?.[1] : undefined;
      if (folder) folders.add(folder);
    }
  }
  const packages = await Promise.all([...folders].map((folder) => readPackage(path.join(root, folder))));
  packages.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const each of packages) {
    // Some packages name their license without including its text.
    if (each.terms === '')
      each.terms = packages.find((other) => other.licence === each.licence && other.terms)?.terms ?? '';
  }
  const groups = new Map();
  for (const { name, licence, copyrights, terms } of packages) {
    const group = groups.get(terms) ?? [];
    group.push([`${name} (${licence})`, ...copyrights.map((line) => `  ${line}`)].join('\n'));
    groups.set(terms, group);
  }
  if (groups.size === 0) return '';
  const sections = [...groups].map(([terms, names]) => `${names.join('\n')}\n\n${terms}`);
  const text = ['This file contains the following packages.', ...sections].join(`\n\n${'-'.repeat(20)}\n\n`);
  return `/*!\n${toAscii(text).replaceAll('*/', '* /')}\n*/\n`;
}

async function readPackage(folder) {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).sort().find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? (await readFile(path.join(folder, file), 'utf8')).replace(/\r/g, '') : '';
  const isCopyright = (line) => /^\s*copyright\s+(?:\(c\)|\u00a9|\d{4})/i.test(line);
  const lines = text.split('\n');
  const terms = lines
    .filter((line) => !isCopyright(line))
    .join('\n')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '' && !/^(?:the )?mit license(?: \(mit\))?$/i.test(paragraph))
    .join('\n\n');
  return {
    name: `${name} ${version}`,
    licence: license,
    copyrights: [...lines.filter(isCopyright).map((line) => line.trim()), ...(copyrightsOfData[name] ?? [])],
    terms,
  };
}

function toAscii(text) {
  return text
    .replaceAll('\u00a9', '(c)')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2013\u2014]/g, '-')
    .normalize('NFD')
    .replace(/[^\x00-\x7f]/g, '');
}
