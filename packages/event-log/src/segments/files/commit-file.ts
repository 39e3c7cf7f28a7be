import { crc32 } from 'node:zlib';
import type { Commit } from '../../event-log.ts';

const name = 'millrace-commit 1';

/** Longest metadata, in bytes: what Kafka takes too. */
const commitMetadataBytesMax = 4000;

/** Thrown when a commit file is damaged or of an unknown version: never taken for "has not committed". */
class CommitFormatError extends Error {
  override name = 'CommitFormatError';
}

/** @throws {RangeError} when the metadata is too long. */
export function encodeCommit(commit: Commit): Buffer {
  if (Buffer.byteLength(commit.metadata) > commitMetadataBytesMax) throw new RangeError('commit metadata too long');
  const json = JSON.stringify({ offset: String(commit.offset), metadata: commit.metadata });
  return Buffer.from(`${name} ${crc32(json).toString(16)}\n${json}`);
}

/** @throws {CommitFormatError} */
export function decodeCommit(content: Buffer): Commit {
  const text = content.toString();
  const json = text.slice(text.indexOf('\n') + 1);
  if (text.slice(0, text.indexOf('\n')) !== `${name} ${crc32(json).toString(16)}`)
    throw new CommitFormatError('damaged commit file');
  const { offset, metadata } = JSON.parse(json) as { offset: string; metadata: string };
  return { offset: BigInt(offset), metadata };
}
