/** An error as clients see it. */
export interface ErrorReply {
  status: number;
  type: string;
  code: string;
  detail: string;
  /** The field of the body that the error is about. */
  attr?: string;
}

/** Every reply of capture that is not a success (contract/capture 1.6, 1.7; body shape: contract/decisions 38). */
export const errorReplies = {
  unreadableCompression: {
    status: 400,
    type: 'invalid_request',
    code: 'parse_error',
    detail: 'The body cannot be decompressed.',
  },
  unreadableLz: {
    status: 400,
    type: 'invalid_request',
    code: 'parse_error',
    detail: 'The body is not what lz-string writes.',
  },
  notUtf8: { status: 400, type: 'invalid_request', code: 'parse_error', detail: 'The body is not valid UTF-8.' },
  notJson: {
    status: 400,
    type: 'invalid_request',
    code: 'parse_error',
    detail:
      'The body is not valid JSON. An event is such an object: {"api_key": "phc_...", "event": "signed_up", "distinct_id": "ann"}.',
  },
  tooDeep: { status: 400, type: 'invalid_request', code: 'parse_error', detail: 'The body is nested too deeply.' },
  notAnEvent: {
    status: 400,
    type: 'validation_error',
    code: 'invalid_input',
    detail: 'The body must be an event, an array of events or an object with a batch of events.',
  },
  batchNotAnArray: {
    status: 400,
    type: 'validation_error',
    code: 'invalid_input',
    attr: 'batch',
    detail: 'The batch must be an array of events.',
  },
  emptyBatch: { status: 400, type: 'validation_error', code: 'empty_batch', detail: 'The request holds no events.' },
  noToken: {
    status: 401,
    type: 'authentication_error',
    code: 'not_authenticated',
    attr: 'api_key',
    detail: 'A project token is required, as api_key.',
  },
  noAuthorization: {
    status: 401,
    type: 'authentication_error',
    code: 'missing_authorization',
    detail: 'A project token is required, as Authorization: Bearer.',
  },
  mixedTokens: {
    status: 401,
    type: 'authentication_error',
    code: 'inconsistent',
    attr: 'api_key',
    detail: 'The events of one request must carry the same project token.',
  },
  emptyToken: {
    status: 401,
    type: 'authentication_error',
    code: 'empty',
    attr: 'api_key',
    detail: 'The project token is empty.',
  },
  longToken: {
    status: 401,
    type: 'authentication_error',
    code: 'too_long',
    attr: 'api_key',
    detail: 'The project token is too long.',
  },
  foreignToken: {
    status: 401,
    type: 'authentication_error',
    code: 'not_ascii',
    attr: 'api_key',
    detail:
      'The project token may hold ASCII characters only. If this is a placeholder: npm start shows the token of your project, which begins with phc_.',
  },
  nullByteToken: {
    status: 401,
    type: 'authentication_error',
    code: 'null_byte',
    attr: 'api_key',
    detail: 'The project token holds a null byte.',
  },
  personalKey: {
    status: 401,
    type: 'authentication_error',
    code: 'personal_api_key',
    attr: 'api_key',
    detail: 'This is a personal API key. Events are sent with the token of the project, which begins with phc_.',
  },
  unknownToken: {
    status: 401,
    type: 'authentication_error',
    code: 'authentication_failed',
    attr: 'api_key',
    detail: 'No project has this token.',
  },
  placeholderToken: {
    status: 401,
    type: 'authentication_error',
    code: 'authentication_failed',
    attr: 'api_key',
    detail:
      'This token is a placeholder. Write the token of your project: it begins with phc_, and npm start shows it.',
  },
  notFound: {
    status: 404,
    type: 'invalid_request',
    code: 'not_found',
    detail: 'There is no such address.',
  },
  methodNotAllowed: {
    status: 405,
    type: 'invalid_request',
    code: 'method_not_allowed',
    detail: 'This address does not take this method. Events are sent with POST, or with GET and data.',
  },
  stalled: {
    status: 408,
    type: 'invalid_request',
    code: 'body_read_timeout',
    detail: 'The body did not arrive in time.',
  },
  tooSlow: { status: 408, type: 'invalid_request', code: 'body_read_timeout', detail: 'The body arrived too slowly.' },
  bodyTooLarge: { status: 413, type: 'validation_error', code: 'payload_too_large', detail: 'The body is too large.' },
  inflatedTooLarge: {
    status: 413,
    type: 'validation_error',
    code: 'payload_too_large',
    detail: 'The decompressed body is too large.',
  },
  tooManyEvents: {
    status: 413,
    type: 'validation_error',
    code: 'too_many_events',
    attr: 'batch',
    detail: 'The request holds too many events.',
  },
  tooManyKeys: {
    status: 413,
    type: 'validation_error',
    code: 'too_many_keys',
    detail: 'The objects of the body have too many different keys.',
  },
  tooManyValues: {
    status: 413,
    type: 'validation_error',
    code: 'too_many_values',
    detail: 'The body has too many or too large objects where texts, numbers and groups are expected.',
  },
  eventTooLarge: { status: 413, type: 'validation_error', code: 'event_too_large', detail: 'The event is too large.' },
  headersTooLarge: {
    status: 431,
    type: 'invalid_request',
    code: 'headers_too_large',
    detail: 'The headers are too large.',
  },
  malformedRequest: {
    status: 400,
    type: 'invalid_request',
    code: 'malformed_request',
    detail: 'This is not a valid HTTP request.',
  },
  unsupportedType: {
    status: 415,
    type: 'invalid_request',
    code: 'unsupported_content_type',
    detail: 'The content type must be application/json.',
  },
  unsupportedEncoding: {
    status: 415,
    type: 'invalid_request',
    code: 'unsupported_encoding',
    detail: 'The content encoding must be gzip, deflate, br or zstd.',
  },
  missingUuid: {
    status: 400,
    type: 'validation_error',
    code: 'missing_event_uuid',
    attr: 'uuid',
    detail: 'Each event must have a uuid.',
  },
  invalidUuid: {
    status: 400,
    type: 'validation_error',
    code: 'invalid_event_uuid',
    attr: 'uuid',
    detail: 'The uuid of an event is not a UUID.',
  },
  duplicateUuid: {
    status: 400,
    type: 'validation_error',
    code: 'duplicate_event_uuid',
    attr: 'uuid',
    detail: 'Two events of the batch have the same uuid.',
  },
  rateLimited: {
    status: 429,
    type: 'throttled_error',
    code: 'rate_limited',
    detail: 'This project token sends more events than its rate limit allows. Send the request again later.',
  },
  internalError: {
    status: 500,
    type: 'server_error',
    code: 'error',
    detail: 'The server failed while it handled the request. You can send the request again.',
  },
  overloaded: {
    status: 503,
    type: 'server_error',
    code: 'overloaded',
    detail: 'The server is busy. Send the request again soon.',
  },
  slowestEnded: {
    status: 503,
    type: 'server_error',
    code: 'overloaded',
    detail: 'The server is busy, and this body arrived slowest. Send the request again soon.',
  },
  logUnavailable: {
    status: 503,
    type: 'server_error',
    code: 'log_unavailable',
    detail: 'Events cannot be stored right now. Send the request again soon.',
  },
  outcomeUnknown: {
    status: 503,
    type: 'server_error',
    code: 'outcome_unknown',
    detail: 'It is unknown whether the events were stored. Send the same request again soon.',
  },
} as const satisfies Record<string, ErrorReply>;

export type ErrorReplyName = keyof typeof errorReplies;
