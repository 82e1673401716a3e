// Prose files (templates, section texts) are imported as strings, in tests as in the bundle.
module.exports = {
  process: (text) => ({ code: `module.exports = ${JSON.stringify(text)};` }),
};
