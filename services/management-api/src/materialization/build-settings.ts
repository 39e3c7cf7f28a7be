import { integer } from '@millrace/runtime/settings.ts';

/** Limits of the builds of materialized endpoints. */
export const buildSettings = {
  secondsMax: integer('ENDPOINT_BUILD_SECONDS_MAX', {
    description: 'longest build of a materialized endpoint in seconds',
    default: 300,
    min: 1,
    max: 3600,
  }),
  memoryBytesMax: integer('ENDPOINT_BUILD_MEMORY_BYTES_MAX', {
    description: 'most memory of a build in bytes',
    // Two at a time are a quarter of the local server's memory. Queries of tenants have half of it.
    default: 250_000_000,
    min: 1,
  }),
  readRowsMax: integer('ENDPOINT_BUILD_READ_ROWS_MAX', {
    description: 'most rows that a build may read',
    default: 5_000_000_000,
    min: 1,
  }),
  readBytesMax: integer('ENDPOINT_BUILD_READ_BYTES_MAX', {
    description: 'most bytes that a build may read',
    default: 500_000_000_000,
    min: 1,
  }),
  rowsMax: integer('ENDPOINT_BUILD_ROWS_MAX', {
    description: 'most rows of the table of a materialized endpoint',
    default: 1_000_000,
    min: 1,
  }),
  bytesMax: integer('ENDPOINT_BUILD_BYTES_MAX', {
    description: 'most bytes of that table on disk',
    default: 1_000_000_000,
    min: 1,
  }),
  threadsMax: integer('ENDPOINT_BUILD_THREADS_MAX', { description: 'most threads of a build', default: 2, min: 1 }),
  versionsPerProjectMax: integer('ENDPOINT_MATERIALIZED_PER_PROJECT_MAX', {
    description: 'most materialized versions of one project',
    default: 100,
    min: 1,
  }),
  runningMax: integer('ENDPOINT_BUILDS_MAX', {
    description: 'most builds at a time, of all processes together',
    default: 2,
    min: 1,
  }),
  runningPerProjectMax: integer('ENDPOINT_BUILDS_PER_PROJECT_MAX', {
    description: 'most of them of one project',
    default: 1,
    min: 1,
  }),
};
