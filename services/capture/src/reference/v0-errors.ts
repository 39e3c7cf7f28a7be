import type { ErrorForm } from '../http/operation.ts';
import { errorBody, errorReply } from '../http/replies.ts';
import { ref } from './schemas.ts';

/** Errors of everything but V1 (contract/decisions 38). */
export const v0Errors: ErrorForm = {
  bodyWith: (codes) => ({ allOf: [ref('Error'), { properties: { code: { enum: codes } } }] }),
  codeOf: (name) => errorReply(name).code,
  bodyOf: errorBody,
};
