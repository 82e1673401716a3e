/** Words of the settings area. */
export const settings = {};
