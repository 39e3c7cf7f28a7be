import { isJsonObject } from '@millrace/json/exact-json.ts';
import type { Release } from '@millrace/symbolication/exceptions/exception-releases.ts';
import { fingerprintVersion } from '@millrace/symbolication/exceptions/fingerprint.ts';
import type { ResolvedException } from '@millrace/symbolication/exceptions/resolve-exceptions.ts';
import type { ResolvedFrame } from '@millrace/symbolication/frames/resolved-frame.ts';
import type { ClientProperties } from '../../properties/client-properties.ts';
import type { SeenException, ThrownAt } from './issue-source.ts';

/** Characters of names and of a description: lists and mails show them. */
const nameMax = 200;
const descriptionMax = 1_000;

/** The parts of an event that its issue shows. Times: UTC, as text. */
interface CompletedEvent {
  project: { id: number };
  head: { timestamp: string; receivedAt: string };
  properties: Pick<ClientProperties, 'get'>;
}

/** The release of the map of a frame. */
type FindRelease = (frame: Pick<ResolvedFrame, 'raw_id'>) => Pick<Release, 'version' | 'project'> | null;

/** A completed event as its issue shows it; null: its list cannot be read, and it has none (contract/decisions 119). Pure but for `releaseOf`. */
export function seenException(
  { project, head, properties }: CompletedEvent,
  isRead: boolean,
  releaseOf: FindRelease = () => null,
): SeenException | null {
  const fingerprint = properties.get('$exception_fingerprint');
  if (!isRead || typeof fingerprint !== 'string') return null;
  const list = properties.get('$exception_list');
  const exceptions = (Array.isArray(list) ? list : []) as readonly Partial<ResolvedException>[];
  const frame = topFrame(exceptions);
  return {
    projectId: project.id,
    fingerprint,
    version: fingerprintVersion,
    name: shortened(exceptions[0]?.type, nameMax),
    description: shortened(exceptions[0]?.value, descriptionMax),
    frame: frame === null ? null : thrownAt(frame),
    release: shownRelease((frame && releaseOf(frame)) ?? firstRelease(properties.get('$exception_releases'))),
    happenedAt: head.timestamp,
    receivedAt: head.receivedAt,
  };
}

/** The first exception that has one counts: the others are its causes. A stack has its top last. */
function topFrame(exceptions: readonly Partial<ResolvedException>[]): ResolvedFrame | null {
  for (const { stacktrace } of exceptions) {
    const frame = stacktrace?.frames.findLast(({ in_app }) => in_app);
    if (frame !== undefined) return frame;
  }
  return null;
}

const thrownAt = ({ resolved_name, mangled_name, source, line }: ResolvedFrame): ThrownAt => ({
  function: shortened(resolved_name ?? mangled_name, nameMax),
  file: shortenedPath(source),
  line: line ?? null,
});

/** Frames without a map, and maps without a release, leave the other releases of the event (contract/decisions 113). */
function firstRelease(releases: unknown): unknown {
  return isJsonObject(releases) ? Object.values(releases)[0] : null;
}

function shownRelease(release: unknown): SeenException['release'] {
  if (!isJsonObject(release)) return null;
  const [version, project] = [shortened(release['version'], nameMax), shortened(release['project'], nameMax)];
  return version === null || project === null ? null : { version, project };
}

function shortened(text: unknown, max: number): string | null {
  if (typeof text !== 'string' || text === '') return null;
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}

/** The end of a path names the file. */
function shortenedPath(path: string | undefined): string | null {
  if (path === undefined || path === '') return null;
  return path.length <= nameMax ? path : `…${path.slice(1 - nameMax).toWellFormed()}`;
}
