/** Words about the notes that people keep for the agent: skills, sub-agents, and what is wrong with one. */

export const agentFolder = () => ({
  nameMissing: 'It has no name. Add a property “name”.',
  nameNotText: 'Its name is not text. Put the name in quotation marks.',
  nameTooLong: (most: number) => `Its name is longer than ${most} characters.`,
  nameShape: 'Its name may hold lowercase letters, digits and single hyphens between them, such as “weekly-review”.',
  nameElsewhere: (name: string, folder: string) =>
    `Its name “${name}” differs from its folder “${folder}”. Give both the same name.`,
  descriptionMissing: 'It has no description. Add a property “description” that says what it does and when to use it.',
  descriptionTooLong: (most: number) => `Its description is longer than ${most} characters.`,
  fieldNotText: (field: string) => `Its “${field}” is not text.`,
  fieldTooLong: (field: string, most: number) => `Its “${field}” is longer than ${most} characters.`,
  fieldNotPairs: (field: string) => `Its “${field}” is not a set of names with values.`,
  fieldNotList: (field: string) => `Its “${field}” is not a list of names.`,
  fieldNotFlag: (field: string) => `Its “${field}” is neither true nor false.`,
  propertiesBroken: 'Its properties cannot be read. Open it and correct the block at its top.',
  toolsMissing: (names: readonly string[]) => `It needs tools that are not offered: ${names.join(', ')}.`,
  workspaceFolderMissing: (folder: string) =>
    `Its folder “${folder}” is not in the vault. Correct its property “folder”.`,
  notIndexed: 'The app has not read its properties yet. Wait a moment, or open it.',
  hiddenBy: (name: string, winner: string) => `“${name}” is hidden by the one at ${winner}.`,
  skillTitle: (name: string) => `Use the skill “${name}”`,
  skillMissing: (name: string) => `There is no skill “${name}”.`,
  skillMissingRemedy: (names: readonly string[]) =>
    names.length === 0 ? 'Go on without a skill.' : `Skills there are: ${names.join(', ')}.`,
  skillSeveral: (name: string) => `There are several skills “${name}”.`,
  skillSeveralRemedy: (locations: readonly string[]) => `Give the location of one: ${locations.join('; ')}.`,
  skillInvalid: (name: string, reason: string) => `The skill “${name}” cannot be used. ${reason}`,
  skillInvalidRemedy: 'Tell the user, and go on without it.',
});
