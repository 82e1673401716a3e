// Compares what two style sheets make of every sight that walks in the browser come by: test/e2e/driver/compare-styles.ts.
import { execFile, spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { UserError } from './run-script.mjs';

const root = path.resolve(import.meta.dirname, '..');
const jestProgram = path.join(root, 'node_modules/jest/bin/jest.js');
const folder = path.join(root, 'dist/styles');

/** Together they come by nearly all that the plugin draws. */
const usualWalks = [
  ...['app/look', 'app/diagnostics', 'app/new-user', 'app/phone', 'app/settings'],
  ...['chat/asking', 'chat/composer', 'chat/context-bar', 'chat/drawn-answer', 'chat/goals', 'chat/images'],
  ...['chat/inspector-chat', 'chat/inspector', 'chat/long-chats', 'chat/planning', 'chat/session', 'chat/sub-agents'],
  ...['prompt/overrides', 'prompt/prompts', 'servers/hooks', 'servers/servers'],
  ...['writing/recovery', 'writing/review', 'writing/review-reports', 'writing/review-trial', 'writing/writing'],
].map((name) => `test/e2e/${name}.test.ts`);
const looks = ['dark', 'light', 'phone'];

/**
 * @param revision of git, whose styles.css is compared with the one that the sources make now; the page is that of now
 * @param walks paths of test files
 */
export async function measureStyles(revision, walks = []) {
  const against = path.join(folder, 'against.css');
  const found = path.join(folder, 'found.jsonl');
  await mkdir(folder, { recursive: true });
  await writeFile(against, await readRevision(revision));
  await rm(found, { force: true });
  const files = walks.length > 0 ? walks : usualWalks;
  const code = await runWalks(files, { DOCENT_STYLES_AGAINST: against, DOCENT_STYLES_FOUND: found });
  if (code !== 0) throw new UserError('A walk failed, so not every sight was compared; its output is above.');
  const lines = await readFile(found, 'utf8').catch(() => '');
  if (lines === '') throw new UserError('The walks came by no sight of the plugin: name others, or none.');
  return sumSights(lines.trim().split('\n').map(JSON.parse));
}

/** @param sights as compareSight writes them */
export function sumSights(sights) {
  const sum = (list) => list.reduce((total, each) => total + each, 0);
  const figuresOf = (look) => {
    const shown = sights.filter((sight) => sight.looks.includes(look));
    return {
      sights: shown.length,
      elements: sum(shown.map(({ elements }) => elements)),
      differences: sum(shown.map(({ count }) => count[look])),
    };
  };
  return {
    looks: Object.fromEntries(looks.map((look) => [look, figuresOf(look)])),
    first: sights.flatMap(({ sight, differences }) => differences.map((each) => ({ sight, ...each }))),
    idle: (sights[0]?.idle ?? []).filter((selector) => sights.every(({ idle }) => idle.includes(selector))),
  };
}

async function readRevision(revision) {
  const git = promisify(execFile)('git', ['show', `${revision}:styles.css`], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const { stdout } = await git.catch(() => {
    throw new UserError(`git has no styles.css of ${revision}: name another commit with --against REF.`);
  });
  return stdout;
}

function runWalks(files, environment) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [jestProgram, '--selectProjects', 'browser', '--runTestsByPath', ...files], {
      cwd: root,
      // Standard output is for the figures.
      stdio: ['ignore', 2, 2],
      // A walk that is timed may fail because the comparing takes long.
      env: { ...process.env, ...environment, DOCENT_SECOND_TRY: 'yes' },
    });
    child.on('error', reject).on('close', (code) => resolve(code ?? 1));
  });
}
