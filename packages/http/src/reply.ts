/** A success with a status (and headers) of its own; made by `reply`. */
export class Reply<Status extends number = number, Body = unknown> {
  readonly status: Status;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: Status, body: Body, headers: Readonly<Record<string, string>>) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Answers with `status` and a JSON body (undefined: none). */
export function reply<const Status extends number, Body>(
  status: Status,
  body: Body,
  headers: Readonly<Record<string, string>> = {},
): Reply<Status, Body> {
  return new Reply(status, body, headers);
}

/** Bytes that are sent as they are; made by `bytes`. */
export class BytesReply {
  readonly status: number;
  readonly chunks: readonly Uint8Array[];
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, chunks: readonly Uint8Array[], headers: Readonly<Record<string, string>>) {
    this.status = status;
    this.chunks = chunks;
    this.headers = headers;
  }
}

/** Answers 200 (or `status`) with the chunks one after the other, untouched. */
export function bytes(contentType: string, chunks: readonly Uint8Array[], headers: Readonly<Record<string, string>> = {}, status = 200): BytesReply {
  return new BytesReply(status, chunks, { 'content-type': contentType, ...headers });
}
