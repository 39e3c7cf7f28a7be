import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { AppError } from '@millrace/http/errors/errors.ts';

/** Fields after the file do not count, as with S3. */
export type ReceiveFile<T> = (fields: Readonly<Record<string, string>>, file: Readable) => Promise<T>;

/** Fields come before anybody knows whether the policy among them is good: they take little. */
const limits = { files: 1, fields: 30, fieldNameSize: 100, fieldSize: 4_096, headerPairs: 50, headerSize: 8_192 };

/**
 * Reads a form whose last part is `file` while it arrives; returns the result of `receive`.
 * @throws {AppError} parse_error, unsupported_media_type, required; else what `receive` threw, as soon as it did
 */
export function receiveForm<T>(request: IncomingMessage, receive: ReceiveFile<T>): Promise<T> {
  const form = openForm(request);
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    let arriving: Readable | undefined;
    const fail = (error: unknown): void => {
      request.unpipe(form);
      request.resume(); // the rest is thrown away
      reject(error instanceof Error ? error : new Error('the form could not be read', { cause: error }));
    };
    form.on('field', (name, value) => {
      if (arriving === undefined) fields.set(name, value);
    });
    form.on('file', (name, file) => {
      if (name !== 'file' || arriving !== undefined) return void file.resume();
      arriving = file;
      receive(Object.fromEntries(fields), file).then(resolve, fail);
    });
    form.once('finish', () => {
      if (arriving === undefined) reject(new AppError('required', { attr: 'file' }));
    });
    form.once('error', (cause: Error) => fail(malformed(cause)));
    request.once('close', () => {
      if (!request.complete) arriving?.destroy(new Error('the client went away'));
    });
    request.pipe(form);
  });
}

function openForm(request: IncomingMessage): InstanceType<typeof Busboy> {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type)) throw new AppError('unsupported_media_type');
  try {
    return new Busboy({ headers: request.headers as BusboyHeaders, limits });
  } catch (cause) {
    throw malformed(cause);
  }
}

const malformed = (cause: unknown): AppError =>
  new AppError('parse_error', { detail: 'Multipart form parse error', cause });
