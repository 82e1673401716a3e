// The one change that a mutant makes to the text of one file before it is compiled. DOCENT_MUTANT holds it as JSON:
//   {id, file, append} adds code at the end, {id, file, find, replace} replaces a text that stands there exactly once
const path = require('node:path');
const { weaveFile } = require('../mutation/switch.cjs');

const root = path.resolve(__dirname, '../..');

/** The changed text; throws when the text to replace is not there exactly once. */
function applyMutant(mutant, text) {
  if (mutant.append !== undefined) return `${text}\n${mutant.append}\n`;
  const parts = text.split(mutant.find);
  if (parts.length !== 2) {
    throw new Error(`${mutant.id}: its text stands ${parts.length - 1} times in ${mutant.file}, not once.`);
  }
  return parts.join(mutant.replace);
}

const chosen = process.env.DOCENT_MUTANT ? JSON.parse(process.env.DOCENT_MUTANT) : null;

/** The text as it is to be compiled. */
function mutate(text, file) {
  return chosen !== null && file === path.join(root, chosen.file) ? applyMutant(chosen, text) : weaveFile(text, file);
}

module.exports = { applyMutant, mutate };
