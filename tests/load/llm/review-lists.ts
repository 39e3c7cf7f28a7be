import { createHttpClient } from '../http-client.ts';
import { judge } from '../report/bars.ts';
import { figure } from '../report/format.ts';
import type { Bench, Finding } from '../report/measurement.ts';
import { quantiles } from '../report/statistics.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import type { LlmCase } from './llm-case.ts';
import { makeReviewedProject, rowsOf, type ReviewedProject } from './reviewed-project.ts';

const requests = { warmUp: 10, measured: 100 };
/** A list that an index has in its order, or whose filter it has; and one that reads very many rows to be counted. */
const bars = { fast: 20, other: 150 };

/** One kind of list. */
interface Listing {
  name: string;
  what: string;
  kind: keyof typeof bars;
  /** Paths below those of the project, taken in turn. */
  paths: readonly string[];
}

/** Times of lists over 100,000 rows, with filters, orders and searches, one request after the other. */
export const reviewListsCase: LlmCase = {
  name: 'review-lists',
  async measure({ local }: SystemUnderTest, { say }: Bench): Promise<Finding> {
    const project = await makeReviewedProject(local);
    say(`a project of ${rowsOf.items} items, ${rowsOf.reviews} reviews and ${rowsOf.definitions} definitions is made`);
    const http = createHttpClient(local.apiUrl);
    const headers = { authorization: `Bearer ${local.personalApiKey}` };
    const finding: Finding = { lines: [], figures: {} };
    for (const { name, what, kind, paths } of listings(project)) {
      const times: number[] = [];
      for (let index = -requests.warmUp; index < requests.measured; index++) {
        const begun = performance.now();
        const path = `${project.base}/${paths[Math.abs(index) % paths.length] ?? ''}`;
        const reply = JSON.parse((await http.send({ method: 'GET', path, headers })).toString()) as { count: number };
        if (index >= 0) times.push(performance.now() - begun);
        if (reply.count === 0) throw new Error(`nothing is in the list ${path}`);
      }
      const [p50, p95] = quantiles(times, [0.5, 0.95]) as [number, number];
      const shown = `${figure(p50)} / ${figure(p95)} ms`;
      say(`${what}: ${shown}`);
      const verdicts = [judge(p95, { name: 'p95', most: bars[kind], unit: ' ms' })];
      finding.lines.push({ what: `llm: ${what}, p50 / p95`, millrace: shown, beside: '', ratio: '', verdicts });
      finding.figures[`llm_${name}_p95_ms`] = p95;
    }
    http.close();
    return finding;
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
