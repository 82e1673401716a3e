/** StreamedFormat: a wire format that is spoken from here, by fetch alone; it looks like those of the packages. */
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { createParser } from 'eventsource-parser';
import type { Connection } from '../http/connection';

/** The one call that is made of a language model. */
export type StreamingModel = Pick<LanguageModelV4, 'doStream'>;

export interface StreamedFormat {
  /** Where a request goes, behind the base address. */
  path(modelName: string): string;
  /** The body of a request, fields in a fixed order: the same call gives the same bytes. */
  body(call: LanguageModelV4CallOptions, modelName: string): Record<string, unknown>;
  /** Server-sent events, or one JSON object a line. */
  readonly framing: 'events' | 'lines';
  /** A new reader for one answer. */
  reader(): AnswerReader;
}

/** Tells what an event of the provider means; it keeps what later events refer to. */
export type AnswerReader = (event: unknown) => readonly LanguageModelV4StreamPart[];

interface Address {
  readonly baseUrl: string;
  readonly modelName: string;
  readonly fetch: Connection['fetch'];
}

export function openStreamedModel(format: StreamedFormat, { baseUrl, modelName, fetch }: Address): StreamingModel {
  return {
    async doStream(call) {
      const body = JSON.stringify(format.body(call, modelName));
      const response = await fetch(baseUrl + format.path(modelName), { method: 'POST', body });
      if (!response.ok) throw await RefusedRequest.of(response);
      return { stream: partsOf(format, response) };
    },
  };
}

/** An answer that is no stream, in the shape in which the packages report it. */
class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  private constructor(
    readonly statusCode: number,
    readonly responseHeaders: Record<string, string>,
    readonly responseBody: string,
  ) {
    super('');
  }

  static async of(response: Response): Promise<RefusedRequest> {
    const headers = Object.fromEntries(response.headers.entries());
    return new RefusedRequest(response.status, headers, await response.text());
  }
}

/** Ends without a 'finish' part when the bytes end before the provider's own last event. */
function partsOf(format: StreamedFormat, response: Response): ReadableStream<LanguageModelV4StreamPart> {
  const bytes = (response.body ?? new Blob([]).stream()).getReader();
  const decoder = new TextDecoder();
  const read = format.reader();
  const ready: LanguageModelV4StreamPart[] = [];
  const frames = openFrames(format.framing, (text, mayBeCut) => {
    const event = parse(text);
    if (event !== undefined) ready.push(...read(event));
    else if (!mayBeCut) ready.push({ type: 'error', error: new Error('A line of the answer is no JSON.') });
  });
  return new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      while (ready.length === 0) {
        const { done, value } = await bytes.read();
        frames.feed(decoder.decode(value, { stream: !done }));
        if (done) {
          frames.end();
          for (const part of ready.splice(0)) controller.enqueue(part);
          return controller.close();
        }
      }
      for (const part of ready.splice(0)) controller.enqueue(part);
    },
    cancel: () => bytes.cancel(),
  });
}

interface Frames {
  feed(text: string): void;
  end(): void;
}

/** @param take gets the text of each event; mayBeCut when the bytes ended inside it */
function openFrames(framing: StreamedFormat['framing'], take: (text: string, mayBeCut: boolean) => void): Frames {
  if (framing === 'events') {
    const parser = createParser({ onEvent: ({ data }) => (data === '[DONE]' ? undefined : take(data, false)) });
    // An event without the empty line behind it never happened.
    return { feed: (text) => parser.feed(text), end: () => undefined };
  }
  let rest = '';
  return {
    feed(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') take(line, false);
    },
    end() {
      if (rest.trim() !== '') take(rest, true);
    },
  };
}

/** Undefined when the text is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
