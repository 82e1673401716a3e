/** The default folder of the built page: `buildPage` writes it, and the server reads it. */
export const pageFolder: string;

/** The folder with the sources of the probe plugin. */
export const probeSources: string;

/**
 * Builds the page: emulator, theme and fonts.
 * @param iconsOf folders of sources: icons whose ids occur there are part of the page, all others are fetched
 */
export function buildPage(settings?: { folder?: string; iconsOf?: readonly string[] }): Promise<void>;

/** Builds the probe plugin, which uses every part of the API that the workbench offers. */
export function buildProbe(folder: string): Promise<void>;
