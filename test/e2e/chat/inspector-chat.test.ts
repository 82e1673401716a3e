/** Ten turns of a chat in the inspector: each request as it was sent, its tiers and markers, what differs from the one before, and why. */
import type { Locator } from 'playwright-core';
import { words } from '../../../src/text';
import { openChatView, until, type OpenedChatView, openPicker } from '../driver/chat-view';
import { sentRequests, type SentMessage } from '../driver/sent-request';
import { openWorkbench, type OpenedWorkbench } from '../driver/workbench';

jest.setTimeout(300_000);

const say = words.request;
const headings = (name: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `## ${name} ${index}: establishmentarianism of the harbour`).join('\n');
/** Long enough for markers after the system prompt and after the reference. */
const folder = (name: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`${name}/${name} ${index}.md`, headings(name, 3)]));
const vault = {
  ...folder('Boats'),
  ...folder('Sails'),
  ...folder('Tides'),
  'Docent/memory.md': '',
  'Docent/prompts/Steady.md': '---\nname: Steady hand\ndescription: Calm answers\n---\nAnswer calmly.\n',
  'Docent/workspaces/Boat.md': '---\nname: The boat\ndescription: Refit\n---\nPrefer metric.\n',
};

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

const pick = async (id: string, title: string): Promise<void> => {
  await openPicker(chatView, id);
  await workbench.page.locator('.menu .menu-item', { hasText: title }).first().click();
  await workbench.page.locator('.menu').waitFor({ state: 'detached' });
};

/** As if so much time had passed that no provider keeps anything any more. */
const rest = (): Promise<void> =>
  workbench.page.evaluate(() => {
    const now = Date.now.bind(Date);
    const twoHours = 2 * 60 * 60 * 1000;
    Date.now = () => now() + twoHours;
  });

const untilSeen = (path: string): Promise<void> =>
  until(
    () => workbench.page.evaluate((name) => window.app.metadataCache.getCache(name) !== null, path),
    `${path} is seen by the app`,
  );

interface Turn {
  readonly question: string;
  /** What happens before it. */
  before?(): Promise<void>;
  /** What the inspector says of the beginning of the request. */
  readonly prefixLine: string | RegExp;
  /** A line that came with this request, besides the messages. */
  readonly come: string | RegExp;
}

/** What is said of a miss, at any cost. */
const missed = (place: string, reason = ''): RegExp => {
  const name = words.sections[place]?.name ?? say.nameOf(place);
  const because = reason === '' ? '' : `: ${reason.replace(/[.]/g, '\\.')}`;
  return new RegExp(
    `^“${name}” changed, so the provider must read everything after it again \\(≈ [\\d,]+ tokens (billed|read) again[^)]*\\)${because}\\.$`,
  );
};

const turns: readonly Turn[] = [
  { question: 'First question.', prefixLine: '', come: '' },
  { question: 'Second question.', prefixLine: say.prefixHeld, come: 'Second question.' },
  {
    question: 'What is new?',
    before: async () => {
      await workbench.writeNote('Boats/Fresh.md', '# Fresh\n');
      await untilSeen('Boats/Fresh.md');
    },
    prefixLine: say.prefixHeld,
    come: 'created: Boats: Fresh.md, 1 KB',
  },
  {
    question: 'After a rest?',
    before: rest,
    prefixLine: missed('vault-listing', 'note created: Boats/Fresh.md'),
    come: '- Fresh.md, 1 KB',
  },
  {
    question: 'In the workspace?',
    before: () => pick('workspace', 'The boat'),
    prefixLine: say.prefixHeld,
    come: /^<selected_workspace .*name="The boat"/,
  },
  {
    question: 'The workspace after a rest?',
    before: rest,
    prefixLine: missed('selected-workspace', 'it was added'),
    come: /^<selected_workspace .*name="The boat"/,
  },
  {
    question: 'In another mode?',
    before: () => pick('mode', words.settings.modes.planning),
    prefixLine: say.prefixHeld,
    come: /^<mode_notice/,
  },
  {
    question: 'With a new prompt?',
    before: async () => {
      await workbench.writeNote(
        'Docent/prompts/Brief.md',
        '---\nname: Brief hand\ndescription: Short\n---\nBe brief.\n',
      );
      await untilSeen('Docent/prompts/Brief.md');
      await rest();
    },
    prefixLine:
      /^“[^”]+” changed, so the provider must read everything after it again \(≈ [^)]*\)(?:: note created: Docent\/prompts\/Brief\.md)?\.$/,
    come: /Brief/,
  },
  {
    question: 'Of another model?',
    before: () => pick('model', 'another'),
    prefixLine: missed('model', 'anthropic/another'),
    come: /^You are the planner /,
  },
  {
    question: 'With more instructions?',
    before: async () => {
      await workbench.writeNote('Docent/system-extra.md', 'Always say ahoy.\n');
      await untilSeen('Docent/system-extra.md');
    },
    prefixLine: missed('system-extra', 'it was added'),
    come: 'Always say ahoy.',
  },
];

async function openInspector(): Promise<Locator> {
  await workbench.command('show-prompt');
  const modal = workbench.page.locator('.docent-inspector-modal');
  await modal.getByRole('tab', { name: words.inspector.sent }).click();
  return modal;
}

/** All texts of the messages that it shows, one after the other, by who speaks; neighbours of one role in one. */
async function shownMessages(modal: Locator): Promise<[string, string][]> {
  const parts = await modal
    .locator('.docent-inspector-group .docent-inspector-part')
    .evaluateAll((elements) =>
      elements.map((part) => [
        part.querySelector('.docent-inspector-title')?.textContent ?? '',
        part.querySelector('pre')?.textContent ?? '',
      ]),
    );
  const roles: Readonly<Record<string, string>> = {
    [words.chatView.roleUser]: 'user',
    [words.chatView.roleAssistant]: 'assistant',
    [words.chatView.roleTool]: 'user',
  };
  return parts.flatMap(([title = '', text = '']) => {
    const role = roles[/^\d+\. (.*)$/.exec(title)?.[1] ?? ''];
    return role === undefined ? [] : [[role, text] satisfies [string, string]];
  });
}

const joined = (messages: readonly (readonly [string, string])[]): [string, string][] =>
  messages.reduce<[string, string][]>((all, [role, text]) => {
    const last = all.at(-1);
    if (last?.[0] === role) last[1] += `\n\n${text}`;
    else all.push([role, text]);
    return all;
  }, []);
const received = ({ role, texts }: SentMessage): [string, string] => [role, texts.join('\n\n')];

/** Texts at whose end the provider was asked to keep the request. */
function markedTexts(body: unknown): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('cache_control' in value && 'text' in value) found.push(String(value.text));
    Object.values(value).forEach(visit);
  };
  visit(body);
  return found;
}

afterEach(async () => {
  expect(workbench.errors).toEqual([]);
  await workbench.close();
});

it('R228@request R229@request R231@dom shows ten requests as they were sent, with tiers, markers, differences and the reason of every break', async () => {
  workbench = await openWorkbench({
    vault,
    scripted: (request) => ({
      text: `Answer ${request.index}.`,
      usage: { input: 100, output: 5, cacheRead: 4_000, cacheWrite: 300 },
    }),
    settings: {
      ...{ model: 'anthropic/scripted', tier: 5, compaction: 'manual', contextStatus: 'never' },
    },
  });
  const settings = '.obsidian/plugins/docent/data.json';
  const stored = await workbench.readNote(settings);
  await workbench.writeNote(
    settings,
    stored.replaceAll('"scripted"]', '"scripted","another"]').replaceAll(/"scripted"\s+\]/g, '"scripted","another"]'),
  );
  await workbench.reload();
  chatView = await openChatView(workbench);
  for (const [index, { question, before }] of turns.entries()) {
    await before?.();
    await chatView.ask(question);
    await until(() => sentRequests(workbench.model).length === index + 1, `request ${index + 1} is sent`);
  }
  const sent = sentRequests(workbench.model);
  const bodies = (workbench.model?.requests ?? []).filter(({ method }) => method === 'POST').map(({ body }) => body);
  const modal = await openInspector();
  const picker = modal.getByLabel(words.inspector.chosenRequest);
  for (const [index, { question, prefixLine, come }] of turns.entries()) {
    await picker.selectOption(String(index));
    const title = `request ${index + 1}, ${question}`;
    const request = sent[index];
    if (request === undefined) throw new Error(`${title} was not sent.`);

    expect([title, joined(await shownMessages(modal))]).toEqual([title, joined(request.messages.map(received))]);
    const system = await modal
      .locator('.docent-inspector-part pre')
      .evaluateAll((all) => all.map((one) => one.textContent));
    const pieces = system.filter(
      (text): text is string => text !== null && text !== '' && request.system.includes(text),
    );
    expect(pieces.reduce((left, text) => left.replace(text, ''), request.system).trim()).toBe('');
    const tools = modal.locator('.docent-inspector-part .docent-inspector-title');
    expect(await tools.allInnerTexts()).toEqual(expect.arrayContaining([...request.tools]));

    const notes = await modal.locator('.docent-inspector-note').allInnerTexts();
    expect(notes.some((note) => note.includes(words.inspector.tiers.L0))).toBe(true);
    const marked = markedTexts(bodies[index]);
    expect(marked.length).toBeGreaterThanOrEqual(2);
    expect(marked.length).toBeLessThanOrEqual(4);
    expect(notes.filter((note) => note.includes(say.marked))).toHaveLength(marked.length);
    expect(marked[0]).toBe(request.system);
    expect(marked.at(-1)).toBe(request.messages.at(-1)?.texts.at(-1));

    expect(await modal.locator('.docent-inspector-cache').first().innerText()).toContain('4,000 tokens reused');
    const broken = modal.locator('.docent-inspector-break');
    if (index === 0) {
      expect(await broken.count()).toBe(0);
      continue;
    }
    if (typeof prefixLine === 'string') expect([title, await broken.innerText()]).toEqual([title, prefixLine]);
    else expect(await broken.innerText()).toMatch(prefixLine);
    const changes = modal.locator('.docent-inspector-changes').first();
    await changes.locator('summary').click();
    const added = await changes.locator('ins').allTextContents();
    expect(added).toContain(question);
    const isSent = (line: string): boolean => (typeof come === 'string' ? line === come : come.test(line));
    expect({ title, found: added.find(isSent) ?? added }).toEqual({ title, found: expect.any(String) });
    if (prefixLine === say.prefixHeld) expect(await changes.locator('del').count()).toBe(0);
    await changes.locator('summary').click();
  }
});

it.each(['light', 'phone'] as const)('shows what differs within the width of the window: %s', async (look) => {
  workbench = await openWorkbench({
    ...{ vault, phone: look === 'phone', theme: look === 'light' ? 'light' : 'dark' },
    scripted: () => ({ text: 'Yes.', usage: { input: 100, output: 5, cacheRead: 4_000, cacheWrite: 300 } }),
    settings: { model: 'anthropic/scripted', tier: 5, compaction: 'manual', contextStatus: 'never' },
  });
  chatView = await openChatView(workbench);
  await chatView.ask('First question.');
  await workbench.writeNote('Boats/Fresh.md', `# Fresh\n## ${'Aratherlongheadingwithoutanyspace'.repeat(4)}\n`);
  await untilSeen('Boats/Fresh.md');
  await rest();
  await chatView.ask('What is new?');
  const modal = await openInspector();
  const changes = modal.locator('.docent-inspector-changes').first();
  const summary = changes.locator('summary');
  await summary.click();
  await changes.locator('ins').first().waitFor();
  for (const part of [modal, changes, changes.locator('.docent-inspector-lines')]) {
    expect(await part.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
  }
  if (look === 'phone') {
    const { height = 0 } = (await summary.boundingBox()) ?? {};
    expect(height).toBeGreaterThanOrEqual(44);
  }
});
