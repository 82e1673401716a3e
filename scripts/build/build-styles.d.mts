export declare function bundleStyles(): Promise<string>;
