/** What scripts and tests use of the scripted model server. */
export { startScriptedModel } from './start-scripted-model';
export type { ScriptedModel, ScriptedModelSettings } from './start-scripted-model';
export type {
  ModelRequest,
  RecordedRequest,
  Script,
  ScriptedToolCall,
  ScriptedWindows,
  ScriptedUsage,
  ScriptStep,
} from './script';
export { readRequest, type ReadMessage, type ReadRequest } from './read-request';
export { answerFromSearch } from './answer-from-search';
export { enteredHere, scriptedKeyName, scriptedSecrets, scriptedSettings } from './scripted-settings';
