import type { Credentials } from '@millrace/http/credentials.ts';

export interface Credential {
  value: string;
  /** Where it was found, as the error names it. */
  place: 'request Authorization header' | 'request body' | 'request query string';
}

/** First candidate found is the only one tried: header, body, query (contract/orgs-errors 1.2). */
export async function findCredential({ authorization, inBody, query }: Credentials): Promise<Credential | null> {
  const bearer = bearerOf(authorization);
  if (bearer !== undefined) return { value: bearer, place: 'request Authorization header' };
  const body = await inBody('personal_api_key');
  if (body !== undefined && body !== '') return { value: body, place: 'request body' };
  const inQuery = query['personal_api_key'];
  if (inQuery !== undefined && inQuery !== '') return { value: inQuery, place: 'request query string' };
  return null;
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer\s+(\S.*)$/i.exec(authorization?.trim() ?? '')?.[1]?.trim();
}
