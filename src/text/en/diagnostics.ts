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

export function diagnostics() {
  return {
    title: 'Diagnostics',
    copy: 'Copy diagnostics',
    checking: 'Checking…',
    allWell: 'No problems found.',
    problems: (count: number) => (count === 1 ? '1 problem found.' : `${count} problems found.`),
    levels: { ok: 'OK', note: 'Info', warning: 'Warning', error: 'Error' },
    inUse: 'In the next request',
    failed: (problem: string) => `Couldn’t run this check: ${problem}`,

    hasProblem: (notes: number, others: number) => {
      const parts = [
        ...(notes > 0 ? [counted(notes, 'note', 'notes')] : []),
        ...(others > 0 ? [counted(others, 'setting', 'settings')] : []),
      ];
      return `Problems in ${parts.join(' and ')} of Docent`;
    },
    needsLookAt: (summary: string, name: string, first: string) =>
      name === '' ? `${summary}. ${first}` : `${summary}. ${name}: ${first}`,

    openNote: 'Open the note',
    openSettings: 'Open settings',
    createFolder: 'Create folder',
    folderNotCreated: (folder: string, problem: string) => `Couldn’t create the folder “${folder}”: ${problem}`,
    folderNotCreatedRemedy: 'Create it in the file list, or correct the name.',

    sameName: (name: string, other: string) =>
      `${other} is also named “${name}”. Rename one of them to tell them apart.`,

    templates: {
      label: 'Mode and template',
      inUse: (mode: string, tier: number, tokens: string, budget: string) =>
        `${mode} at level ${tier} uses its own template, ${tokens} of ${budget} tokens.`,
      allThere: (count: number) => `All ${count} templates exist and are within their token budgets.`,
      otherServed: (mode: string, tier: number, servedMode: string, servedTier: number) =>
        `${mode} has no template for level ${tier}. Docent uses that of ${servedMode} at level ${servedTier}.`,
      noneServed: (mode: string, tier: number) =>
        `${mode} has no template for level ${tier}, and no other one can replace it.`,
      overBudget: (tier: number, tokens: string, budget: string) =>
        `The template for level ${tier} has ${tokens} tokens, and its budget is ${budget}. Shorten it, remove what ` +
        'the model does on its own, move parts into skills, or choose a lower instruction level in settings.',
      builtInServed: (mode: string, tier: number) =>
        `You have no template for ${mode} at level ${tier}, or didn’t allow it on this device, so Docent’s template is used.`,
      empty: 'It is empty, so it isn’t used.',
      broken: 'It has an error, so Docent’s template is used.',
      strangeName: 'It isn’t used, because templates are named tier1.md to tier5.md.',
    },

    prompts: {
      label: 'Prompts',
      none: (folder: string) => `No prompts yet. Each is a note in ${folder}.`,
      fine: (count: number) => (count === 1 ? 'The prompt can be used.' : `All ${count} prompts can be used.`),
      off: 'It is turned off by its property “disabled”.',
      missing: 'The prompt for this chat was deleted, so none is used.',
      brokenOffered: 'Until then, it appears under its file name.',
    },

    workspaces: {
      label: 'Workspaces',
      none: (folder: string) => `No workspaces yet. Each is a note in ${folder}.`,
      fine: (count: number) => (count === 1 ? 'The workspace can be used.' : `All ${count} workspaces can be used.`),
      missingWorkspace: 'The workspace of this chat was deleted, so none is used.',
    },

    skills: {
      label: 'Skills',
      none: (folder: string) => `No skills yet. Each is a folder in ${folder} with a note SKILL.md.`,
      fine: (count: number) => (count === 1 ? 'The skill can be used.' : `All ${count} skills can be used.`),
      hidden: (name: string, winner: string) =>
        `It isn’t used, because ${winner} has a skill with the same name “${name}”.`,
      replacesOther: (name: string, location: string) => `Your skill “${name}” replaces ${location}.`,
      noNote: (folder: string) => `The folder “${folder}” has no note SKILL.md, so it isn’t a skill.`,
      misplaced: (name: string) => `A skill is a folder: move this note to ${name}/SKILL.md.`,
    },

    subagents: {
      label: 'Subagents',
      fine: (count: number, own: number) =>
        `${counted(count, 'subagent', 'subagents')} can be used${own === 0 ? '' : `, ${own} of them from your notes`}.`,
      replacesBuiltIn: (name: string) => `Your note replaces the built-in subagent “${name}”.`,
      hidden: (name: string, winner: string) =>
        `It isn’t used, because ${winner} has a subagent with the same name “${name}”.`,
      toolsMissing: (names: readonly string[]) =>
        `It can’t use these tools, because they are missing or can write: ${names.join(', ')}.`,
    },

    variables: {
      label: 'Variables in your texts',
      fine: 'Every variable in your prompts and templates is known.',
      unknown: (name: string) => `\${${name}} isn’t a variable, so it is sent as plain text.`,
      nearest: (name: string, nearest: string) =>
        `\${${name}} isn’t a variable, so it is sent as plain text. Did you mean \${${nearest}}?`,
      broken: (line: number, reason: string) =>
        `Line ${line}: ${reason} The template isn’t used. If Docent has its own template, that is used instead.`,
      refused: (line: number, reason: string) => `Line ${line}: ${reason} The text is sent unchanged.`,
      missing: (line: number, name: string, nearest: string | null) =>
        `Line ${line}: ${name} has no value here, so it is left empty.${nearest === null ? '' : ` Did you mean ${nearest}?`}`,
      reasons: {
        tag: 'A tag begins with <% and has no %>.',
        quote: 'A quotation mark is not closed.',
        end: 'The condition has no end: add <% } %>.',
        start: 'This <% %> tag has no condition before it.',
        condition: 'The condition is not complete. Write it like <% if (it.interactive) { %>.',
        length: 'A text with <% %> tags can have at most 100,000 characters.',
        'tag-length': 'A <% %> tag can have at most 500 characters.',
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
      none: (name: string) => `The vault has no ${name} at its top level. It is optional.`,
      fine: (count: number) => (count === 1 ? 'It is sent in full.' : `All ${count} are sent in full.`),
      empty: 'It is empty, so nothing is sent.',
      cut: (shown: string, all: string) =>
        `It is too long, so only the first ${shown} of ${all} characters are sent. Shorten it, or move parts to skills.`,
    },

    memory: {
      label: 'Memory note',
      none: (path: string) => `No memory note yet. Its path is ${path}.`,
      empty: 'It is empty, so nothing is sent.',
      fine: (tokens: string) => `It uses ${tokens} tokens of every request.`,
      large: (tokens: string, percent: number) =>
        `It uses ${tokens} tokens of every request, ${percent}% of the context window. Shorten it.`,
    },

    settings: {
      label: 'Settings',
      fine: 'All settings are readable.',
      folderMissing: (folder: string) =>
        `The agent folder “${folder}” doesn’t exist or is excluded. Docent creates it when it needs it.`,
      contextNoteMissing: (path: string) => `The pinned note “${path}” was deleted.`,
    },

    conflictCopies: {
      label: 'Sync conflicts',
      none: 'No conflicting versions of Docent’s notes found.',
      found: (name: string) =>
        `A sync service saved this version of “${name}”, because two devices changed it. Docent doesn’t use it. Copy what you need to “${name}”, then delete this version.`,
    },

    writes: {
      label: 'Writes and undo',
      interrupted:
        'A write was interrupted, so this file matches neither the old nor the new version. Both are saved. Choose one.',
      choices: { before: 'Restore old version', after: 'Use new version', 'as-is': 'Leave file as is' },
      cutOff: (path: string) =>
        `A write to “${path}” was interrupted, so it matches neither the old nor the new version. Both are saved.`,
      settled: (path: string) => ({
        before: `Restored the old version of “${path}”.`,
        after: `“${path}” now contains the new version.`,
        'as-is': `“${path}” is unchanged.`,
      }),
      usage: (usage: JournalFigures | null) =>
        usage === null
          ? 'Docent stores copies of the files it changes, so that you can undo changes.'
          : (usage.operations === 0
              ? 'There is nothing to undo at the moment. Copies of changed files may use '
              : `${counted(usage.operations, 'change', 'changes')} can be undone. Their copies use ${megabytes(usage.bytes)} of `) +
            `${megabytes(usage.limitBytes)}, and are deleted after ${usage.limitDays} days or when space runs out, oldest first.` +
            ((usage.otherBytes ?? 0) > 0
              ? ` Copies of your other devices use ${megabytes(usage.otherBytes ?? 0)}, which those devices delete.`
              : ''),
      unrecorded: (count: number) =>
        `Couldn’t finish the undo record of ${counted(count, 'change', 'changes')}, because the disk reported an error. ` +
        'Docent tries again with the next change or when Obsidian starts.',
    },

    model: {
      label: 'Model and API key',
      reader: 'The built-in reader is in use. It needs no API key and no network.',
      keyThere: (model: string, provider: string, address: string) =>
        `${model} of ${provider} at ${address} has an API key. To test it, use Test connection in settings.`,
      keyNotNeeded: (model: string, provider: string, address: string) =>
        `${model} of ${provider} at ${address} has no API key and needs none. To test it, use Test connection in ` +
        'settings.',
      windowSmaller: (model: string, window: number, assumed: number) =>
        `The context window of ${model} on this device is ${grouped(window)} tokens, not ${grouped(assumed)}. ` +
        'Docent sends no more than that. To try a larger one, enter it in settings.',
      windowBelowSet: (model: string, window: number, own: number) =>
        `You set a context window of ${grouped(own)} tokens for ${model}, but its server accepts ${grouped(window)}. ` +
        'Docent sends no more than that. Correct the setting, or load the model with a larger context window and enter it again.',
    },

    events: {
      label: 'Recent events',
      none: 'No events since Obsidian started.',
    },
  };
}
