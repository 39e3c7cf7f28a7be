import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerQuestion } from './answer-question.ts';
import { chatBody, chatChunks, readChat } from './chat-completions.ts';
import { messageBody, messageEvents, readMessages } from './messages.ts';
import { type Answer, type Json, type Question, textOf } from './question.ts';
import { readResponses, responseBody, responseEvents } from './responses.ts';

/** So that calls one after the other have times of their own. */
const thinkingMs = 15;

/** An interface to the model: how its requests are read, and how its answers look, whole and in pieces. */
interface Surface {
  read(body: Json): Question;
  whole(model: string, answer: Answer): Json;
  pieces(model: string, answer: Answer): Json[];
  /** The last line of a stream, where it has one. */
  end?: string;
}

const surfaces: Record<string, Surface> = {
  '/v1/chat/completions': { read: readChat, whole: chatBody, pieces: chatChunks, end: 'data: [DONE]\n\n' },
  '/v1/responses': { read: readResponses, whole: responseBody, pieces: responseEvents },
  '/v1/messages': { read: readMessages, whole: messageBody, pieces: messageEvents },
};

/** A model on the loopback. */
export interface FakeProvider {
  /** Without `/v1`. */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts a model that speaks chat completions, Responses, Anthropic's messages and embeddings, whole and streamed, on a port of its own.
 * A model named `fails-429` answers with that status, one named `breaks-off` ends its stream in the middle, without an end.
 */
export async function startFakeProvider(): Promise<FakeProvider> {
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  await sleep(thinkingMs);
  const body = JSON.parse(Buffer.concat(parts).toString() || '{}') as Json;
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  const fault = /^fails-(\d{3})$/.exec(textOf(body['model']));
  if (fault !== null) return refuse(response, Number(fault[1]));
  if (path === '/v1/embeddings') return sendJson(response, 200, embeddingsOf(body));
  const surface = surfaces[path];
  if (surface === undefined) return refuse(response, 404);
  const question = surface.read(body);
  const answer = answerQuestion(question);
  if (!question.stream) return sendJson(response, 200, surface.whole(question.model, answer));
  stream(response, question.model, surface.pieces(question.model, answer), surface.end ?? '');
}

function stream(response: ServerResponse, model: string, pieces: Json[], end: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const sent = model === 'breaks-off' ? pieces.slice(0, 4) : pieces;
  for (const piece of sent) {
    const name = 'type' in piece ? `event: ${textOf(piece['type'])}\n` : '';
    response.write(`${name}data: ${JSON.stringify(piece)}\n\n`);
  }
  if (model === 'breaks-off') setImmediate(() => response.destroy());
  else response.end(end);
}

/** OpenAI's and Anthropic's clients read different fields of it. */
function refuse(response: ServerResponse, status: number): void {
  const type = status === 429 ? 'rate_limit_error' : status < 500 ? 'invalid_request_error' : 'api_error';
  const error = { type, message: `The model says no: ${status}`, code: type, param: null };
  sendJson(response, status, { type: 'error', error, request_id: 'req_1' });
}

function embeddingsOf({ model, input }: Json): Json {
  const count = Array.isArray(input) ? input.length : 1;
  const data = Array.from({ length: count }, (_, index) => ({ object: 'embedding', index, embedding: [0.25, -0.5] }));
  return { object: 'list', model, data, usage: { prompt_tokens: 5, total_tokens: 5 } };
}

function sendJson(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
