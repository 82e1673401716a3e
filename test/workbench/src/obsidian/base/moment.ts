/** The date library under the name that Obsidian exports it by. */
import moment from 'moment';

export { moment };
