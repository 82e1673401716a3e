// How a script ends on bad input: one plain sentence with its remedy on standard error, and exit code 1.

/** An error with words for the user; any other error is a defect and keeps its stack. */
export class UserError extends Error {
  // The workbench throws a class of its own of the same name.
  name = 'UserError';
}

/** Runs the script's main function and turns what it throws into an exit code. */
export async function runScript(main) {
  try {
    await main();
  } catch (thrown) {
    if (thrown.name === 'UserError') console.error(thrown.message);
    else if (thrown.code?.startsWith?.('ERR_PARSE_ARGS'))
      console.error(`${thrown.message.split('. ')[0].replace(/\.$/, '')}: see --help.`);
    // esbuild has already printed the errors of the sources.
    else if (thrown.errors) console.error('The build failed; the errors are above.');
    else console.error(thrown);
    process.exitCode = 1;
  }
}
