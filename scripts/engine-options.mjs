// Options of the engine for programs that make much, run a few seconds, and end, as tests do.

/** With the engine's own 16 MB for what is made and soon dropped, a sixth of their time goes into collecting it. */
const roomForYoung = ['--min-semi-space-size=128', '--max-semi-space-size=128'];

/**
 * Optimizes a function after ten times as much work as usual: a fifth of the time went into that, for each test file
 * again, because each has its own modules. Newer engines count calls.
 */
const lateOptimizing =
  Number.parseInt(process.versions.node, 10) < 22
    ? ['--interrupt-budget=675840']
    : ['--invocation-count-for-turbofan=30000', '--invocation-count-for-osr=8000'];

export const forShortLives = [...roomForYoung, ...lateOptimizing];
