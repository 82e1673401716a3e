/** THE list of tools, in the order in which they are listed to people; requests sort them by name. */
import type { Tool } from './tool';

export const tools: readonly Tool[] = [];
