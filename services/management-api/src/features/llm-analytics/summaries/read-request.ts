import type { UnparsedBody } from '@millrace/http/define-route.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import type { Context } from '../context.ts';
import { hereSizeMax } from '../here-size-max.ts';
import { makeOfTrace } from '../traces/make-of-trace.ts';
import { readerOf } from '../traces/reader-of.ts';
import { readTraceWindow } from '../traces/trace-window.ts';
import { findStored } from './find-stored.ts';
import { prepareStored } from './prepare-stored.ts';
import type { SummaryKey } from './store/summary-store.ts';
import { prepareSummary, type PreparedSummary } from './summarize.ts';
import { readSummaryRequest, type SummaryRequest } from './summary-request.ts';

/** A request, and how its data becomes text: nothing is fetched or rendered before, since a summary may be stored. */
export interface ReadRequest {
  readonly key: SummaryKey;
  readonly isForced: boolean;
  /** The text of the data and its summary without a model. @throws {AppError} 404, 413, 503 */
  readonly prepare: () => PreparedSummary | Promise<PreparedSummary>;
}

interface Asking {
  context: Pick<Context, 'clock' | 'renderThreads' | 'summaryModel' | 'tenantEngine'>;
  auth: ProjectAccess;
  signal: AbortSignal;
}

/** Reads a body; a large one in a thread, which gets it again when its data is to be rendered. @throws {AppError} 400, 413, 503 */
export async function readRequest(body: UnparsedBody, asking: Asking): Promise<ReadRequest> {
  const { context, auth, signal } = asking;
  const { textLengthMax } = context.summaryModel;
  if (body.bytes.length <= hereSizeMax) {
    const { source, ...request } = readSummaryRequest(body);
    if (source === null) return requestOfStored(request, asking);
    return { ...entryOf(request, auth), prepare: () => prepareSummary(source, request.mode, textLengthMax) };
  }
  const asker = { organizationId: auth.project.organizationId, signal };
  const { request, hasData, bytes } = await context.renderThreads.readRequest(body, asker);
  if (!hasData) return requestOfStored(request, asking);
  return {
    ...entryOf(request, auth),
    prepare: () => context.renderThreads.prepare({ ...body, bytes }, textLengthMax, asker),
  };
}

type Request = Omit<SummaryRequest, 'source'>;

function entryOf({ isForced, dates: _dates, ...entry }: Request, { project }: ProjectAccess) {
  return { isForced, key: { projectId: project.id, ...entry } };
}

function requestOfStored(request: Request, { context, auth, signal }: Asking): ReadRequest {
  const { clock, renderThreads, summaryModel } = context;
  const { project } = auth;
  const window = readTraceWindow(request.dates, { nowMs: clock.nowMs(), timeZone: project.timezone });
  return {
    ...entryOf(request, auth),
    async prepare() {
      const { textLengthMax } = summaryModel;
      const { type, id, mode } = request;
      const key = { type, id, mode };
      return await makeOfTrace({
        reserve: () => renderThreads.reserve({ organizationId: project.organizationId, signal }),
        find: (onRead) => findStored(context, request, window, readerOf(auth, signal), onRead),
        here: (stored) => prepareStored(key, stored, textLengthMax),
        inThread: (place, packed) => place.prepareStored({ key, packed, textLengthMax }),
      });
    },
  };
}
