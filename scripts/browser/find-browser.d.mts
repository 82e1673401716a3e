export declare function describeMissing(tried: readonly string[]): string;
export declare function findBrowser(): Promise<{ executablePath: string; args: string[]; env: Record<string, string> }>;
