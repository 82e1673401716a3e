export declare function describeMissing(tried: readonly string[]): string;
