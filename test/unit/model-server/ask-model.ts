/** A scripted model and ways to ask it, for the tests of this folder. */
import { startScriptedModel, type ScriptedModel, type ScriptStep } from '../../support/model-server';

export let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(() => model.close());

export type Dialect = 'openai' | 'anthropic';
export const paths = { openai: '/openai/v1/chat/completions', anthropic: '/anthropic/v1/messages' };

export const ask = (dialect: Dialect, body: object = {}, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(model.url + paths[dialect], {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }], ...body }),
  });

export const play = async (dialect: Dialect, step: ScriptStep, body: object = {}): Promise<Response> => {
  model.setScript([step]);
  return ask(dialect, body);
};

export interface StreamedEvent {
  name: string | undefined;
  data: any;
}

export const parseEvents = (text: string): StreamedEvent[] =>
  text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const data = /^data: (.*)$/m.exec(block)?.[1] ?? '';
      return { name: /^event: (.*)$/m.exec(block)?.[1], data: data === '[DONE]' ? data : JSON.parse(data) };
    });
