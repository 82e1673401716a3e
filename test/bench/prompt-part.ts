/** The part `prompt`, as the bench runs it. */
export { measureFirstRequest } from './first-request';
export { measurePromptTimes } from './prompt-times';
