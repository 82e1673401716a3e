/** Words of the diagnostics: what each check reports, its buttons, and the mark in the chat view. */
import { grouped } from './count';

/** The undo history. */
interface JournalFigures {
  readonly operations: number;
  readonly bytes: number;
  readonly limitBytes: number;
  readonly limitDays: number;
  readonly otherBytes?: number;
}

const megabytes = (bytes: number): string =>
  `${(bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
const counted = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`);

export const diagnostics = () => ({
  title: 'Diagnostics',
  show: 'Show diagnostics',
  copy: 'Copy diagnostics',
  checking: 'Looking…',
  allWell: 'No problems found.',
  problems: (count: number) => (count === 1 ? '1 thing needs a look.' : `${count} things need a look.`),
  levels: { ok: 'OK', note: 'Good to know', warning: 'Warning', error: 'Error' },
  inUse: 'In the next request',
  failed: (problem: string) => `This check could not be carried out: ${problem}`,

  hasProblem: (notes: number, others: number) => {
    const parts = [
      ...(notes > 0 ? [counted(notes, 'note', 'notes')] : []),
      ...(others > 0 ? [counted(others, 'setting', 'settings')] : []),
    ];
    return `${parts.join(' and ')} of Docent ${notes + others === 1 ? 'needs' : 'need'} a look`;
  },
  needsLookAt: (summary: string, name: string, first: string) =>
    name === '' ? `${summary}. ${first}` : `${summary}. ${name}: ${first}`,

  openNote: 'Open the note',
  openSettings: 'Open the settings',
  createFolder: 'Create the folder',
  folderNotCreated: (folder: string, problem: string) => `The folder “${folder}” could not be made. (${problem})`,
  folderNotCreatedRemedy: 'Make it in the list of files, or correct the name.',

  sameName: (name: string, other: string) =>
    `“${name}” is also the name of ${other}. Both are offered; give one of them another name to tell them apart.`,

  templates: {
    label: 'Mode and template',
    inUse: (mode: string, tier: number, tokens: string, budget: string) =>
      `${mode} at size ${tier}: its own template is served, ${tokens} of ${budget} tokens.`,
    allThere: (count: number) => `All ${count} templates are there and keep to their budgets.`,
    otherServed: (mode: string, tier: number, servedMode: string, servedTier: number) =>
      `There is no template for ${mode} at size ${tier}. That of ${servedMode} at size ${servedTier} is served.`,
    noneServed: (mode: string, tier: number) =>
      `There is no template for ${mode} at size ${tier}, nor one in its place.`,
    overBudget: (tier: number, tokens: string, budget: string) =>
      `The template for size ${tier} has ${tokens} tokens, and its budget is ${budget}. Shorten it, remove what the ` +
      'model does by itself, split parts of it into skills, or choose a lower size in the settings.',
    builtInServed: (mode: string, tier: number) =>
      `${mode} has no template of yours at size ${tier}, so Docent’s own text serves.`,
    empty: 'It is empty, so it is not used.',
    broken: 'It is a template with a mistake in it, so Docent’s own text is used.',
    strangeName: 'Templates are named tier1.md to tier5.md. Under another name a note is not used.',
  },

  prompts: {
    label: 'Prompts',
    none: (folder: string) => `There are no prompts yet: each is a note in ${folder}.`,
    fine: (count: number) => (count === 1 ? 'The prompt can be used.' : `All ${count} prompts can be used.`),
    off: 'It is switched off by its property “disabled”.',
    missing: 'The standing prompt of this chat is gone from the vault, so nothing stands in its place.',
    brokenOffered: 'It is offered under its file name meanwhile.',
  },

  workspaces: {
    label: 'Workspaces',
    none: (folder: string) => `There are no workspaces yet: each is a note in ${folder}.`,
    fine: (count: number) => (count === 1 ? 'The workspace can be used.' : `All ${count} workspaces can be used.`),
    missingWorkspace: 'The workspace of this chat is gone from the vault, so none is told.',
  },

  skills: {
    label: 'Skills',
    none: (folder: string) => `There are no skills yet: each is a folder in ${folder} with a note SKILL.md.`,
    fine: (count: number) => (count === 1 ? 'The skill can be used.' : `All ${count} skills can be used.`),
    hidden: (name: string, winner: string) => `It is not used: the skill “${name}” at ${winner} comes before it.`,
    replacesOther: (name: string, location: string) => `Your skill “${name}” takes the place of ${location}.`,
    noNote: (folder: string) => `The folder “${folder}” holds no note SKILL.md, so it is no skill.`,
    misplaced: (name: string) => `A skill is a folder: move this note to ${name}/SKILL.md.`,
  },

  subagents: {
    label: 'Sub-agents',
    fine: (count: number, own: number) =>
      `${counted(count, 'sub-agent', 'sub-agents')} can be used${own === 0 ? '' : `, ${own} of them from your notes`}.`,
    replacesBuiltIn: (name: string) => `Your note takes the place of the built-in sub-agent “${name}”.`,
    hidden: (name: string, winner: string) => `It is not used: the sub-agent “${name}” at ${winner} comes before it.`,
    toolsMissing: (names: readonly string[]) =>
      `It names tools that are not offered or do more than read, and goes without them: ${names.join(', ')}.`,
  },

  variables: {
    label: 'Variables in your texts',
    fine: 'Every variable in your prompts and templates is known.',
    unknown: (name: string) => `\${${name}} is not a variable, so it stays as it is.`,
    nearest: (name: string, nearest: string) =>
      `\${${name}} is not a variable, so it stays as it is. Did you mean \${${nearest}}?`,
    broken: (line: number, reason: string) =>
      `Line ${line}: ${reason} The template is not filled in. Where Docent has a text of its own, it is used instead.`,
    refused: (line: number, reason: string) => `Line ${line}: ${reason} The whole text is sent as it is written.`,
    missing: (line: number, name: string, nearest: string | null) =>
      `Line ${line}: ${name} has no value here, so it gives nothing.${nearest === null ? '' : ` Did you mean ${nearest}?`}`,
    reasons: {
      tag: 'A tag begins with <% and has no %>.',
      quote: 'A quotation mark is not closed.',
      end: 'The condition has no end: add <% } %>.',
      start: 'This tag has no condition before it.',
      condition: 'The condition is not complete. Write it like <% if (it.interactive) { %>.',
      length: 'A text with tags can have 100,000 characters.',
      'tag-length': 'A tag can have 500 characters.',
      depth: 'At most 20 conditions can be inside one another.',
      loop: 'Templates have no loops.',
      call: 'Templates can’t run functions.',
      assignment: 'Templates can’t change values.',
      name: 'Templates can’t use this name.',
      code: 'Templates can only use names such as it.mode, conditions, and comparisons.',
    },
  },

  contextFiles: {
    label: 'Context files',
    none: (name: string) => `There is no ${name} at the top of the vault; it is not needed.`,
    fine: (count: number) => (count === 1 ? 'It is told in full.' : `All ${count} are told in full.`),
    empty: 'It is empty, so nothing of it is told.',
    cut: (shown: string, all: string) =>
      `It is too long: the first ${shown} of its ${all} characters are told. Shorten it, or move parts into skills.`,
  },

  memory: {
    label: 'Memory note',
    none: (path: string) => `There is no memory note yet. It would be at ${path}.`,
    empty: 'It is empty, so nothing of it is told.',
    fine: (tokens: string) => `It takes ${tokens} tokens of every request.`,
    large: (tokens: string, percent: number) =>
      `It takes ${tokens} tokens of every request, ${percent} % of what the model can hold. Shorten it.`,
  },

  settings: {
    label: 'Settings',
    fine: 'All settings could be read.',
    folderMissing: (folder: string) =>
      `The agent folder “${folder}” is not there yet, or excluded from the vault. It is made when it is first needed.`,
    contextNoteMissing: (path: string) => `The context note “${path}” is gone from the vault.`,
  },

  conflictCopies: {
    label: 'Sync conflicts',
    none: 'No sync service stored a second version of Docent’s own notes.',
    found: (name: string) =>
      `A sync service stored this version of “${name}” because two devices changed it. Docent uses the note without the added name. Copy what is only here into it, then delete this version.`,
  },

  writes: {
    label: 'Writes and undo',
    interrupted:
      'A write was cut off, and the file now holds neither what was there nor what was to be. Both versions are kept. Choose what it is to hold.',
    choices: { before: 'Take the write back', after: 'Finish the write', 'as-is': 'Keep it as it is' },
    cutOff: (path: string) =>
      `The write of “${path}” was cut off. The file holds neither what was there nor what was to be; both are kept.`,
    settled: (path: string) => ({
      before: `“${path}” is as it was before.`,
      after: `“${path}” holds what was to be written.`,
      'as-is': `“${path}” stays as it is.`,
    }),
    usage: (usage: JournalFigures | null) =>
      usage === null
        ? 'The copies for the undo have not been looked at yet.'
        : `${counted(usage.operations, 'write', 'writes')} can be undone. Their copies take ${megabytes(usage.bytes)} of ` +
          `${megabytes(usage.limitBytes)} at most, and are dropped after ${usage.limitDays} days, the oldest first.` +
          ((usage.otherBytes ?? 0) > 0
            ? ` Copies of other devices use ${megabytes(usage.otherBytes ?? 0)}; these devices delete them, and the settings those of a device that is no longer used.`
            : ''),
    unrecorded: (count: number) =>
      `Couldn’t record the end of ${counted(count, 'write', 'writes')} for undo, because the disk refused it. ` +
      'It is recorded with the next change, or checked when Obsidian starts again.',
  },

  model: {
    label: 'Model and key',
    reader: 'The built-in reader answers. It needs no key and no network.',
    keyThere: (model: string, provider: string, address: string) =>
      `${model} of ${provider} at ${address}: a key is stored. Whether it is accepted is tested in the settings.`,
    keyNotNeeded: (model: string, provider: string, address: string) =>
      `${model} of ${provider} at ${address}: no key is stored, and none is needed. Whether it answers is tested in ` +
      'the settings.',
    windowSmaller: (model: string, window: number, assumed: number) =>
      `${model} turned out to have a window of ${grouped(window)} tokens on this device, not ${grouped(assumed)}. ` +
      'Requests are made to fit that. To try a larger one, enter it in the settings.',
    windowBelowSet: (model: string, window: number, own: number) =>
      `You have set a window of ${grouped(own)} tokens for ${model}, but its server takes ${grouped(window)}. ` +
      'Requests are made to fit that. Correct the setting, or load the model with more and set the window again.',
  },

  events: {
    label: 'Recent events',
    none: 'Nothing has been noted since the app was started.',
  },
});
