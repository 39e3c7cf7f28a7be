/** The fields of errors that show where they come from. */
export interface ErrorLike {
  name: string;
  message: string;
  code?: unknown;
  /** ClickHouse's name of its error. */
  type?: unknown;
  cause?: unknown;
}

/** True for errors of any realm: `instanceof` fails for those that Node itself made when the code runs in a VM context. */
export function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}
