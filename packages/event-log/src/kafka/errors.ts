interface KafkaError extends Error {
  /** Kafka's name of a broker's error, like `MESSAGE_TOO_LARGE`. */
  type?: string;
  retriable?: boolean;
  originalError?: unknown;
}

/** The innermost error: kafkajs wraps the error of a broker, sometimes more than once. */
export function rootOf(error: unknown): KafkaError {
  let root = error;
  while (root instanceof Error) {
    const { cause, originalError }: KafkaError = root;
    const inner = cause ?? originalError;
    if (!(inner instanceof Error) || inner === root) break;
    root = inner;
  }
  return root instanceof Error ? root : new Error(String(root));
}

const fencings = new Set(['UNKNOWN_MEMBER_ID', 'ILLEGAL_GENERATION', 'REBALANCE_IN_PROGRESS', 'FENCED_INSTANCE_ID']);

/** True when the group continues without this member: its streams belong to other members by now. */
export function isFencing(error: unknown): boolean {
  return fencings.has(rootOf(error).type ?? '');
}

const rejections = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'INVALID_TOPIC_EXCEPTION',
  'POLICY_VIOLATION',
  'TOPIC_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
]);

/** True when the broker took nothing of a partition and would not another time either. */
export function isRejection(error: unknown): boolean {
  return rejections.has(rootOf(error).type ?? '');
}

/** True when the broker has decided: sending the same again cannot end otherwise. */
export function isFinal(error: unknown): boolean {
  const { name, retriable } = rootOf(error);
  return name === 'KafkaJSProtocolError' && retriable === false;
}

/** One line for people. */
export function describeError(error: unknown): string {
  const { type, message } = rootOf(error);
  return type === undefined ? message : `${type}: ${message}`;
}
