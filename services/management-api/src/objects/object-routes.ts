import { pipeline } from 'node:stream/promises';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { ServedObjects } from '@millrace/object-storage/create-storage.ts';
import { attachment, isObjectKey, TooManyBytesError } from '@millrace/object-storage/object-storage.ts';
import type { ObjectGrant } from '@millrace/object-storage/object-signatures.ts';
import { receiveForm } from './receive-form.ts';

interface Parts extends ServedObjects {
  clock: Clock;
}

/**
 * The addresses that `servedAddresses` gives out. Whoever has one needs no key; they are no operations of the API, as little
 * as those of an S3 storage in their place. Bodies are never held in memory.
 */
export function createObjectRoutes(parts: Parts): Router {
  const router = Router();
  router.post(
    '/objects',
    orNoContent('upload_object', (request) => uploadForm(parts, request)),
  );
  router.put(
    '/objects/:folder/:name',
    orNoContent('put_object', (request) => putObject(parts, request)),
  );
  router.get(
    '/objects/:folder/:name',
    orNoContent('download_object', (request, response) => download(parts, request, response)),
  );
  return router;
}

/** A handler whose reply, if it makes none itself, is 204. After a failure the rest of the body is not waited for. */
function orNoContent(
  operation: string,
  handle: (request: Request, response: Response) => Promise<void>,
): RequestHandler {
  return async (request, response) => {
    response.locals['operation'] = operation;
    try {
      await handle(request, response);
    } catch (error) {
      if (!response.headersSent) response.setHeader('connection', 'close');
      throw error instanceof TooManyBytesError ? new AppError('request_too_large', { cause: error }) : error;
    }
    if (!response.headersSent) response.writeHead(204).end();
  };
}

async function uploadForm({ storage, signer, clock }: Parts, request: Request): Promise<void> {
  await receiveForm(request, async (fields, file) => {
    const policy = signer.readPolicy(fields);
    if (policy === undefined || policy.key !== fields['key'] || policy.expiresMs < clock.nowMs()) throw refused();
    await storage.receive(policy.key, file, policy.bytesMax);
  });
}

async function putObject(parts: Parts, request: Request): Promise<void> {
  const contentLength = Number(queryOf(request).get('contentLength'));
  const grant: ObjectGrant = { purpose: 'put', ...namedBy(request), contentLength };
  requireGranted(parts, request, grant);
  if (request.headers['content-length'] !== String(contentLength))
    throw new AppError('permission_denied', { detail: `The Content-Length must be ${contentLength}.` });
  await parts.storage.receive(grant.key, request, contentLength);
}

async function download(parts: Parts, request: Request, response: Response): Promise<void> {
  const query = queryOf(request);
  const grant: ObjectGrant = {
    purpose: 'get',
    ...namedBy(request),
    contentType: query.get('contentType') ?? '',
    fileName: query.get('fileName') ?? '',
  };
  requireGranted(parts, request, grant);
  const found = await parts.storage.head(grant.key);
  const content = found && (await parts.storage.get(grant.key));
  if (found === undefined || content === undefined) throw new AppError('not_found');
  response.writeHead(200, {
    ...downloadHeaders,
    'content-type': grant.contentType,
    'content-disposition': attachment(grant.fileName),
    'content-length': found.sizeBytes,
  });
  await pipeline(content, response);
}

/** No browser shows an uploaded file as a page of ours. */
const downloadHeaders = {
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
};

function requireGranted({ signer, clock }: Parts, request: Request, grant: ObjectGrant): void {
  const isGood = isObjectKey(grant.key) && signer.isGranted(grant, queryOf(request).get('signature') ?? '');
  if (!isGood || grant.expiresMs < clock.nowMs()) throw refused();
}

function namedBy(request: Request): { key: string; expiresMs: number } {
  const { folder = '', name = '' } = request.params as Record<string, string>;
  return { key: `${folder}/${name}`, expiresMs: Number(queryOf(request).get('expiresMs')) };
}

const queryOf = (request: Request): URLSearchParams => new URL(request.url, 'http://local').searchParams;

const refused = (): AppError =>
  new AppError('permission_denied', { detail: 'This address is not signed by this server, or has expired.' });
