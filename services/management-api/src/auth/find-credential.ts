import { bodyNotSearched, type Credentials } from '@millrace/http/requests/credentials.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { strangersBytesMax } from '@millrace/http/requests/request-body.ts';

export interface Credential {
  value: string;
  /** Location of the credential, as the error names it. */
  source: 'request Authorization header' | 'request body' | 'request query string';
}

/**
 * First candidate found is the only one tried: header, body, query (contract/orgs-errors 1.2).
 * @throws {AppError} not_authenticated when the only place left for one is a body that is too large to be searched, or an
 * Authorization header that names none
 */
export async function findCredential({ authorization, inBody, query }: Credentials): Promise<Credential | null> {
  const bearer = bearerOf(authorization);
  if (bearer !== undefined) return { value: bearer, source: 'request Authorization header' };
  const body = await inBody('personal_api_key');
  if (body !== bodyNotSearched && body !== undefined && body !== '') return { value: body, source: 'request body' };
  const inQuery = query['personal_api_key'];
  if (inQuery !== undefined && inQuery !== '') return { value: inQuery, source: 'request query string' };
  if (body === bodyNotSearched) throw new AppError('not_authenticated', { detail: elsewhere });
  if (authorization !== undefined) throw new AppError('not_authenticated', { detail: notProvided });
  return null;
}

const elsewhere = `Authentication credentials were not provided. A body of more than ${strangersBytesMax} bytes is not looked through for a key: send it in the Authorization header.`;

/** The sentence for a request without a key where one is looked for. */
export const notProvided =
  'Authentication credentials were not provided. Write the header as "Authorization: Bearer phx_…", with your key after the word Bearer.';

function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer\s+(\S.*)$/i.exec(authorization?.trim() ?? '')?.[1]?.trim();
}
