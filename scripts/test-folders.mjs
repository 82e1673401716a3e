/** The folders with the test files of each project of jest, as paths from the root of the repository. */
export const testFolders = {
  unit: ['test/unit/', 'test/goldens/', 'test/workbench/test/unit/'],
  property: ['test/property/'],
  conformance: ['test/conformance/'],
  browser: ['test/e2e/', 'test/workbench/test/browser/'],
};

/** Returns the project that runs a test file, whose path starts at the root and has slashes; null for other files. */
export function projectOf(file) {
  if (!/\.test\.tsx?$/.test(file)) return null;
  const found = Object.entries(testFolders).find(([, folders]) => folders.some((folder) => file.startsWith(folder)));
  return found?.[0] ?? null;
}
