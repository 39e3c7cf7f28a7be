import { refusalFacts, type RefusalName } from '../http/replies.ts';

/** The `error` of a refusal in V1, where it has another word than v0 for some (contract/capture 1.10). */
export function v1Code(name: RefusalName): string {
  if (name === 'notAnEvent' || name === 'batchNotAnArray') return 'invalid_batch';
  if (name === 'eventTooLarge') return refusalFacts('bodyTooLarge').code;
  const { status, code } = refusalFacts(name);
  return status === 401 && name !== 'noAuthorization' ? 'invalid_api_token' : code;
}
