/** Asks each entry of each list for what it must bring: a name of its own, a sound shape, and a golden or cases. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import * as z from 'zod/v4';
import { checks } from '../../src/core/diagnostics/checks';
import { tags } from '../../src/core/markup/tags';
import { mentionSources } from '../../src/core/mentions';
import * as facts from '../../src/core/prompt/facts';
import { modes } from '../../src/core/prompt/modes';
import { sections } from '../../src/core/prompt/sections';
import { builtInTemplates } from '../../src/core/prompt/tiered-prompt-store';
import { modeIds, tiers } from '../../src/core/settings/mode';
import { tools } from '../../src/core/tools';
import { declare } from '../../src/core/tools/tool';
import { providers } from '../../src/models/providers';
import { words } from '../../src/text';
import { settingRows } from '../../src/ui/settings/settings-tab';
import { sectionValues } from '../goldens/section-values';
import { render, type Values } from '../support/render-section';
import { promised } from './models/strict-servers';

/** The text of all tests below a folder of test/unit. */
function testsIn(folder: string): string {
  const root = `${__dirname}/${folder}`;
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => /\.test\.tsx?$/.test(path));
  return files.map((path) => readFileSync(`${root}/${path}`, 'utf8')).join('\n');
}

/** Fails with one sentence for each thing that an entry has not brought: what is to be done about it. */
function expectAll(brought: Readonly<Record<string, boolean>>): void {
  expect(Object.keys(brought).filter((remedy) => brought[remedy] !== true)).toEqual([]);
}

/** Without printing all those tests when none names the entry. */
function expectCases(folder: string, name: RegExp): void {
  const place = ['test/unit', folder].filter((part) => part !== '').join('/');
  expectAll({ [`Test it in a file below ${place} that says ${name.source}.`]: name.test(testsIn(folder)) });
}

function expectOwnNames(names: readonly string[], shape: RegExp): void {
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(names.filter((name) => !shape.test(name))).toEqual([]);
}

const kebab = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const snake = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

/** The same values in a chat that is offered these tools. */
function offering(toolNames: readonly string[], values: Values = {}): Values {
  const { state } = values;
  return state === undefined || state === null ? values : { ...values, state: { ...state, toolNames } };
}

describe('sections', () => {
  it('have names and places of their own', () => {
    expectOwnNames(
      sections.map(({ id }) => id),
      kebab,
    );
    expect(new Set(sections.map(({ buildOrder }) => buildOrder)).size).toBe(sections.length);
  });

  it.each(sections.map((section) => [section.id, section] as const))('%s brings values and a golden', (id, section) => {
    const golden = existsSync(`${__dirname}/../goldens/sections/${id}.txt`);
    expectAll({
      [`Add values for ${id} to test/goldens/section-values.ts.`]: Object.hasOwn(sectionValues, id),
      [`Write its golden: UPDATE_GOLDENS=1 npm run test:file -- test/goldens/sections.test.ts`]: golden,
      [`Add the tag ${section.tag ?? ''} to src/core/markup/markup.ts.`]:
        section.tag === undefined || tags.includes(section.tag),
      [`Add the words of the settings about ${id} to src/text/en/sections.ts.`]: Object.keys(words.sections).includes(
        id,
      ),
    });
  });

  it('name only tools that there are', () => {
    const known = tools.map(({ name }) => name);
    const rendered = sections
      .filter(({ id }) => Object.hasOwn(sectionValues, id))
      .map((section) => render(section, offering(known, sectionValues[section.id])) ?? '')
      .join('\n');
    const named =
      rendered.match(/\b(?:search|find|list|read|load|save|create|edit|note|recall|run|update)_[a-z_]+\b/g) ?? [];
    expect(named.filter((name) => ![...known, ...tags].includes(name))).toEqual([]);
  });
});

it('tags have names of their own, in the letters by which they are known', () => {
  expectOwnNames(tags, snake);
});

describe('facts', () => {
  const entries = Object.entries(facts);

  it('have names of their own, and each is needed by a section', () => {
    expectOwnNames(
      entries.map(([, { id }]) => id),
      kebab,
    );
    const needed = new Set(sections.flatMap((section) => Object.values(section.needs)));
    const unneeded = entries.filter(([, fact]) => !needed.has(fact));
    expect(unneeded.map(([name]) => `Name ${name} in the needs of a section.`)).toEqual([]);
  });

  it.each(entries.map(([name]) => name))('%s brings cases', (name) => {
    expectCases('core/prompt', new RegExp(`\\b${name}\\b`));
  });
});

describe('modes', () => {
  it('are those of the contract, in its order, each with a template and words', () => {
    expect(modes.map(({ id }) => id)).toEqual([...modeIds]);
    for (const { id, templates } of modes) {
      const texts = tiers.filter((tier) => tier in templates).map((tier) => builtInTemplates.get(id, tier));
      expect(texts.every((text) => text !== undefined && text !== '')).toBe(true);
    }
    for (const { templates } of modes) expect(Object.keys(templates).length).toBeGreaterThan(0);
  });
});

describe('tools', () => {
  it('have names of their own', () => {
    expectOwnNames(
      tools.map(({ name }) => name),
      snake,
    );
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))('%s brings a sound declaration and cases', (name, tool) => {
    const { description, parameters } = declare(tool);
    expect(description).toMatch(/^[A-Z].{20,}[.)]$/s);
    expect(description.length).toBeLessThan(700);
    expect(parameters).toMatchObject({ type: 'object' });
    expect(JSON.stringify(parameters)).not.toContain('$schema');
    expect(() => JSON.stringify(z.toJSONSchema(tool.parameters, { io: 'input', target: 'draft-7' }))).not.toThrow();
    expect(tool.parameters.safeParse('no object').success).toBe(false);
    expectCases('core/tools', new RegExp(`\\b${name}\\b`));
  });
});

describe.each([
  ['checks', checks],
  ['mention sources', mentionSources],
])('%s', (_, entries) => {
  it('have names of their own', () => {
    expectOwnNames(
      entries.map(({ id }) => id),
      kebab,
    );
  });
});

describe('checks', () => {
  it.each(checks.map(({ id }) => id))('%s brings cases', (id) => {
    expectCases('core/diagnostics', new RegExp(`\\brun\\('${id}'`));
  });
});

describe('mention sources', () => {
  it.each(mentionSources.map(({ id }) => id))('%s brings cases', (id) => {
    const name = id.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
    expectCases('', new RegExp(`\\b${name}Mentions\\b|kind: '${id}'`));
  });
});

describe('providers', () => {
  it('have names of their own', () => {
    expectOwnNames(
      providers.map(({ id }) => id),
      kebab,
    );
  });

  it.each(providers.map((row) => [row.id, row] as const))(
    '%s brings a label, models that hang together, and cases',
    (id, row) => {
      expect(words.models.labels[row.labelKey]).toMatch(/\w/);
      for (const { name, contextWindow, outputLimit } of row.table.models) {
        expect([name, contextWindow > outputLimit && outputLimit > 0]).toEqual([name, true]);
      }
      expectAll({
        'Add its line to promised in test/unit/models/strict-servers.ts.': promised.some((each) => each.id === id),
      });
    },
  );
});

describe('settings', () => {
  it('are rows that declare something', () => {
    expect(settingRows.length).toBeGreaterThan(0);
    expect(new Set(settingRows).size).toBe(settingRows.length);
  });
});
