import { AppError } from '@millrace/http/errors/errors.ts';

/**
 * Requires an organization's consent to AI data processing (contract/decisions 47). Pure. True: allowed. False: refused. Null, nobody has
 * decided: allowed as long as no model outside is configured, because nothing leaves the server then.
 * @param approved `is_ai_data_processing_approved` of the organization
 * @param use the routes whose documented sentence comes first (contract/llm-surveys 6.2)
 * @throws {AppError} 403 permission_denied, with the bare `error` (contract/endpoints 6.9)
 */
export function requireAiConsent(
  approved: boolean | null,
  { isConfigured }: { readonly isConfigured: boolean },
  use?: 'summarization' | 'translation',
): void {
  if (approved ?? !isConfigured) return;
  const state = approved === null ? 'has not decided on' : 'does not allow';
  throw new AppError('permission_denied', {
    bare: true,
    detail:
      (use === undefined ? '' : `AI data processing must be approved by your organization before using ${use}. `) +
      `The organization ${state} AI data processing. ` +
      'An administrator allows it: set is_ai_data_processing_approved of the organization to true.',
  });
}
