import { AppError } from '@millrace/http/errors/errors.ts';
import type { RunToken } from '../../../auth/run-token-store.ts';
import { streamFormats } from '../../../queries/stream/stream-format.ts';
import type { RunFormat, RunRequest } from './run-request.ts';

type Bound = Pick<
  RunRequest,
  'version' | 'variables' | 'textVariables' | 'debug' | 'refresh' | 'limit' | 'offset' | 'isRawCsv' | 'filtersOverride'
>;

/**
 * The request limited by its run token: to the token's version, variables, formats and first rows. Without a token it is unchanged.
 * A request must not set a variable that the token sets, not even to the same value.
 * Pure.
 * @throws {AppError} 400 on the field
 */
export function boundByToken<Request extends Bound>(
  request: Request,
  token: RunToken | undefined,
  format: RunFormat,
): Request {
  if (token === undefined) return request;
  if (request.version !== undefined && request.version !== token.version)
    throw refused('version', 'This token does not let you choose a version. Leave version out.');
  if (request.debug) throw refused('debug', 'debug needs a personal API key. A run token cannot use it.');
  // An override would switch a pinned variable off, and ask for what the endpoint does not.
  if (request.filtersOverride !== null)
    throw refused('filters_override', 'filters_override needs a personal API key. A run token cannot use it.');
  // The cache already has rows as fresh as the endpoint promises. A token causes work for fresher ones only if its maker allowed that.
  if (request.refresh === 'force' && !token.mayRefresh)
    throw refused('refresh', 'This token cannot ask for fresher results. Leave refresh out.');
  if (request.refresh === 'direct')
    throw refused('refresh', 'refresh "direct" needs a personal API key. A run token cannot use it.');
  // Streams are not cached: each one is work for ClickHouse.
  const mayStream = streamFormats.filter((each) => token.formats.includes(each));
  const refusedStream = streamFormats.find((each) => each === format && !mayStream.includes(each));
  if (refusedStream !== undefined)
    throw refused(
      'format',
      `This token can stream ${mayStream.length === 0 ? 'in no format' : `only in these formats: ${mayStream.join(', ')}`}.`,
    );
  // A visitor of the page could share a link to a file with formulas, from a trusted address.
  if (request.isRawCsv) throw refused('csv', 'csv=raw needs a personal API key. A run token cannot use it.');
  const pinned = Object.keys(token.variables).filter(
    (name) => Object.hasOwn(request.variables, name) || Object.hasOwn(request.textVariables, name),
  );
  if (pinned.length > 0)
    throw refused(
      'variables',
      `This token has fixed values for these variables: ${pinned.sort().join(', ').slice(0, 500)}. Leave them out.`,
    );
  return {
    ...request,
    limit: limitOf(request, token),
    version: token.version ?? undefined,
    variables: { ...request.variables, ...token.variables },
  };
}

/** The limit within the token's rows; default: all of them. @throws {AppError} 400 for rows beyond them */
function limitOf({ limit, offset = 0 }: Bound, { rowsMax }: RunToken): number | undefined {
  if (rowsMax === null) return limit;
  if (offset + (limit ?? 1) > rowsMax)
    throw refused(offset < rowsMax ? 'limit' : 'offset', `This token can read only the first ${rowsMax} rows.`);
  return limit ?? rowsMax - offset;
}

function refused(attr: string, detail: string): AppError {
  return new AppError('invalid_input', { attr, detail });
}
