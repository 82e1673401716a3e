/** The settings that the rows of the specification ask for are on the tab, and each writes what it reads. */
import { Platform } from 'obsidian';
import { fail } from '../../../../src/core/ports/failure';
import { switchOf } from '../../../../src/core/prompt/composition-options';
import { defaultSettings, type Settings } from '../../../../src/core/settings/settings';
import { words } from '../../../../src/text';
import type { SettingRow } from '../../../../src/ui/settings/setting-row';
import { settingRows } from '../../../../src/ui/settings/settings-tab';
import type { SettingsPorts } from '../../../../src/ui/state/ports';

const provider = {
  id: 'ollama',
  label: 'Ollama',
  baseUrl: 'http://localhost:11434/v1',
  keyName: '',
  models: ['small'],
};

function portsWith(settings: Partial<Settings> = {}): SettingsPorts {
  const all = { ...defaultSettings, ...settings };
  const switches = { computer: null, settings: () => all };
  const ownPrompt = { switchOf: (section: string) => switchOf(section, switches) };
  return { settings: () => all, providers: [provider], ownPrompt } as unknown as SettingsPorts;
}

function rowFor(key: string): SettingRow {
  const row = settingRows.find(({ keys }) =>
    keys.some((each) => key === each || (each.endsWith('.') && key.startsWith(each))),
  );
  if (row === undefined) throw new Error(`No row of the settings has ${key}.`);
  return row;
}

/** What the setting shows after this was put into it. */
function shownAfter(key: string, value: unknown): unknown {
  const row = rowFor(key);
  return row.read(key, portsWith(row.write(key, value, portsWith())));
}

it.each([
  ['R105 which model answers', 'model', 'ollama/small'],
  ['phone-new-line what Return does on a phone', 'phoneNewLine', true],
  ['R161 folders that are kept from the agent', 'keptFolders', 'Journal\nWork/Secret'],
  ['R161 tags that are kept from the agent', 'keptTags', '#private\n#work/secret'],
  ['R133 folders of clipped pages', 'clippingFolders', 'Web'],
  ['R079 what the agent may do in a new chat', 'permission', 'plan'],
  ['R105 the models of a provider', 'provider.ollama.models', 'small\nlarge'],
  ['R107 the mode', 'mode', 'debugger'],
  ['R094 R095 the tier', 'tier', '2'],
  ['R095 the context window', 'contextWindow', '20000'],
  ['R129 the folder of the user’s own prompts', 'agentFolder', 'My agent'],
  ['R149 when the context status is told', 'contextStatus', 'never'],
  ['R027 R028 a system prompt of the user’s own', 'systemPrompt', 'default'],
  ['R029 R031 the path of a system prompt', 'systemPromptPath', 'Prompts/mine.md'],
  ['R043 R044 whether the prompt is written out', 'promptExport', 'default'],
  ['R043 R045 where it is written', 'promptExportPath', 'Out/prompt.md'],
  ['R252 a section', 'section.git', false],
  ['R108 additional instructions', 'additionalInstructions', 'British spelling.'],
  ['R108 the name of the agent', 'agentName', 'Ada'],
  ['R109 K30 the self-check', 'sanityChecks', 'on'],
  ['R081 K29 the length of answers', 'brevity', 'normal'],
  ['R195 the names of context files', 'contextFiles', 'AGENTS.md\nCLAUDE.md'],
  ['R195 the names of context files', 'contextFiles', 'CLAUDE.md\nRules.md'],
  ['R108 the agent’s name', 'agentName', 'Skipper'],
  ['R108 what to tell in every chat', 'additionalInstructions', 'Answer in verse.'],
  ['R081 how brief answers are', 'brevity', 'normal'],
  ['R109 when the model is asked to check itself', 'sanityChecks', 'off'],
  ['R027 whose system prompt it is', 'systemPrompt', 'default'],
  ['R043 whether the prompt is exported', 'promptExport', 'default'],
])('%s can be set', (_what, key, value) => {
  expect(rowFor(key).read(key, portsWith())).not.toBe(value);
  expect(shownAfter(key, value)).toBe(value);
});

it('R095 goes back to the automatic tier and the window of the model', () => {
  expect(rowFor('tier').write('tier', 'auto', portsWith({ tier: 2 }))).toEqual({ tier: 'auto' });
  expect(rowFor('contextWindow').write('contextWindow', ' ', portsWith({ contextWindow: 20_000 }))).toEqual({
    contextWindow: null,
  });
});

it.each([
  ['permission', 'review'],
  ['tier', 'auto'],
  ['brevity', 'brief'],
  ['sanityChecks', 'auto'],
  ['contextStatus', 'auto'],
])('shows for %s its default %s in place of a value that there is not', (key, value) => {
  expect(shownAfter(key, 'none of them')).toBe(value);
});

it('offers what Return does on a phone where there is one', () => {
  const shown = (): unknown => (rowFor('phoneNewLine').define(portsWith()) as { visible?: () => boolean }).visible?.();
  expect(shown()).toBe(false);
  const phone = jest.replaceProperty(Platform, 'isPhone', true);
  expect(shown()).toBe(true);
  phone.restore();
});

it.each(['mirrorChats', 'titlesByModel', 'phoneNewLine'])('switches %s on by nothing but its switch', (key) => {
  expect([true, false, 'yes'].map((value) => rowFor(key).write(key, value, portsWith()))).toEqual([
    ...[{ [key]: true }, { [key]: false }, { [key]: false }],
  ]);
});

it.each([
  ['compactionShare', words.status.settings.shareBad, ['', '20', '95 %'], ['19', '96', 'many']],
  ['compactionCap', words.status.settings.capBad, ['', '1024', '20 000'], ['1023', 'many']],
  ['contextWindow', words.settings.contextWindowBad, ['', '1024', '20 000'], ['1023', 'many']],
])('says of %s what is wrong with it, as it is typed', (key, bad, good, wrong) => {
  const prompts = { model: () => fail({ kind: 'refused', words: '', remedy: '' }) };
  const defined = rowFor(key).define({ ...portsWith(), prompts } as unknown as SettingsPorts);
  const { control } = defined as { control: { validate(value: string): string | undefined } };
  expect(good.map((value) => control.validate(value))).toEqual(good.map(() => undefined));
  expect(wrong.map((value) => control.validate(value))).toEqual(wrong.map(() => bad));
});

it('R252 switches a section of the prompt off and on again', () => {
  const row = rowFor('section.git');
  expect(row.write('section.git', false, portsWith({ sectionsOff: ['preamble'] }))).toEqual({
    sectionsOff: ['preamble', 'git'],
  });
  expect(row.write('section.git', true, portsWith({ sectionsOff: ['preamble', 'git'] }))).toEqual({
    sectionsOff: ['preamble'],
  });
});

it.each([
  ['R101 the templates of the user’s own mode', words.ownPrompt.templates],
  ['R040 R263 the notes that add to the prompt', words.ownPrompt.notes],
  ['R129 the list of prompts', words.prompts.setting],
])('%s can be reached', (_what, name) => {
  const ownPrompt = { hasNote: () => false, override: () => ({ place: { kind: 'none' } }) };
  const ports = { ...portsWith(), ownPrompt } as unknown as SettingsPorts;
  const ways = settingRows.filter(({ keys }) => keys.length === 0).map((row) => row.define(ports));
  expect(ways.flatMap((way) => ('name' in way ? way.name : []))).toContain(name);
});

it('R252 switches a section back on and keeps the others off', () => {
  const ports = portsWith({ sectionsOff: ['git', 'files'] });
  expect(rowFor('section.git').write('section.git', true, ports)).toEqual({ sectionsOff: ['files'] });
  expect(rowFor('section.git').write('section.git', false, ports)).toEqual({ sectionsOff: ['files', 'git'] });
});

it('R108 R195 goes back to the defaults when nothing is left', () => {
  expect(rowFor('agentName').write('agentName', ' ', portsWith())).toEqual({ agentName: 'Assistant' });
  expect(rowFor('contextFiles').write('contextFiles', ' \n', portsWith())).toEqual({ contextFiles: ['AGENTS.md'] });
});

it('R058 how full the copies for the undo are, and their bounds', () => {
  const usage = {
    operations: 3,
    bytes: 1_500_000,
    oldest: null,
    limitDays: 30,
    limitBytes: 200_000_000,
    otherBytes: 0,
  };
  const journal = {
    usage: () => usage,
    measure: () => Promise.reject(new Error('not asked')),
    prune: () => Promise.reject(new Error('not asked')),
    retired: () => Promise.reject(new Error('not asked')),
  };
  const shown = settingRows
    .filter(({ group, keys }) => group === 'files' && keys.length === 0)
    .map((row) => row.define({ ...portsWith(), journal } as SettingsPorts));
  const row = shown.find((each) => 'name' in each && each.name === words.keeping.journal);
  expect(row).toMatchObject({
    desc: '3 changes can be undone. Their copies use 1.5 MB of 200 MB, and are deleted after 30 days or when space runs out, oldest first.',
  });
});

it('R133 provenanceRow counts what the user decided of notes and folders', () => {
  const said = [
    { path: 'A.md', is: 'own' as const },
    ...['B.md', 'C'].map((path) => ({ path, is: 'others' as const })),
  ];
  const provenance = { said, say: () => undefined, refresh: () => Promise.resolve(null) };
  const shown = settingRows
    .filter(({ group, keys }) => group === 'privacy' && keys.length === 0)
    .map((row) => row.define({ ...portsWith(), provenance } as SettingsPorts));
  const row = shown.find((each) => 'name' in each && each.name === words.keeping.said);
  expect(row).toMatchObject({ desc: words.keeping.saidDesc(1, 2) });
});
