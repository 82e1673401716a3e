/** Words about hooks: what other plugins add to a turn, and how they fail. */

export const hooks = () => ({
  added: (label: string) => `${label} added text to the message.`,
  failed: (label: string, problem: string) => `${label} failed and was left out: ${problem}`,
  tooSlow: (label: string, seconds: number) => `${label} did not answer within ${seconds} seconds and was left out.`,
  noText: (label: string) => `${label} gave something other than text; it was left out.`,
  noRoom: (label: string) => `The text of ${label} does not fit into the window and was left out.`,
  wrongChange: (label: string, problem: string) =>
    `${label} asked for a change that is not possible (${problem}); it was left out.`,
  shorterAnswer: (label: string, tokens: number) => `${label} limited the answer to ${tokens} tokens.`,
  temperature: (label: string, temperature: number) => `${label} set the temperature to ${temperature}.`,
  wrongId: (id: string) => `A hook's id has letters, digits and -_.: only; “${id}” is not one.`,
  wrongLabel: (id: string) => `The hook “${id}” needs a label.`,
  takenId: (id: string) => `A hook with the id “${id}” is registered already.`,

  noShare: (path: string) =>
    `“${path}” did not come along: the context files of folders have used up their share of the window.`,

  cameAlong: (source: string) => `Came along: ${source}`,
  contextFile: (path: string) => `${path}, for its folder`,
  fromPlugin: (label: string) => `added by ${label}`,
});
