/** Words about requests: what broke the part that a provider keeps, and what takes too much of a window. */

const places: Readonly<Record<string, string>> = {
  tools: 'the tools',
  model: 'the model',
  'vault-listing': 'the vault listing',
  'context-notes': 'the context notes',
  conversation: 'the conversation',
};

export const request = () => ({
  place: (place: string): string => places[place] ?? place.replace(/-/g, ' '),
  prefixHeld: 'All of the request before is sent again as it was.',
  prefixBroke: (place: string, reasons: readonly string[]): string =>
    `Prefix broke at ${places[place] ?? place.replace(/-/g, ' ')}${reasons.length === 0 ? '.' : `: ${reasons.join('; ')}.`}`,
  created: (path: string): string => `note created: ${path}`,
  changed: (path: string): string => `note changed: ${path}`,
  gone: (path: string): string => `note gone: ${path}`,
  textChanged: 'its text changed',
  added: 'it was added',
  left: 'it was left out',
  toolsChanged: (names: readonly string[]): string => `other tools: ${names.join(', ')}`,
  messageChanged: (number: number): string => `message ${number} is another one`,

  requestNumber: (number: number): string => `Request ${number}`,
  chosenRequest: 'Which request',
  unreported: 'The provider has not reported what it kept of this request.',
  cacheOfRequest: (read: string, written: string, other: string): string =>
    `Of this request: ${read} tokens read from the provider’s cache, ${written} written to it, ${other} neither.`,
  cacheOfTurn: (read: string, written: string, other: string): string =>
    `Of this turn: ${read} read, ${written} written, ${other} neither.`,
  cacheOfChat: (read: string, written: string, other: string): string =>
    `Of this chat since it was opened: ${read} read, ${written} written, ${other} neither.`,
  tier: (tier: string): string => (tier === 'active' ? 'changed of late' : tier),
  isNew: 'new since the request before',
  changes: 'Changes since the request before',
  changedLines: (added: number, removed: number): string =>
    [
      ...(added === 0 ? [] : [`${added} ${added === 1 ? 'line' : 'lines'} added`]),
      ...(removed === 0 ? [] : [`${removed} ${removed === 1 ? 'line' : 'lines'} gone`]),
    ].join(', '),
  sameAsBefore: 'Word for word the same as the request before.',
  moreLines: (lines: number): string => `Show ${lines} more ${lines === 1 ? 'line' : 'lines'}`,
  messageTitle: (number: number, role: string): string => `${number}. ${role}`,
  marked: 'cache marker at its end',
  markers: (places: readonly string[]): string =>
    places.length === 0 ? 'No cache markers.' : `Cache markers after: ${places.join(', ')}.`,
  markedSystem: 'the system prompt',
  markedMessage: (number: number): string => `message ${number}`,

  overhead: (tokens: number, window: number, culprit: string, share: number): string =>
    `The fixed part of each request takes ${tokens} of the ${window} tokens that the model has room for; ` +
    `the largest part of it is ${culprit} with ${share}.`,
  overheadRemedy: 'Choose a model with a larger window or a lower tier, or switch off sections in the settings.',
});
