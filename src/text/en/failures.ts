/** Words of expected failures: what happened, and what to do. Those about tool calls are read by models as well. */

export const failures = () => ({
  noteMissing: (path: string) => `There is no note at “${path}”.`,
  noteMissingRemedy: 'Check the path, or search for the note by name.',
  noteUnreadable: (path: string) => `“${path}” could not be read.`,
  noteUnreadableRemedy: 'Check that the file is on this device and not locked by another app.',
  notText: (path: string) => `“${path}” is not a text file.`,
  notTextRemedy: 'Open it in its own app; only text can be read here.',
  tooLarge: (path: string, size: string, limit: string) => `“${path}” is ${size}, more than the limit of ${limit}.`,
  tooLargeRemedy: 'Split the note, or search it for the passage you need.',
  pathRefused: (path: string) => `“${path}” is not a path inside this vault that can be used.`,
  pathRefusedRemedy: 'Use a path from the vault listing, without dots, drive letters or special characters.',
  pathHidden: (path: string) => `“${path}” is kept out of reach by the vault's settings.`,
  pathHiddenRemedy:
    'The user can change that: excluded files, kept folders and tags in the settings, or the property “docent: false”.',
  aborted: 'Stopped.',
  abortedRemedy: 'Send the message again to continue.',

  unknownTool: (name: string, known: string) => `There is no tool named “${name}”. The tools are: ${known}.`,
  argumentsNotJson: 'The arguments of this call are not valid JSON.',
  argumentsNotJsonRemedy: 'Call the tool again with one JSON object.',
  wrongArguments: (name: string, problems: string) => `The arguments do not fit ${name}:\n${problems}`,
  callStopped: 'The user stopped the turn before this call ran.',
  callCutOff:
    'The answer reached its length limit, so this call may be incomplete and was not run. Call again with less text before it.',
  tooManyCalls: 'This turn has used all of its tool calls. Answer with what you have.',
  repeatedCallId: 'This call repeats the id of another one and was not run.',
  toolBroke: (name: string, problem: string) => `${name} failed unexpectedly: ${problem}`,

  answerCutOff: 'The connection ended before the answer was complete.',
  answerCutOffRemedy: 'The text so far is kept. Send “continue”, or send the message again.',
  answerEmpty: 'The model gave an empty answer.',
  answerRefused: 'The model declined to answer.',
  answerEmptyRemedy: 'Rephrase the message, or choose another model in the settings.',
  turnLimit: 'The turn was stopped because it reached its limit of tool calls.',
  turnLimitRemedy: 'Send “continue” to go on, or ask for a smaller step.',
  requestTooLong: (needed: number, room: number) =>
    `This request needs about ${needed} tokens, and the model has room for ${room}.`,
  requestTooLongRemedy: 'Remove attached notes, start a new chat, or choose a model with a larger window.',

  unknownModel: (id: string) => `The model “${id}” belongs to no provider that is set up.`,
  unknownModelRemedy: 'Choose another model in the settings.',

  logNotWritten: 'The conversation could not be saved.',
  logNotWrittenRemedy: 'What was written stays here. Free some space or check the vault folder, then send again.',
  unexpected: (problem: string) => `Something went wrong inside Docent: ${problem}`,
  unexpectedRemedy: 'Send the message again. If it happens again, copy the diagnostics and report it.',

  logNotRead: 'The conversation could not be read.',
  logNotReadRemedy: 'Check that the chats folder is on this device, then open the chat again.',
});
