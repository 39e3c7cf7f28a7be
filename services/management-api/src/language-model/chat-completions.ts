import type OpenAI from 'openai';
import type { TObject } from 'typebox';
import { boundedFetch } from './bounded-fetch.ts';
import { chatBody, type ReplyFormat } from './chat-body.ts';
import type { ReplyRequest } from './language-model.ts';
import { refusesSchema } from './model-failure.ts';

/** Chat completions of one server. */
export interface ChatCompletions {
  /** Form in which replies are requested, as far as the server's refusals have shown. */
  readonly format: ReplyFormat;
  /**
   * One chat completion as the server sent it, or whatever else it sent with a status of success.
   * @throws what the client library throws, and the reason of the abort
   */
  create(request: ReplyRequest<TObject>, signal: AbortSignal): Promise<unknown>;
}

/** After a status that may pass (408, 409, 429, 5xx), and after a connection that could not be used. */
const retriesMax = 1;
/** The library's limit of one try; the signal of the call ends all tries before. */
const tryMsMax = 600_000;

/** A server that refuses a schema is asked for any JSON object from then on. */
export function createChatCompletions(baseUrl: string, apiKey: string | null, model: string): ChatCompletions {
  let library: Promise<OpenAI> | undefined;
  let format: ReplyFormat = 'json_schema';

  async function createAs(used: ReplyFormat, request: ReplyRequest<TObject>, signal: AbortSignal): Promise<unknown> {
    // Loaded by the first call: 35 MB of memory that a system without a model does not need.
    const { chat } = await (library ??= openLibrary(baseUrl, apiKey));
    return chat.completions.create(chatBody(model, request, used), { signal });
  }

  return {
    get format() {
      return format;
    },
    async create(request, signal) {
      const first = format;
      try {
        return await createAs(first, request, signal);
      } catch (error) {
        if (first === 'json_object' || !refusesSchema(error)) throw error;
        const completion = await createAs('json_object', request, signal);
        // Only now: the refusal may have been about this one request.
        format = 'json_object';
        return completion;
      }
    },
  };
}

async function openLibrary(baseURL: string, apiKey: string | null): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  return new Client({
    baseURL,
    // `fetch` sends the key. The library insists on one and is not told it: its errors cannot repeat it.
    apiKey: 'not told',
    fetch: boundedFetch(apiKey),
    timeout: tryMsMax,
    maxRetries: retriesMax,
    logLevel: 'off',
  });
}
