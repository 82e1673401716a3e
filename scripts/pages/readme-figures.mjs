// The figures of README.md: measured by the commands that print them, stored in docs/figures.json, and put into the page.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../build/bundle-node.mjs';
import { UserError } from '../run-script.mjs';

const figuresFile = path.join(root, 'docs/figures.json');
const page = path.join(root, 'README.md');
const board = path.join(root, 'test/scoreboard/measured.json');
/** Its size differs from build to build, so the page has the bound that it keeps to. */
const maxMainBytes = 2_700_000;

/** Measures the figures, by the command that prints each. With `write` they replace those of the page. */
export async function measureFigures({ write = false } = {}) {
  const { startup, prompt } = await runBench();
  const { rows } = JSON.parse(await readFile(board, 'utf8'));
  if (startup.main_js_bytes > maxMainBytes)
    throw new UserError(`main.js has ${startup.main_js_bytes} bytes: make it smaller, or change the bound here.`);
  const countsOf = ({ tries, effects }) => ({ tries, effects });
  const figures = {
    'npm run bench -- prompt': { first_request_tokens: prompt.first_request_tokens },
    'npm run scoreboard': { denied: countsOf(rows.denied), undo: countsOf(rows.undo) },
    'npm run bench -- startup': {
      vault_reads_before_open: startup.vault_reads_before_open,
      requests_before_open: startup.requests_before_open,
      main_js_bytes_at_most: maxMainBytes,
    },
  };
  if (write) {
    await writeFile(figuresFile, `${JSON.stringify(figures, null, 2)}\n`);
    await writeFile(page, putFigures(await readFile(page, 'utf8'), figures));
  }
  return figures;
}

async function runBench() {
  const bench = [path.join(root, 'scripts/bench.mjs'), 'startup', 'prompt', '--rounds', '1', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, bench, { cwd: root, maxBuffer: 1 << 24 });
  return JSON.parse(stdout);
}

/** Returns the three points that the page proves, each with its command. */
export function writePoints(figures) {
  const count = (number) => number.toLocaleString('en');
  const [first, attacks, start] = Object.keys(figures);
  const { denied, undo } = figures[attacks];
  const { vault_reads_before_open: reads, requests_before_open: requests } = figures[start];
  const megabytes = figures[start].main_js_bytes_at_most / 1_000_000;
  return [
    `- **See every prompt.** See the next request before it is sent, and the last 60 afterward. First request with all tools: ${count(figures[first].first_request_tokens)} tokens. \`${first}\``,
    `- **Keep control of your notes.** ${count(denied.tries)} prompt injections: ${count(denied.effects)} effects if you reject everything. ${count(undo.tries)} random writes undone: ${count(undo.tries - undo.effects)} folders identical. \`${attacks}\``,
    `- **Pay nothing at startup.** ${count(reads)} notes read and ${count(requests)} requests before you open a chat; \`main.js\` is under ${megabytes} MB. \`${start}\``,
  ].join('\n');
}

const marks = ['<!-- figures -->', '<!-- end of the figures -->'];

/** Returns the page with these figures between its two marks. */
export function putFigures(text, figures) {
  const [start, end] = marks.map((mark) => text.indexOf(mark));
  if (start === -1 || end < start) throw new Error('The page has no place for the figures.');
  return `${text.slice(0, start + marks[0].length)}\n\n${writePoints(figures)}\n\n${text.slice(end)}`;
}
