/** What is built: the templates compiled in, the modules it asks for, and the licences that it carries. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readBuilt } from '../driver/reach';

const modes = path.resolve('src/core/prompt/modes');
const templates = readdirSync(modes, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /tier\d\.eta\.md$/.test(name),
);

it('R008@build R103@build has each template of each mode and size compiled in', async () => {
  const built = await readBuilt('main.js');
  expect(templates.length).toBeGreaterThanOrEqual(20);
  for (const name of templates) {
    const rules = readFileSync(path.join(modes, name), 'utf8')
      .split('\n')
      .filter((line) => line.length > 20 && !/[`"\\'’$]|<%/.test(line));
    expect(rules.length).toBeGreaterThan(2);
    expect([name, rules.filter((line) => !built.includes(line))]).toEqual([name, []]);
  }
});

it('starts no program: the built file asks Node for nothing but reading and writing files', async () => {
  const built = await readBuilt('main.js');
  expect(built).not.toMatch(/child_process|worker_threads|cluster|isomorphic-git/);
  // The switches of the defences are for the scoreboard alone.
  expect(built).not.toContain('docentDefenceOff');
  const asked = [...built.matchAll(/\brequire\(\s*["']([^"']+)["']\s*\)/g)].map(([, name]) => name);
  // Obsidian hands its own editor to plugins under the names of CodeMirror's packages.
  const ofTheApp = ['@codemirror/commands', '@codemirror/state', '@codemirror/view', 'obsidian'];
  expect([...new Set(asked)].sort()).toEqual([...ofTheApp, 'node:fs/promises'].sort());
});

it('reaches nothing that SECURITY.md does not name, packages included', async () => {
  const built = await readBuilt('main.js');
  const unnamed =
    /new XMLHttpRequest|new WebSocket|new EventSource|sendBeacon|\blocalStorage\b|sessionStorage|document\.cookie|new Function\b|[^\w.]eval\(/;
  expect(unnamed.exec(built)?.[0]).toBeUndefined();
  // No package looks for a key or an address that it was not given.
  expect(built).not.toMatch(/process\.env\b/);
});
