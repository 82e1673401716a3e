import type { Plugin } from 'esbuild';

export declare function compileTemplate(text: string, file: string): string;
export declare function checkableTemplate(text: string, record: string): string;
export declare const promptTemplates: Plugin;
