/** Where the page is built unless said otherwise, and where the server looks for it. */
export const pageFolder: string;

/** Where the sources of the probe plugin stand. */
export const probeSources: string;

/**
 * Builds the page: emulator, theme and fonts.
 * @param iconsOf folders of sources: the drawings of icons whose ids stand there come with the page, others are fetched
 */
export function buildPage(settings?: { folder?: string; iconsOf?: readonly string[] }): Promise<void>;

/** Builds the probe plugin into a folder: it tries out whatever the workbench offers to plugins. */
export function buildProbe(folder: string): Promise<void>;
