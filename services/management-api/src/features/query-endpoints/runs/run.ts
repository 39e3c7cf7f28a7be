import type { Static } from 'typebox';
import { preferredType } from '@millrace/http/requests/preferred-type.ts';
import { reply, stream, type BytesReply, type Reply, type StreamReply } from '@millrace/http/replies/reply.ts';
import { namesTag } from '@millrace/runtime/http/names-tag.ts';
import { queryNameOf } from '../../../queries/execute/running-queries.ts';
import { rowsReply } from '../../../queries/result/rows-reply.ts';
import { shownWarnings } from '../../../queries/result/run-warnings.ts';
import type { StreamFormat } from '../../../queries/stream/stream-format.ts';
import type { RunnableVersion } from '../store/runnable-endpoint.ts';
import { chartFormats, chartReply, type ChartFormat } from './chart-reply.ts';
import { checkRun, type CheckedRun, type RunInput } from './check-run.ts';
import { getOrComputeResult, type GoodRun, type ServedResult } from './get-or-compute-result.ts';
import { cacheHeaders } from './http-cache.ts';
import { recordRun, type RunRecorder } from './history/record-run.ts';
import { ageOf, debugFacts, freshnessFacts, pageFacts, requestFacts, servedRowFacts, tableFacts } from './run-facts.ts';
import type { RunBody, RunFormat, RunRequest } from './run-request.ts';
import type { RunFacts } from './run-result.ts';
import { streamByPath } from './stream-by-path.ts';
import { streamHeaders } from './stream-run.ts';

/** A run whose rows are ready to send. */
interface FinishedRun {
  request: RunRequest;
  version: RunnableVersion;
  served: ServedResult;
  render: (headers: Readonly<Record<string, string>>) => BytesReply;
}

/** Runs one version of an endpoint. @throws {AppError} as in contract/endpoints 4.6 */
export async function run(input: RunInput, body: Static<typeof RunBody>): Promise<BytesReply | StreamReply> {
  const format = formatOf(input);
  if (isStreamed(format)) return await streamed(input, body, format);
  const finished = await finish(input, body, format);
  return finished.render({});
}

/** Runs one version with all parameters in the URL. Replies 304 when `If-None-Match` names the result. @throws {AppError} as `run` does */
export async function runByGet(input: RunInput): Promise<BytesReply | StreamReply | Reply<304, undefined>> {
  const format = formatOf(input);
  if (isStreamed(format))
    return await (input.request.method === 'HEAD' ? headOf(input, format) : streamed(input, undefined, format));
  const { served, render, ...finished } = await finish(input, undefined, format);
  const headers = cacheHeaders(served, finished, input.context.clock.nowMs());
  return namesTag(input.request.headers['if-none-match'], headers['etag'])
    ? reply(304, undefined, headers)
    : render(headers);
}

/** Checks and executes a run, and records its outcome, also a failure (contract/endpoints 7). */
async function finish(
  input: RunInput,
  body: Static<typeof RunBody> | undefined,
  format: Exclude<RunFormat, StreamFormat>,
): Promise<FinishedRun> {
  const { found, auth, context } = input;
  const { good, recorder, execute } = await begin(input, body, format);
  const served = await execute((run) => getOrComputeResult(context, run));
  recorder.succeeded(good, served);
  const { version, request } = good;
  context.executionTimes.record(found.endpoint.id, version.id, context.clock.nowMs());
  const facts = {
    ...requestFacts(found, version, request, auth),
    execution_id: recorder.executionId,
    hasMore: served.result.hasMore,
    warnings: shownWarnings(served.result.warnings, auth.runToken !== undefined),
    ...freshnessFacts(served, version),
    ...tableFacts(served, good.readTable),
    ...servedRowFacts(served),
    ...pageFacts(served),
  };
  return {
    request,
    version,
    served,
    render: (headers) => {
      const more = { ...headers, ...overrideWarning(request) };
      if (isChart(format))
        return chartReply(served.result.result, { query: version.query, title: found.endpoint.name, format }, more);
      return rowsReply(served.result.result, { ...facts, ...debugFacts(good, served) } satisfies RunFacts, {
        first: ageOf(served, context.clock.nowMs()),
        headers: more,
      });
    },
  };
}

/** PostHog's warning of an override, which works and is not to be used any more (contract/endpoints 4.1). */
const overrideWarning = ({ filtersOverride }: RunRequest): Record<string, string> =>
  filtersOverride === null
    ? {}
    : { 'x-posthog-warn': 'filters_override is deprecated: write date_from, date_to and breakdowns into variables.' };

/** The headers of a stream, for HEAD. The query does not run, so no run is recorded. */
async function headOf(input: RunInput, format: StreamFormat): Promise<StreamReply> {
  const { version } = await noted(checkRun(input, undefined, format), (error) => recordRun(input).refused(error));
  const headers = streamHeaders(format, { name: input.found.endpoint.name, endpoint_version: version.version });
  return stream((sink) => {
    sink.begin(headers);
    sink.end();
    return Promise.resolve();
  });
}

/** A stream: rows are computed now and sent while they are read. The result cache is neither read nor written. */
async function streamed(
  input: RunInput,
  body: Static<typeof RunBody> | undefined,
  format: StreamFormat,
): Promise<StreamReply> {
  const { found, context } = input;
  const { good, recorder, execute } = await begin(input, body, format);
  const { version } = good;
  const facts = { name: found.endpoint.name, endpoint_version: version.version };
  return stream(async (sink) => {
    const streamed = await execute((run) => streamByPath(context, { ...run, format, facts }, sink));
    recorder.streamed(good, streamed);
    context.executionTimes.record(found.endpoint.id, version.id, context.clock.nowMs());
  });
}

/** A run whose request passed all checks, and whose outcome is to be recorded. */
interface BegunRun {
  good: CheckedRun;
  recorder: RunRecorder;
  /** Does the work, which can be cancelled meanwhile. A failure is recorded; success is the caller's to record. */
  execute: <Result>(work: (run: CancellableRun) => Promise<Result>) => Promise<Result>;
}

type CancellableRun = CheckedRun & GoodRun & { isOfToken: boolean };

/** Checks a run. A refusal is recorded. @throws {AppError} as `checkRun` does */
async function begin(input: RunInput, body: Static<typeof RunBody> | undefined, format: RunFormat): Promise<BegunRun> {
  const { auth, context, signal } = input;
  const recorder = recordRun(input);
  const good = await noted(checkRun(input, body, format), (error) => recorder.refused(error));
  const run = {
    ...good,
    teamId: auth.project.id,
    organizationId: auth.project.organizationId,
    keyId: auth.caller.keyId,
    executionId: recorder.executionId,
    onPath: recorder.onPath,
    isOfToken: auth.runToken !== undefined,
  };
  const name = queryNameOf(auth, good.request.clientQueryId);
  return {
    good,
    recorder,
    execute: (work) =>
      noted(
        context.runningQueries.run(name, signal, (either) => work({ ...run, signal: either })),
        (error) => recorder.failed(good, error),
      ),
  };
}

/** The format of the parameter `format`; without it, the format that `Accept` prefers. */
function formatOf({ query: { format }, request }: RunInput): RunFormat {
  if (format !== undefined) return format as RunFormat;
  const types = ['application/json', 'text/csv', 'application/x-ndjson', 'image/svg+xml'];
  const type = preferredType(request.headers.accept, types);
  if (type === 'image/svg+xml') return 'svg';
  if (type === 'text/csv') return 'csv';
  return type === 'application/x-ndjson' ? 'ndjson' : 'json';
}

const isChart = (format: RunFormat): format is ChartFormat => chartFormats.some((chart) => chart === format);

const isStreamed = (format: RunFormat): format is StreamFormat => format === 'csv' || format === 'ndjson';

async function noted<Result>(work: Promise<Result>, onError: (error: unknown) => void): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    onError(error);
    throw error;
  }
}
