/** One error code on the wire: status, type, and the sentence that is used when the thrower gives none. */
interface ErrorEntry {
  readonly status: number;
  readonly type: 'validation_error' | 'invalid_request' | 'authentication_error' | 'throttled_error' | 'server_error';
  readonly detail: string;
}

const validation = (detail: string): ErrorEntry => ({ status: 400, type: 'validation_error', detail });
const invalid = (status: number, detail: string): ErrorEntry => ({ status, type: 'invalid_request', detail });
const authentication = (status: number, detail: string): ErrorEntry => ({
  status,
  type: 'authentication_error',
  detail,
});
const server = (status: number, detail: string): ErrorEntry => ({ status, type: 'server_error', detail });

/**
 * The closed table of error codes (contract/orgs-errors 1.4, contract/endpoints 4.6). The code decides status and type,
 * so that a reply, its body and the documented responses cannot disagree.
 */
export const errorTable = {
  invalid_input: validation('Invalid input.'),
  required: validation('This field is required.'),
  null: validation('This field may not be null.'),
  blank: validation('This field may not be blank.'),
  null_characters_not_allowed: validation('Null characters are not allowed.'),
  max_length: validation('Ensure this field is not too long.'),
  min_length: validation('Ensure this field is not too short.'),
  max_value: validation('Ensure this value is not too large.'),
  min_value: validation('Ensure this value is not too small.'),
  invalid_choice: validation('This is not a valid choice.'),
  unique: validation('This field must be unique.'),
  not_a_list: validation('Expected a list of items.'),
  does_not_exist: validation('Object does not exist.'),
  empty: validation('This list may not be empty.'),
  invalid_recipient: validation('This invite is for another email address.'),
  expired: validation('This invite has expired.'),
  account_exists: validation('There is an account with this email address already.'),
  user_already_member: validation('This user is a member of the organization already.'),
  existing_email_address: validation('A member of the organization has this email address already.'),
  query_error: validation('The query could not be run.'),
  query_timeout: validation(
    'The query took too long. Narrow what it reads (a shorter time range, fewer columns), or materialize its endpoint.',
  ),
  query_memory_limit: validation('The query needs too much memory. Narrow what it reads or groups by.'),
  query_too_large: validation('The query is too large.'),
  query_result_too_large: validation('The result is too large. Ask for fewer rows or columns.'),
  query_reads_too_much: validation(
    'The query reads too much data. Narrow what it reads (a shorter time range, fewer columns), or materialize its endpoint.',
  ),
  query_cancelled: validation('The query was cancelled.'),
  release_hash_in_use: validation('A release of this project has this hash already.'),
  invalid_conflict_handling: validation('Set force or skip_on_conflict, not both.'),
  invalid_chunk_ids: validation('A chunk id is given more than once.'),
  invalid_release_id: validation('This project has no such release.'),
  release_id_mismatch: validation('A symbol set belongs to another release.'),
  content_hash_required: validation('A symbol set is stored already: send its content hash.'),
  content_hash_mismatch: validation('A symbol set is stored with other content.'),
  file_too_large: validation('The file of a symbol set is empty or too large.'),
  file_not_found: validation('The file of a symbol set was not uploaded.'),
  symbol_set_not_found: validation('This project has no such symbol set.'),
  object_storage_required: validation('This server has no object storage, so it cannot keep symbol sets.'),
  parse_error: invalid(400, 'JSON parse error'),
  malformed_request: invalid(400, 'This is not a valid HTTP request.'),
  not_found: invalid(404, 'Not found.'),
  method_not_allowed: invalid(405, 'Method not allowed.'),
  not_acceptable: invalid(406, 'Could not satisfy the request Accept header.'),
  request_timeout: invalid(408, 'The request did not arrive in time.'),
  request_too_large: invalid(413, 'The request body is too large.'),
  unsupported_media_type: invalid(415, 'Unsupported media type in request.'),
  headers_too_large: invalid(431, 'The request headers are too large.'),
  not_authenticated: authentication(401, 'Authentication credentials were not provided.'),
  authentication_failed: authentication(401, 'Personal API key found in request is invalid.'),
  payment_required: server(402, 'This needs a paid plan.'),
  quota_limit_exceeded: server(402, 'A quota of the organization is used up.'),
  permission_denied: authentication(403, 'You do not have permission to perform this action.'),
  stale_version: {
    status: 409,
    type: 'validation_error',
    detail: 'The object changed since you read it. Read it again, then try again.',
  },
  conflict: server(409, 'The request conflicts with the current state.'),
  throttled: { status: 429, type: 'throttled_error', detail: 'Request was throttled.' },
  error: server(500, 'A server error occurred.'),
  translation_error: server(500, 'Translation failed. Please try again.'),
  translation_timeout: server(504, 'The translation took too long. Please try again.'),
  language_model_failed: server(502, 'The language model gave no reply.'),
  language_model_unavailable: server(503, 'The language model cannot be reached. Try again shortly.'),
  query_capacity: server(503, 'The query engine is busy. Try again shortly.'),
  legal_document_void_failed: server(503, 'The request for a signature could not be taken back. Try again shortly.'),
  unavailable: server(503, 'The service is temporarily unavailable. Try again shortly.'),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorTable;
