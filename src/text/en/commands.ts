/** Words of the commands area. */
export const commands = {};
