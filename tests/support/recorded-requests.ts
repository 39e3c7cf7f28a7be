import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A request of an SDK as it was recorded (tests/llm/record/recorder.mjs). */
export interface RecordedRequest {
  /** File of the recording, without its ending: `python-openai`. */
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Byte for byte, before it was packed. */
  body: string;
}

/** An event of a recording. */
export interface RecordedEvent {
  uuid: string;
  event: string;
  properties: Record<string, unknown>;
}

/** It stands in the recordings in place of the token of a project. */
const recordedToken = 'phc_recorded';

/** All recordings of a folder, by name. */
export function recordedRequests(folder: string): RecordedRequest[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.http'));
  return files.sort().flatMap((file) => {
    const [, ...requests] = readFileSync(join(folder, file), 'utf8').split('\n###\n');
    return requests.map((text) => parseRequest(file.replace('.http', ''), text));
  });
}

function parseRequest(name: string, text: string): RecordedRequest {
  const end = text.indexOf('\n\n');
  const [line = '', ...headers] = text.slice(0, end).split('\n');
  const [method = '', path = ''] = line.split(' ');
  const named = headers.map((header) => header.split(': ') as [string, string]);
  return { name, method, path, headers: Object.fromEntries(named), body: text.slice(end + 2).trimEnd() };
}

/** The events of a recording, as they were sent. */
export const eventsOf = ({ body }: RecordedRequest): RecordedEvent[] =>
  (JSON.parse(body) as { batch: RecordedEvent[] }).batch;

/** Sends a recording to a project; packed when it was. Its times count from `sent_at`, so that it is of now. */
export function replay(
  { method, path, headers, body }: RecordedRequest,
  url: string,
  token: string,
): Promise<Response> {
  const text = body.replace(`"${recordedToken}"`, `"${token}"`);
  const isPacked = headers['content-encoding'] === 'gzip';
  return fetch(url + path, { method, headers, body: isPacked ? gzipSync(text) : text });
}
