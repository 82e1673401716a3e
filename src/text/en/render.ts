/** Words of the render area. */
export const render = {};
