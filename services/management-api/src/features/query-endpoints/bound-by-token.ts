import { AppError } from '@millrace/http/errors.ts';
import type { RunToken } from '../../auth/run-token-store.ts';
import type { RunRequest } from './run-request.ts';

type Bound = Pick<RunRequest, 'version' | 'variables' | 'textVariables' | 'debug' | 'refresh'>;

/**
 * A run as its token allows it: its version, with its variables; with a key, as it is. What the token decides may not be
 * asked for, not even with the same value: a page that tries is told so. Pure.
 * @throws {AppError} 400 on the field
 */
export function boundByToken<Request extends Bound>(request: Request, token: RunToken | undefined): Request {
  if (token === undefined) return request;
  if (request.version !== undefined && request.version !== token.version) throw refused('version', 'This token runs no version of your choice.');
  if (request.debug) throw refused('debug', 'debug is for keys.');
  // Rows that are fresh enough are there for everybody: holders of a token cannot make ClickHouse work for nothing.
  if (request.refresh !== 'cache') throw refused('refresh', 'With a token results are as fresh as the endpoint says.');
  const pinned = Object.keys(token.variables).filter((name) => Object.hasOwn(request.variables, name) || Object.hasOwn(request.textVariables, name));
  if (pinned.length > 0) throw refused('variables', `This token decides on: ${pinned.sort().join(', ').slice(0, 500)}.`);
  return { ...request, version: token.version ?? undefined, variables: { ...request.variables, ...token.variables } };
}

function refused(attr: string, detail: string): AppError {
  return new AppError('invalid_input', { attr, detail });
}
