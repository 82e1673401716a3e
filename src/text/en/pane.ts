/** Words of the pane area. */
export const pane = {};
