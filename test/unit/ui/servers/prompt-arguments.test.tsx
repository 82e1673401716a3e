/** @jest-environment jsdom */
/** What the prompt of a server needs, asked in a dialog that is used by keyboard while the server is asked. */
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { App } from 'obsidian';
import { act } from 'preact/test-utils';
import { fail, type Outcome, succeed } from '../../../../src/core/ports/failure';
import type { McpAccess } from '../../../../src/core/ports/network';
import { words } from '../../../../src/text';
import { askForArguments } from '../../../../src/ui/servers/prompt-arguments';
import { eventually } from '../../eventually';

afterEach(closeTestApps);

const prompt = {
  ...{ id: 'yard/plan', name: 'plan', content: '', serverName: 'Yard', source: 'mcp' as const, registeredAt: 0 },
  arguments: [{ name: 'boat', description: 'Which boat', required: true }],
};

it('keeps the focus while the server is asked, asks it once, and can be tried again', async () => {
  const app = (await createTestApp()) as unknown as App;
  const answers: ((filled: Outcome<{ readonly id: string; readonly name: string }>) => void)[] = [];
  const given: unknown[] = [];
  const servers = {
    fillPrompt: (_id: string, values: Readonly<Record<string, string>>) => {
      given.push(values);
      return new Promise((resolve) => answers.push(resolve));
    },
  } as unknown as McpAccess;
  const mention = askForArguments(app, servers, prompt);
  const form = document.querySelector<HTMLFormElement>('.docent-prompt-arguments')!;
  const field = form.querySelector<HTMLInputElement>('input, textarea')!;
  const button = form.querySelector<HTMLButtonElement>('button[type="submit"]')!;
  void act(() => {
    field.value = 'Whimbrel';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
  button.focus();
  form.requestSubmit();
  await eventually(() => button.getAttribute('aria-disabled') === 'true', 'a button that waits');
  form.requestSubmit();
  expect([given, document.activeElement]).toEqual([[{ boat: 'Whimbrel' }], button]);

  answers.shift()?.(fail({ kind: 'network', words: 'Yard does not answer.', remedy: 'Start it.' }));
  const alert = form.querySelector('[role="alert"]')!;
  await eventually(() => alert.textContent === 'Yard does not answer. Start it.', 'why it failed');
  expect(document.activeElement).toBe(button);
  form.requestSubmit();
  await eventually(() => alert.textContent === '', 'another try');
  answers.shift()?.(succeed({ id: 'yard/plan#1', name: 'plan for Whimbrel' }));
  expect(await mention).toEqual({ kind: 'prompt', id: 'yard/plan#1', label: 'plan for Whimbrel' });
  expect(given).toHaveLength(2);
  expect(words.serverSettings.prompt.insert).toBe(button.textContent);
});
