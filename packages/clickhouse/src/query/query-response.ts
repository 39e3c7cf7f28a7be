import type { IncomingHttpHeaders } from 'node:http';

/** Holds the bytes of a response back, or ends it. What has ended does not mind either. */
export interface Flow {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** A response whose head has come. */
export interface QueryResponse {
  statusCode: number;
  headers: IncomingHttpHeaders;
  flow: Flow;
  /** Milliseconds from the request until this head. */
  tookMs: number;
  /** Ends the request: its caller gets the error. */
  stop: (error: Error) => void;
  /** True when this side ended the request. */
  isStopped: () => boolean;
}

/** Gets the bytes of a response while they come, then its end or what it failed with. */
interface BytesTaker {
  take(bytes: Buffer): void;
  end(): void;
  fail(error: Error): void;
}

/** Whoever reads a response, and what becomes of it. */
export interface Reading<Result> {
  bytes: BytesTaker;
  /** Rejects with what the response failed with. */
  result: Promise<Result>;
}
