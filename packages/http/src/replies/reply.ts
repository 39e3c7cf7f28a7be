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

/** A reply with `status` and a JSON body (undefined: none). */
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

/** A reply with 200 (or `status`) and the chunks one after the other, untouched. */
export function bytes(
  contentType: string,
  chunks: readonly Uint8Array[],
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): BytesReply {
  return new BytesReply(status, chunks, { 'content-type': contentType, ...headers });
}

/** Target of a reply whose end is not known when it begins. */
export interface ReplySink {
  /** Sends status 200, the headers and the names of the trailers. Errors thrown before it get an error reply; later ones cut the connection. */
  begin(headers: Readonly<Record<string, string>>, trailers?: readonly string[]): void;
  /** Settles when the client can take more. @throws {Error} when the client has gone away */
  write(chunk: Uint8Array): Promise<void>;
  /** Ends the reply. `trailers` hold values that are known only now; clients that speak HTTP/1.1 get them. */
  end(trailers?: Readonly<Record<string, string>>): void;
}

/** Bytes that come bit by bit; made by `stream`. */
export class StreamReply {
  readonly send: (sink: ReplySink) => Promise<void>;
  constructor(send: (sink: ReplySink) => Promise<void>) {
    this.send = send;
  }
}

/**
 * A reply with the bytes that `send` writes, no faster than the client reads. What it throws after `begin` cuts the
 * connection, so that no client takes a part for the whole.
 */
export function stream(send: (sink: ReplySink) => Promise<void>): StreamReply {
  return new StreamReply(send);
}
