import { gzipSync } from 'node:zlib';
import type { RequestShape } from './load-order.ts';
import { type BodyTemplate, eventBatch, renumber, singleEvent } from './payloads.ts';

/** Where a request goes. */
interface Target {
  port: number;
  token: string;
}

/** The bytes of a request, ready to be sent again and again. */
export interface PreparedRequest {
  head: Buffer;
  body: BodyTemplate;
}

/** The request whose events are the ones from `first` on. Pure but for the clock in its timestamps. */
export function prepareRequest(shape: RequestShape, { port, token }: Target, first: number): PreparedRequest {
  const options = { ...shape, token };
  const plain =
    shape.eventsPerRequest === 1 ? singleEvent(options, first) : eventBatch(options, first, shape.eventsPerRequest);
  const body = shape.gzip === true ? compressed(plain, first) : plain;
  const lines = [
    `POST ${shape.path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'content-type: application/json',
    'user-agent: posthog-node/5.70.0',
    ...(shape.gzip === true ? ['content-encoding: gzip'] : []),
    `content-length: ${body.bytes.length}`,
  ];
  return { head: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body };
}

/** Its uuids are numbered before they are compressed, and stay. */
function compressed(template: BodyTemplate, first: number): BodyTemplate {
  renumber(template, first);
  return { bytes: gzipSync(template.bytes), uuidAt: [], changesAt: [], timesAt: [] };
}
