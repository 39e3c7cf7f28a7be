import { Object as ObjectType, Optional, String as StringType, type Static } from 'typebox';
import { issueStatuses } from '@millrace/contracts/issues.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { pageQuery } from '@millrace/http/pagination.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import { choiceOf } from '../../../lists/list-choice.ts';
import type { Order } from '../../../lists/list-order.ts';

const orders = ['first_seen', 'updated_at'] as const;
/** A column by which the list is ordered. */
export type IssueOrder = (typeof orders)[number];

const orderChoices = orders.flatMap((name) => [name, `-${name}`]);
const statusChoices = [...issueStatuses, 'all'] as const;

/** Query parameters of the list (contract/orgs-errors 8.2). Empty ones count as absent. */
export const IssueQuery = ObjectType({
  ...pageQuery,
  status: Optional(
    StringType({
      description: `${issueStatuses.map((name) => `\`${name}\``).join(', ')} or \`all\` (default).`,
      examples: ['active'],
    }),
  ),
  assignee: Optional(
    StringType({ description: 'Id of a user, UUID of a role, or `none`: of nobody.', examples: ['none'] }),
  ),
  search: Optional(
    StringType({ description: 'A text that name or description contain, in any case.', examples: ['undefined'] }),
  ),
  order_by: Optional(
    StringType({
      description: `${orderChoices.map((name) => `\`${name}\``).join(', ')}. Default: \`-first_seen\`.`,
      examples: ['-updated_at'],
    }),
  ),
});

/** Filters and order of a list; null: no filter. */
export interface IssueListing {
  status: (typeof issueStatuses)[number] | null;
  /** Id of a user, or UUID of a role; `none`: of nobody. */
  assignee: number | string | null;
  search: string | null;
  order: Order<IssueOrder>;
}

/** Reads the query of a call. Pure. @throws {AppError} invalid_choice on `status` or `order_by`, invalid_input on `assignee` */
export function readIssueQuery(query: Static<typeof IssueQuery>): IssueListing {
  const order = choiceOf('order_by', query.order_by || '-first_seen', orderChoices);
  const status = choiceOf('status', query.status || 'all', statusChoices);
  return {
    status: status === 'all' ? null : status,
    assignee: assigneeOf(query.assignee?.trim() || null),
    search: query.search?.trim() || null,
    order: { by: order.replace('-', '') as IssueOrder, descending: order.startsWith('-') },
  };
}

function assigneeOf(text: string | null): IssueListing['assignee'] {
  if (text === null || text === 'none' || isUuid(text)) return text;
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  throw new AppError('invalid_input', {
    attr: 'assignee',
    detail: 'This is no id of a user, UUID of a role, or "none".',
  });
}
