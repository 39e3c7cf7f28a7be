import type { Route } from '@millrace/http/define-route.ts';
import type { Context } from '../../../context.ts';
import { createSuppressionRule } from './create-suppression-rule.ts';
import { deleteSuppressionRule } from './delete-suppression-rule.ts';
import { listSuppressionRuleHits } from './list-suppression-rule-hits.ts';
import { listSuppressionRules } from './list-suppression-rules.ts';
import { previewSuppressionRule } from './preview-suppression-rule.ts';
import { reorderSuppressionRules } from './reorder-suppression-rules.ts';
import { retrieveSuppressionRule } from './retrieve-suppression-rule.ts';
import { replaceSuppressionRule, updateSuppressionRule } from './update-suppression-rule.ts';

/** In the order of the reference; fixed names precede the parameter that would match them. */
export const suppressionRuleRoutes: readonly Route<Context>[] = [
  listSuppressionRules,
  createSuppressionRule,
  reorderSuppressionRules,
  previewSuppressionRule,
  retrieveSuppressionRule,
  updateSuppressionRule,
  replaceSuppressionRule,
  deleteSuppressionRule,
  listSuppressionRuleHits,
];
