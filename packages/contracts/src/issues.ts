/** Statuses of an issue of error tracking. A resolved one that is seen again is active again; nothing of a suppressed one is stored. */
export const issueStatuses = ['active', 'resolved', 'suppressed'] as const;

/** From the least to the most. */
export const issueSeverities = ['low', 'medium', 'high', 'critical'] as const;

const issueNamespace = '5d7a5c0e-6b1f-4f0c-9a53-0c1f6f3b8e21';

/**
 * Namespace and name of the UUIDv5 that the issue of a fingerprint has unless a merge or a split led the fingerprint to another: processes that
 * see it at the same time agree (contract/decisions 112).
 */
export function issueIdParts(projectId: number, fingerprint: string): [namespace: string, name: string] {
  return [issueNamespace, `${projectId}:${fingerprint}`];
}
