import { Array as ArrayType, Boolean, Object as ObjectType, String as StringType } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { projectRoute } from '../context.ts';
import { textField } from '../fields/text-field.ts';
import { requireProjectConsent } from '../require-project-consent.ts';
import { entityIdOf } from './entity-id.ts';
import { readSummaryTitles } from './store/summary-store.ts';
import { entryFields, readEntry } from './summary-request.ts';

/** Most traces of one request. */
const idsMax = 100;

export const checkSummaries = projectRoute({
  operationId: 'check_summaries',
  method: 'post',
  path: '/api/projects/:project_id/llm_analytics/summarization/batch_check',
  access: { scope: 'llm_analytics:read' },
  throttle: 'summarization',
  tag: 'LLM analytics',
  summary: 'List which traces have a summary that is stored',
  description: 'No summary is made.',
  body: ObjectType(
    {
      trace_ids: ArrayType(textField({ examples: ['trace_1'] }), { maxItems: idsMax, description: 'At most 100.' }),
      ...entryFields,
    },
    { title: 'SummaryCheckRequest' },
  ),
  attrsEndAtLists: true,
  responses: {
    200: ObjectType(
      {
        summaries: ArrayType(
          ObjectType({
            trace_id: StringType({ examples: ['trace_1'] }),
            title: StringType({ examples: ['How is the weather?'] }),
            cached: Boolean({ description: 'Always true.', examples: [true] }),
          }),
          { description: 'In the order of the request. Traces without a summary are left out.' },
        ),
      },
      { title: 'SummaryCheck' },
    ),
  },
  find: ({ context, auth: { project } }) => requireProjectConsent(context, project, 'summarization'),
  async handler({ context, auth: { project }, body }) {
    const read = body.trace_ids.map(entityIdOf);
    const ids = read.filter((id) => id !== null);
    const blank = read.indexOf(null);
    if (blank >= 0)
      throw new AppError('blank', { attr: 'trace_ids', detail: `trace_ids[${blank}]: This field may not be blank.` });
    const now = new Date(context.clock.nowMs());
    const titles = await readSummaryTitles(context.prisma, { projectId: project.id, ...readEntry(body) }, ids, now);
    return {
      summaries: ids.flatMap((id) => {
        const title = titles.get(id);
        return title === undefined ? [] : [{ trace_id: id, title: title || 'Untitled trace', cached: true }];
      }),
    };
  },
});
