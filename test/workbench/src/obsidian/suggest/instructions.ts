/** The line of key hints under a list of suggestions. */
import type { Instruction } from 'obsidian';

export function drawInstructions(containerEl: HTMLElement, instructions: Instruction[]): void {
  containerEl.empty();
  for (const { command, purpose } of instructions) {
    const instructionEl = containerEl.createDiv('prompt-instruction');
    instructionEl.createSpan({ cls: 'prompt-instruction-command', text: command });
    instructionEl.createSpan({ text: purpose });
  }
  containerEl.toggle(instructions.length > 0);
}
