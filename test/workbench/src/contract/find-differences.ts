/** Which observations differ between two runs of the contract. */

type Observations = Record<string, unknown>;

/** Objects with the same members in another order are the same. */
function arrange(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(arrange);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).sort(([first], [second]) => (first < second ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, arrange(member)]));
}

/** Names of cases in the order of the first run, then those that only the second has. */
export function findDifferences(first: Observations, second: Observations): string[] {
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  return names.filter((name) => JSON.stringify(arrange(first[name])) !== JSON.stringify(arrange(second[name])));
}
