/** Where the test files of each project of jest stand, from the root of the repository. */
export const testFolders = {
  unit: ['test/unit/', 'test/goldens/', 'test/workbench/test/unit/'],
  property: ['test/property/'],
  conformance: ['test/conformance/'],
  browser: ['test/e2e/', 'test/workbench/test/browser/'],
};

/** The project that runs a test file, by its path from the root with slashes; null for any other file. */
export function projectOf(file) {
  if (!/\.test\.tsx?$/.test(file)) return null;
  const found = Object.entries(testFolders).find(([, folders]) => folders.some((folder) => file.startsWith(folder)));
  return found?.[0] ?? null;
}
