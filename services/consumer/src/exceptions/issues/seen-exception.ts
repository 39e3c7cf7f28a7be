import { fingerprintVersion } from '@millrace/symbolication/exceptions/fingerprint.ts';
import type { ClientProperties } from '../../properties/client-properties.ts';
import type { SeenException } from './issue-source.ts';

/** Characters of a name and of a description: lists show both. */
const nameMax = 200;
const descriptionMax = 1_000;

/** The parts of an event that its issue shows. Times: UTC, as text. */
interface CompletedEvent {
  project: { id: number };
  head: { timestamp: string; receivedAt: string };
  properties: Pick<ClientProperties, 'get'>;
}

/** A completed event as its issue shows it; null: its list cannot be read, and it has none (contract/decisions 119). Pure. */
export function seenException({ project, head, properties }: CompletedEvent, isRead: boolean): SeenException | null {
  const fingerprint = properties.get('$exception_fingerprint');
  if (!isRead || typeof fingerprint !== 'string') return null;
  const list = properties.get('$exception_list');
  const first = (Array.isArray(list) ? list[0] : undefined) as { type?: unknown; value?: unknown } | undefined;
  return {
    projectId: project.id,
    fingerprint,
    version: fingerprintVersion,
    name: shortened(first?.type, nameMax),
    description: shortened(first?.value, descriptionMax),
    happenedAt: head.timestamp,
    receivedAt: head.receivedAt,
  };
}

function shortened(text: unknown, max: number): string | null {
  if (typeof text !== 'string' || text === '') return null;
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}
