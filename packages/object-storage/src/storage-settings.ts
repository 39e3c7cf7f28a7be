import type { ConfigOf } from '@millrace/runtime/config.ts';
import { flag, optionalText, text, url } from '@millrace/runtime/settings.ts';

const s3Description = 'address of the S3 storage for this service; unset: AWS, by its region';

/** Location of files: a bucket, or a folder. */
export const fileSettings = {
  directory: optionalText('STORAGE_DIR', {
    description:
      'folder of stored files when there is no bucket; the API then serves them to clients that have a signed address',
  }),
  s3: {
    bucket: text('STORAGE_S3_BUCKET', {
      description: 'bucket of an S3 storage for files; created when it does not exist',
      default: '',
    }),
    endpoint: url('STORAGE_S3_ENDPOINT', ['http', 'https'], { description: s3Description, default: '' }),
    publicEndpoint: url('STORAGE_S3_PUBLIC_ENDPOINT', ['http', 'https'], {
      description:
        'address of the same storage as clients see it, for uploads and downloads; unset: the API serves them, unless the storage is that of AWS',
      default: '',
    }),
    region: text('STORAGE_S3_REGION', { description: 'its region', default: 'us-east-1' }),
    accessKey: text('STORAGE_S3_ACCESS_KEY', {
      description: "its key; unset: what the AWS SDK finds, such as a machine's role",
      default: '',
    }),
    secretKey: text('STORAGE_S3_SECRET_KEY', { description: 'the secret of that key', default: '', secret: true }),
    pathStyle: flag('STORAGE_S3_PATH_STYLE', {
      description: 'whether the bucket is part of the path of addresses, as most servers except AWS expect',
      default: true,
    }),
  },
};

/** The same, and the secret of addresses. Without a location, routes that need files reply with an error. */
export const storageSettings = {
  ...fileSettings,
  signingSecret: text('STORAGE_SIGNING_SECRET', {
    description:
      'secret of addresses that the API serves, the same for all processes; needed with STORAGE_DIR, and with STORAGE_S3_ENDPOINT unless STORAGE_S3_PUBLIC_ENDPOINT is set',
    default: '',
    secret: true,
  }),
};

export type FilesConfig = ConfigOf<typeof fileSettings>;
export type StorageConfig = ConfigOf<typeof storageSettings>;
