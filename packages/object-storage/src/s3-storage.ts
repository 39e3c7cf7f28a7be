import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import {
  atMost,
  attachment,
  isObjectKey,
  requireObjectFolder,
  requireObjectKey,
  type ObjectStorage,
} from './object-storage.ts';
import type { StorageConfig } from './storage-settings.ts';

/** Longest silence of a connection, in milliseconds: the server takes no byte and sends none. */
interface Timeouts {
  idleMs: number;
}

/** An object storage in a bucket of S3, or of what speaks its protocol. Clients go there by themselves. */
export function createS3Storage(
  config: StorageConfig['s3'],
  logger: Logger,
  timeouts: Timeouts = { idleMs: 30_000 },
): ObjectStorage {
  const Bucket = config.bucket;
  const client = clientFor(config.endpoint, config, timeouts);
  // An address is signed for the host that clients name.
  const presigner = config.publicEndpoint === '' ? client : clientFor(config.publicEndpoint, config, timeouts);
  const of = (key: string) => ({ Bucket, Key: requireObjectKey(key) });

  return {
    put: async (key, bytes) =>
      void (await client.send(new PutObjectCommand({ ...of(key), Body: bytes, ContentLength: bytes.length }))),
    async receive(key, source, bytesMax) {
      const { Key } = of(key);
      // The protocol wants the length first, and a form does not say how long its file is.
      await throughFile(atMost(bytesMax, source), async (file, ContentLength) => {
        await client.send(new PutObjectCommand({ Bucket, Key, Body: file, ContentLength }));
      });
    },
    async get(key) {
      const found = await unlessMissing(client.send(new GetObjectCommand(of(key))));
      return found?.Body as Readable | undefined;
    },
    async head(key) {
      const found = await unlessMissing(client.send(new HeadObjectCommand(of(key))));
      return found && { sizeBytes: found.ContentLength ?? 0 };
    },
    async copy(from, to) {
      const { Key } = of(from);
      const copied = client.send(new CopyObjectCommand({ ...of(to), CopySource: `${Bucket}/${Key}` }));
      return (await unlessMissing(copied)) !== undefined;
    },
    delete: async (key) => void (await client.send(new DeleteObjectCommand(of(key)))),
    list: (folder) => keysIn(client, Bucket, requireObjectFolder(folder)),
    async presignPost(key, { bytesMax, lifetimeSeconds }) {
      const { url, fields } = await createPresignedPost(presigner, {
        ...of(key),
        Conditions: [['content-length-range', 0, bytesMax]],
        Expires: lifetimeSeconds,
      });
      return { url, fields };
    },
    presignPut(key, { contentLength, lifetimeSeconds }) {
      const command = new PutObjectCommand({ ...of(key), ContentLength: contentLength });
      // Signed along, the length is the one thing that the server takes.
      return getSignedUrl(presigner, command, {
        expiresIn: lifetimeSeconds,
        signableHeaders: new Set(['content-length', 'host']),
      });
    },
    presignGet(key, { contentType, fileName, lifetimeSeconds }) {
      const reply = { ResponseContentType: contentType, ResponseContentDisposition: attachment(fileName) };
      return getSignedUrl(presigner, new GetObjectCommand({ ...of(key), ...reply }), { expiresIn: lifetimeSeconds });
    },
    async start() {
      try {
        await makeBucket(client, Bucket);
      } catch (err) {
        logger.warn({ err, bucket: Bucket }, 'the bucket of the object storage could not be checked');
      }
    },
    close() {
      client.destroy();
      if (presigner !== client) presigner.destroy();
    },
  };
}

/** Writes the chunks to a file of this machine that has no name: whenever this process ends, nothing is left of it. */
async function throughFile(
  chunks: AsyncIterable<Uint8Array>,
  use: (file: Readable, sizeBytes: number) => Promise<void>,
): Promise<void> {
  const name = join(tmpdir(), `millrace-object-${randomUUID()}`);
  const handle = await open(name, 'wx+', 0o600);
  try {
    await rm(name);
    await handle.writeFile(chunks);
    const { size } = await handle.stat();
    const file = handle.createReadStream({ start: 0 });
    try {
      await use(file, size);
    } finally {
      // An open stream would hold the handle.
      file.destroy();
    }
  } finally {
    await handle.close();
  }
}

async function* keysIn(client: S3Client, Bucket: string, folder: string): AsyncGenerator<string> {
  for (let ContinuationToken: string | undefined, more = true; more;) {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket, Prefix: `${folder}/`, ...(ContinuationToken && { ContinuationToken }) }),
    );
    yield* (page.Contents ?? []).map(({ Key = '' }) => Key).filter(isObjectKey);
    ContinuationToken = page.NextContinuationToken;
    more = ContinuationToken !== undefined;
  }
}

function clientFor(
  endpoint: string,
  { region, accessKey, secretKey, pathStyle }: StorageConfig['s3'],
  { idleMs }: Timeouts,
): S3Client {
  return new S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint !== '' && { endpoint }),
    // Without keys the SDK looks where it always does: its own variables, the machine's role.
    ...(accessKey !== '' && { credentials: { accessKeyId: accessKey, secretAccessKey: secretKey } }),
    // A presigned PUT would require a checksum of nothing from clients.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The SDK's `requestTimeout` only warns, and would count the time of a long upload.
    requestHandler: { connectionTimeout: 5_000, socketTimeout: idleMs },
    maxAttempts: 3,
  });
}

async function makeBucket(client: S3Client, Bucket: string): Promise<void> {
  if ((await unlessMissing(client.send(new HeadBucketCommand({ Bucket })))) !== undefined) return;
  try {
    await client.send(new CreateBucketCommand({ Bucket }));
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof S3ServiceException) || !/^BucketAlready/.test(error.name)) throw error;
  }
}

async function unlessMissing<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
    throw error;
  }
}
