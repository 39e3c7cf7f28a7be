import type { Credentials } from '@millrace/http/serve-route.ts';

export interface Credential {
  value: string;
  /** Where it was found, as the error names it. */
  source: 'Authorization header' | 'request body' | 'request query string';
}

/** First candidate found is the only one tried: header, body, query (contract/orgs-errors 1.2). Pure. */
export function findCredential({ authorization, body, query }: Credentials): Credential | null {
  const bearer = /^Bearer\s+(\S.*)$/i.exec(authorization?.trim() ?? '')?.[1]?.trim();
  if (bearer !== undefined) return { value: bearer, source: 'Authorization header' };
  const inBody = body()?.['personal_api_key'];
  if (typeof inBody === 'string' && inBody !== '') return { value: inBody, source: 'request body' };
  const inQuery = query['personal_api_key'];
  if (inQuery !== undefined && inQuery !== '') return { value: inQuery, source: 'request query string' };
  return null;
}
