/** Words of the reader area. */
export const reader = {};
