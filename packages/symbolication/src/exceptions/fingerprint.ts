import { createHash, type Hash } from 'node:crypto';
import type { ResolvedFrame } from '../frames/resolved-frame.ts';
import type { ResolvedException } from './resolve-exceptions.ts';

/**
 * Rule by which exceptions of all projects are grouped; it is stored with each fingerprint. A better one has another version, and must lead
 * stored fingerprints to their issues: until then it makes new issues of exceptions that have one.
 */
export const fingerprintVersion = 1;
/** Longer ones of clients are hashed. */
const lengthMax = 64;

/**
 * Fingerprint of an event's exceptions (contract/decisions 111): the client's, if it sent one, else a hash of types and of the frames
 * in the application. Places in the code, which change with each build, count in frames that are not resolved. Pure.
 */
export function fingerprintOf(exceptions: readonly ResolvedException[], sent: unknown): string {
  if (typeof sent === 'string' && sent !== '')
    return sent.length <= lengthMax ? sent : createHash('sha512').update(sent).digest('hex');
  const hash = createHash('sha512').update(Buffer.of(fingerprintVersion));
  for (const exception of exceptions) addException(hash, exception);
  return hash.digest('hex');
}

function addException(hash: Hash, { type, value, stacktrace }: ResolvedException): void {
  const frames = framesThatCount(stacktrace?.frames ?? []);
  addText(hash, type);
  // Tells frames from a message, and where they end.
  addText(hash, String(frames.length));
  if (frames.length === 0) addText(hash, value);
  for (const frame of frames) addFrame(hash, frame);
}

/** Frames in the application that are resolved, else all that are in it, else the one that crashed. */
function framesThatCount(frames: readonly ResolvedFrame[]): readonly ResolvedFrame[] {
  const inApp = frames.filter(({ in_app }) => in_app);
  const resolved = inApp.filter((frame) => frame.resolved);
  if (resolved.length > 0) return resolved;
  return inApp.length > 0 ? inApp : frames.slice(-1);
}

function addFrame(
  hash: Hash,
  { resolved, resolved_name, mangled_name, source, line, column, lang }: ResolvedFrame,
): void {
  const parts = resolved
    ? ['resolved', resolved_name, source]
    : ['unresolved', mangled_name, source, line?.toString(), column?.toString(), lang];
  for (const part of parts) addText(hash, part);
}

/** Adds a text behind its length in bytes; one that is missing is not an empty one. */
function addText(hash: Hash, text: string | undefined): void {
  const bytes = Buffer.from(text ?? '');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text === undefined ? 0xffff_ffff : bytes.length);
  hash.update(length).update(bytes);
}
