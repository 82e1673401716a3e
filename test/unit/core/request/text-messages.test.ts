import type { Message, ToolCallPart } from '../../../../src/core/ports/message';
import { startOfTurn } from '../../../../src/core/request/reference-blocks';
import { writeCallsAsText } from '../../../../src/core/request/plan-request';

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const call = (id: string, name: string, more: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: 'tool-call',
  id,
  name,
  argumentsText: '{"path":"A.md"}',
  ...more,
});
const result = (callId: string, text: string, isError = false): Message => ({
  role: 'tool',
  parts: [{ type: 'tool-result', callId, name: 'read_note', text, isError }],
});

describe('messages of a chat that changes its model', () => {
  const native: Message[] = [
    user('Read A.'),
    { role: 'assistant', parts: [{ type: 'text', text: 'I read.' }, call('1', 'read_note'), call('2', 'note_links')] },
    result('1', 'alpha'),
  ];

  it('writes native calls in the form that the prompt asks for', () => {
    expect(writeCallsAsText(native)[1]).toEqual({
      role: 'assistant',
      parts: [
        {
          type: 'text',
          text: 'I read.\n\n```json\n{"useTools": {"calls": [{"tool": "read_note", "params": {"path":"A.md"}}, {"tool": "note_links", "params": {"path":"A.md"}}]}}\n```',
        },
      ],
    });
  });

  it('writes a call without arguments as one with none', () => {
    const message: Message = { role: 'assistant', parts: [call('1', 'list_folder', { argumentsText: ' ' })] };
    expect(writeCallsAsText([message])[0]?.parts).toEqual([
      { type: 'text', text: '```json\n{"useTools": {"calls": [{"tool": "list_folder", "params": {}}]}}\n```' },
    ]);
  });

  it('repeats calls in text byte for byte, each block once, after the text and with the thoughts before it', () => {
    const written = '```json\n{"calls": […]}\n```';
    const message: Message = {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'I read.\n\n' },
        call('1', 'read_note', { written }),
        call('2', 'note_links', { written: '' }),
      ],
    };
    expect(writeCallsAsText([message])).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: `I read.\n\n${written}` },
        ],
      },
    ]);
  });

  it('leaves other messages as they are, and makes one message of each', () => {
    const messages = [...native, { role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] } as const];
    const written = writeCallsAsText(messages);
    expect(written).toHaveLength(4);
    expect([written[0], written[3]]).toEqual([messages[0], messages[3]]);
    expect(written[0]).toBe(messages[0]);
  });

  it('marks results, so that they do not pass for a message of the user', () => {
    const written = writeCallsAsText([...native.slice(0, 2), result('1', 'No such note.', true)]);
    expect(written[2]).toEqual({
      role: 'user',
      parts: [{ type: 'text', text: '[Error: read_note]\nNo such note.' }],
      carriesResults: true,
    });
    expect(startOfTurn(written)).toBe(3);
    expect(startOfTurn(native)).toBe(3);
  });
});
