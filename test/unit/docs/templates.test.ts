/** docs/templates.md names everything that the user's templates may ask for, and its examples are filled in. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readUserTemplate } from '../../../src/core/markup/user-templates';
import { promptValueNames } from '../../../src/core/markup/variables';
import { subagentFields, templateFields } from '../../../src/core/prompt/template-record';
import { expectNoFaults } from '../expect-no-faults';

const page = readFileSync(join(__dirname, '../../../docs/templates.md'), 'utf8').replaceAll('\\|', '|');
const fields = [...new Set([...templateFields(), ...promptValueNames, ...subagentFields()])];
const spans = [...page.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
const blocks = [...page.matchAll(/```markdown\n([^]*?)```/g)].map(([, text = '']) => text);

it('names each field of the record, and each tool', () => {
  const isNamed = (field: string): boolean => {
    const tool = /^(?:offers|tools)\.(\w+)$/.exec(field)?.[1];
    return spans.includes(`it.${field}`) || (tool !== undefined && spans.includes(tool));
  };
  expectNoFaults(
    fields.filter((field) => !isNamed(field)).map((field) => `docs/templates.md does not name it.${field}.`),
  );
});

it('names nothing else', () => {
  const named = spans.flatMap((text) => [...text.matchAll(/\bit\.([\w.]+)/g)].map(([, name = '']) => name));
  const known = [...fields, 'offers', 'tools', 'offers.NAME', 'tools.NAME', 'ToolNames', 'nothing'];
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

it('shows examples that can be read', () => {
  expect(blocks.length).toBeGreaterThan(1);
  const countIn = (text: string, part: RegExp): number => text.match(part)?.length ?? 0;
  const isOpen = (text: string): boolean => countIn(text, /<% if \(/g) > countIn(text, /<% \} %>/g);
  const examples = [...blocks, ...spans.filter((text) => /<%[^}]*%>/.test(text))];
  for (const text of examples) {
    expect([text, readUserTemplate(isOpen(text) ? `${text}<% } %>` : text).kind]).toEqual([text, 'read']);
  }
});
