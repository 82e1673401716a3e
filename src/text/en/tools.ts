/** Words of the tools area. */
export const tools = {};
