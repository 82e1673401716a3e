export declare const folders: {
  readonly plugin: string;
  readonly assets: string;
  readonly probe: string;
  readonly demoVault: string;
};
