import { Object as ObjectType, Optional, String as StringType } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { queryErrors } from '../../../queries/execute/engine-errors.ts';
import { isFromElsewhere, pageOf } from '../../../pages/page.ts';
import { projectRoute, publicRoute } from '../context.ts';
import { traceIdOf } from '../fields/trace-path.ts';
import { findTraceEvents } from './find-trace-events.ts';
import { makeOfTrace } from './make-of-trace.ts';
import { notInWindow } from './not-in-window.ts';
import { readerOf } from './reader-of.ts';
import { askForKeyPage, traceErrorPage, tracePageBytes } from './trace-page.ts';
import { readTraceWindow } from './trace-window.ts';

// The target of `trace_url` (contract/llm-surveys 4.4). A browser brings no key, and a trace is nobody's business but its readers': the page
// asks for a key, and the route that takes it is like any other with a scope.

const params = {
  trace_id: StringType({
    description: 'The id of the trace; `.` and `..` have a `~` in front, since browsers take them out of a path.',
    examples: ['trace-1'],
  }),
};
const path = '/project/:project_id/ai-observability/traces/:trace_id';
const Page = StringType({ contentMediaType: 'text/html' });

export const showTrace = publicRoute({
  operationId: 'show_trace',
  method: 'get',
  path,
  params,
  access: 'public',
  tag: 'LLM analytics',
  summary: 'Ask a browser for a key, to show a trace; reads nothing',
  responses: { 200: Page },
  handler: () => askForKeyPage(),
});

/** Sent by the page, with the key as `personal_api_key`. */
const TraceForm = ObjectType(
  {
    date_from: Optional(StringType({ description: 'Default: `-30d`.', examples: ['-90d'] })),
    date_to: Optional(StringType({ description: 'Default: now.', examples: [''] })),
  },
  { title: 'TraceForm' },
);

export const readTrace = projectRoute({
  operationId: 'read_trace',
  method: 'post',
  path,
  params,
  access: { scope: 'llm_analytics:read' },
  throttle: 'text_repr',
  tag: 'LLM analytics',
  summary: 'Show the text of a trace in a browser, by the form of its page',
  body: TraceForm,
  responses: { 200: Page },
  errors: [...queryErrors, 'unavailable'],
  errorPage: traceErrorPage,
  async handler({ params: { trace_id: pathPart }, body, auth, context, request, signal }) {
    const traceId = traceIdOf(pathPart);
    if (isFromElsewhere(request))
      throw new AppError('permission_denied', {
        detail: 'The form was sent from another page. Send it from this one.',
      });
    const window = readTraceWindow(body, { nowMs: context.clock.nowMs(), timeZone: auth.project.timezone });
    const made = await makeOfTrace({
      reserve: () => context.renderThreads.reserve({ organizationId: auth.project.organizationId, signal }),
      async find(onRead) {
        const stored = await findTraceEvents(context, { traceId, window }, readerOf(auth, signal), { onRead });
        if (stored === null) throw notInWindow('Trace', traceId);
        return stored;
      },
      here: (stored) => tracePageBytes(traceId, stored),
      inThread: (place, packed) => place.tracePage(traceId, packed),
    });
    return pageOf(made);
  },
});
