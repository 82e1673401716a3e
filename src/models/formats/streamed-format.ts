/**
 * StreamedFormat: a wire format that Docent implements itself with fetch, with the interface of the packages' models.
 */
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { createParser } from 'eventsource-parser';
import type { Connection } from '../http/connection';
import { parseJson } from '../http/wire-format';

/** The only method of a language model that Docent calls. */
export type StreamingModel = Pick<LanguageModelV4, 'doStream'>;

export interface StreamedFormat {
  /** Returns the path of a request, relative to the base address. */
  path(modelName: string): string;
  /** Returns the body of a request with fields in a fixed order: the same call gives the same bytes. */
  body(call: LanguageModelV4CallOptions, modelName: string): Record<string, unknown>;
  /** Server-sent events, or one JSON object per line. */
  readonly framing: 'events' | 'lines';
  /** Creates a reader for one answer. */
  reader(): AnswerReader;
}

/**
 * Converts an event of the provider to stream parts; stateful, because later events refer to earlier ones. Receives
 * undefined after the last one.
 */
export type AnswerReader = (event: unknown) => readonly LanguageModelV4StreamPart[];

export interface Address {
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

/** A response with an error status, in the shape in which the packages report it. */
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

/**
 * Streams the parts of an answer. Ends without a 'finish' part if the bytes end before the provider's own last event.
 */
function partsOf(format: StreamedFormat, response: Response): ReadableStream<LanguageModelV4StreamPart> {
  const bytes = (response.body ?? new Blob([]).stream()).getReader();
  const decoder = new TextDecoder();
  const read = format.reader();
  const ready: LanguageModelV4StreamPart[] = [];
  const frames = openFrames(format.framing, (text, mayBeCut) => {
    const event = parseJson(text);
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
          ready.push(...read(undefined));
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

/** @param take receives the text of each event; mayBeCut is true if the bytes ended inside it */
function openFrames(framing: StreamedFormat['framing'], take: (text: string, mayBeCut: boolean) => void): Frames {
  if (framing === 'events') {
    let isEnding = false;
    // A sign of life may have data that says nothing.
    const parser = createParser({
      onEvent: ({ data }) => (['', '[DONE]'].includes(data.trim()) ? undefined : take(data, isEnding)),
    });
    return {
      feed: (text) => parser.feed(text),
      end() {
        // Some servers leave out the blank line after the last event; half an object can never be read.
        isEnding = true;
        parser.feed('\n\n');
      },
    };
  }
  let rest = '';
  return {
    feed(text) {
      // A long line in small pieces is split once, when its end arrives.
      if (!text.includes('\n')) {
        rest += text;
        return;
      }
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') take(line, false);
    },
    end() {
      if (rest.trim() !== '') take(rest, true);
    },
  };
}
