import { measureListings, type Listing } from '../measure-listings.ts';
import type { LlmCase } from './llm-case.ts';
import { makeReviewedProject, rowsOf, type ReviewedProject } from './reviewed-project.ts';

/** Times of lists over 100,000 rows, with filters, orders and searches, one request after the other. */
export const reviewListsCase: LlmCase = {
  name: 'review-lists',
  async measure({ local }, bench) {
    const project = await makeReviewedProject(local);
    bench.say(
      `a project of ${rowsOf.items} items, ${rowsOf.reviews} reviews and ${rowsOf.definitions} definitions is made`,
    );
    return await measureListings(local, bench, { topic: 'llm', base: project.base, listings: listings(project) });
  },
};

const many = '100 000';

/** All that is measured. Pure. */
function listings({ queueId, definitionId }: ReviewedProject): Listing[] {
  const orders = ['created_at', '-created_at', 'updated_at', '-updated_at'];
  const inOrders = (list: string): string[] => orders.map((order) => `${list}order_by=${order}`);
  return [
    { name: 'queues', what: `50 queues of ${many} items`, kind: 'fast', paths: inOrders('review_queues/?') },
    { name: 'items', what: `page of ${many} items, by order`, kind: 'fast', paths: inOrders('review_queue_items/?') },
    {
      name: 'items_of_queue',
      what: 'page of a queue of 50 000 items, by order',
      kind: 'fast',
      paths: inOrders(`review_queue_items/?queue_id=${queueId}&`),
    },
    {
      name: 'item',
      what: `one of ${many} items, by its trace`,
      kind: 'fast',
      paths: ['review_queue_items/?trace_id=trace-4711', 'review_queue_items/?trace_id__in=trace-1,trace-2'],
    },
    {
      name: 'items_search',
      what: `search that few of ${many} items match`,
      kind: 'fast',
      paths: ['review_queue_items/?search=trace-4711', 'review_queue_items/?search=E-8128'],
    },
    {
      name: 'items_wide_search',
      what: `search that all of ${many} items match`,
      kind: 'other',
      paths: ['review_queue_items/?search=trace'],
    },
    { name: 'reviews', what: `page of ${many} reviews, by order`, kind: 'fast', paths: inOrders('trace_reviews/?') },
    {
      name: 'reviews_of_definition',
      what: `a definition that a fifth of ${many} reviews is scored by, by order`,
      kind: 'fast',
      paths: inOrders(`trace_reviews/?definition_id=${definitionId}&`),
    },
    {
      name: 'reviews_search',
      what: `search that few of ${many} reviews match`,
      kind: 'fast',
      paths: ['trace_reviews/?search=reviewed-4711', 'trace_reviews/?search=abcd'],
    },
    {
      name: 'reviews_wide_search',
      what: `search that half of ${many} reviews match`,
      kind: 'other',
      paths: ['trace_reviews/?search=comment'],
    },
    {
      name: 'reviews_deep',
      what: `page in the middle of ${many} reviews`,
      kind: 'fast',
      paths: ['trace_reviews/?offset=50000'],
    },
    {
      name: 'definitions',
      what: `page of ${many} definitions, by order or kind`,
      kind: 'fast',
      paths: ['name', '-updated_at', 'kind'].map((order) => `score_definitions/?order_by=${order}`),
    },
    {
      name: 'definitions_filtered',
      what: `kind, or a tag of a hundredth, of ${many} definitions`,
      kind: 'fast',
      paths: ['score_definitions/?kind=boolean', 'score_definitions/?tags=["rare"]'],
    },
    {
      name: 'definitions_tag',
      what: `a tag that nearly all of ${many} definitions have`,
      kind: 'other',
      paths: ['score_definitions/?tags=["usual"]'],
    },
  ];
}
