/** Where plans are kept: the only folder that Plan may write to (R077, R079). */
export function plansFolder({ agentFolder }: { readonly agentFolder: string }): string {
  return `${agentFolder}/plans/`;
}
