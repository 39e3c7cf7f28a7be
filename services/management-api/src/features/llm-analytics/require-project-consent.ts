import { requireAiConsent } from '../../language-model/ai-consent.ts';
import type { Context } from './context.ts';

/**
 * Requires the consent of a project's organization before a body is looked at (contract/llm-surveys 6.2).
 * @throws {AppError} 403 permission_denied
 */
export async function requireProjectConsent(
  { prisma, languageModel }: Pick<Context, 'prisma' | 'languageModel'>,
  { organizationId }: { readonly organizationId: string },
  use: 'summarization' | 'translation',
): Promise<void> {
  const { isAiDataProcessingApproved } = await prisma.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: { isAiDataProcessingApproved: true },
  });
  requireAiConsent(isAiDataProcessingApproved, languageModel, use);
}
