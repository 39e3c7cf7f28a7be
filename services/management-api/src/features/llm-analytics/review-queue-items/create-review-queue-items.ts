import { Array as ArrayType, Integer, Object as ObjectType, String as StringType, Unsafe, type Static } from 'typebox';
import { AppError, errorBody } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import { validator } from '@millrace/http/validator.ts';
import { projectRoute } from '../../../context.ts';
import { addItems } from './add-items.ts';
import { readNewItem, renderItem, ReviewQueueItem, ReviewQueueItemBody, type NewItem } from './review-queue-item.ts';
import type { StoredItem } from './stored-item.ts';

const itemsMax = 1000;
/** All reviewers of the project wait while one such part is added. */
const partLength = 100;

const Refusal = ObjectType({
  type: StringType({ examples: ['validation_error'] }),
  code: StringType({ examples: ['invalid_input'] }),
  detail: StringType({ examples: ['Review queue not found.'] }),
  attr: nullable(StringType({ examples: ['queue_id'] })),
});
const Outcome = ObjectType({
  status: Integer({ description: '201, or that of the refusal.', examples: [201] }),
  item: Unsafe<Static<typeof ReviewQueueItem> | null>({ anyOf: [ReviewQueueItem, { type: 'null' }] }),
  error: Unsafe<Static<typeof Refusal> | null>({ anyOf: [Refusal, { type: 'null' }] }),
});

export const createReviewQueueItems = projectRoute({
  operationId: 'create_review_queue_items',
  method: 'post',
  path: '/api/projects/:project_id/llm_analytics/review_queue_items/bulk_create',
  access: { scope: 'llm_analytics:write' },
  tag: 'LLM analytics',
  summary: 'Put many traces into review queues, each with an answer of its own',
  description:
    'Items that are refused keep out no others. They come in the order of the body, and so do the results. A call that is repeated adds only what is missing.',
  body: ObjectType(
    {
      items: ArrayType(Unsafe<unknown>({ description: 'Each a `queue_id` and a `trace_id`, as of one item.' }), {
        minItems: 1,
        maxItems: itemsMax,
        examples: [[{ queue_id: '01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d', trace_id: 'trace-2' }]],
      }),
    },
    { title: 'ReviewQueueItemBulkCreate' },
  ),
  attrsEndAtLists: true,
  responses: { 200: ObjectType({ results: ArrayType(Outcome) }, { title: 'ReviewQueueItemBulkResult' }) },
  async handler({ auth, context, body }) {
    const read = body.items.map(readEach);
    const wanted = read.filter((item): item is NewItem => !(item instanceof AppError));
    const added: (StoredItem | AppError)[] = [];
    for (let at = 0; at < wanted.length; at += partLength)
      added.push(...(await addItems(context, auth, wanted.slice(at, at + partLength))));
    const outcomes = added.values();
    return {
      results: read.map((item) => renderOutcome(item instanceof AppError ? item : outcomes.next().value)),
    };
  },
});

const checkItem = validator(ReviewQueueItemBody);

/** The item, or the reason why it is none. Pure. */
function readEach(item: unknown): NewItem | AppError {
  try {
    checkItem(item);
    return readNewItem(item as Static<typeof ReviewQueueItemBody>);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function renderOutcome(outcome: StoredItem | AppError | undefined): Static<typeof Outcome> {
  if (outcome === undefined) throw new Error('each item has an outcome');
  if (!(outcome instanceof AppError)) return { status: 201, item: renderItem(outcome), error: null };
  const { type, code, detail, attr } = errorBody(outcome);
  return { status: outcome.status, item: null, error: { type, code, detail, attr } };
}
