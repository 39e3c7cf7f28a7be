/** The response has more bytes than the request allows. */
export class ResponseTooLargeError extends Error {
  override name = 'ResponseTooLargeError';
  constructor(bytesMax: number) {
    super(`the answer has more than ${bytesMax} bytes`);
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
