/** The figures by the command that prints them; docs/figures.json has this form. */
export type Figures = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
export function measureFigures(options?: { readonly write?: boolean }): Promise<Figures>;
export function writePoints(figures: Figures): string;
export function putFigures(text: string, figures: Figures): string;
