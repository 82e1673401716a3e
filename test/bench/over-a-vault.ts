/**
 * What scripts and the bench run over a vault without Obsidian. One bundle has all of it: nearly all of what each is
 * made of is the same, and making a bundle takes longer than most runs.
 */
export { measureFirstRequest } from './first-request';
export { printPrompt, WrongInput } from './print-prompt';
export { printPromptPairs } from './print-prompt-pairs';
export { measurePromptTimes } from './prompt-times';
export { formatReport, runEval } from '../eval/run-eval';
