/** The response has more bytes than the request allows. */
export class ResponseTooLargeError extends Error {
  override name = 'ResponseTooLargeError';
  constructor(bytesMax: number) {
    super(`the response has more than ${bytesMax} bytes`);
  }
}

/** Too many bytes of responses were arriving at a time, and this one had the most. Another time it may have room. */
export class ResponsesTooLargeError extends Error {
  override name = 'ResponsesTooLargeError';
  constructor(bytesMax: number) {
    super(`responses that are arriving have more than ${bytesMax} bytes together`);
  }
}

/** The values of the query are longer, or more, than ClickHouse takes; nothing was sent. */
export class QueryTooLargeError extends Error {
  override name = 'QueryTooLargeError';
}

/** The deadline of the request passed, or its waits were too long. */
export class ResponseTooLateError extends Error {
  override name = 'ResponseTooLateError';
}
