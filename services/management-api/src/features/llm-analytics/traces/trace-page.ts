import type { AppError } from '@millrace/http/errors/errors.ts';
import { plainLine } from '@millrace/http/plain-line.ts';
import type { Form } from '@millrace/http/requests/parse-body.ts';
import type { BytesReply } from '@millrace/http/replies/reply.ts';
import { html } from '../../../pages/html.ts';
import { page, pageBytes } from '../../../pages/page.ts';
import { refuseTooLarge } from '../text-repr/refuse-too-large.ts';
import { renderTrace } from '../text-repr/render-trace.ts';
import { buildTrace } from './build-trace.ts';
import type { StoredTrace } from './stored-event.ts';

/** Fields of the form, but for the key. */
interface AskedDates {
  date_from: string;
  date_to: string;
}

/** The page that asks for a key before it shows a trace. `error`: what was wrong with what was sent. Pure. */
export function askForKeyPage(error = '', { date_from, date_to }: AskedDates = usualDates): BytesReply {
  const alert = error === '' ? '' : html`<p class="wrong" role="alert">${error}</p>`;
  return page(
    'Trace',
    html`<p>Traces hold what people wrote. This one is shown to those who may read the project.</p>${alert}
<form method="post" autocomplete="off">
<label for="personal_api_key">Your personal API key, with the scope <code>llm_analytics:read</code></label>
<input id="personal_api_key" name="personal_api_key" type="password" required autocomplete="off">
<label for="date_from">From a date, or so long ago</label>
<input id="date_from" name="date_from" value="${date_from}" autocomplete="off">
<label for="date_to">To a date; empty: now</label>
<input id="date_to" name="date_to" value="${date_to}" autocomplete="off">
<button>Show the trace</button>
</form>
<p>The key opens this one page and is stored nowhere.</p>`,
  );
}

/** A trace is looked for so long before now, unless the reader writes another time. */
const usualDates: AskedDates = { date_from: '-90d', date_to: '' };
const dateLengthMax = 100;

/** The same, for an error: with the dates that were sent, and without the key. Pure. */
export function traceErrorPage(error: AppError, form: Form): BytesReply {
  const sent = (field: keyof AskedDates): string =>
    (form.get(field)?.at(-1) ?? usualDates[field]).slice(0, dateLengthMax);
  return askForKeyPage(error.code === 'not_authenticated' ? 'Enter a personal API key.' : error.message, {
    date_from: sent('date_from'),
    date_to: sent('date_to'),
  });
}

const titleLengthMax = 200;

/**
 * The page of a trace, for `pageOf`: its name, its time and its text, whose lines are numbered as in summaries (contract/llm-surveys 6.3).
 * Pure; everything that takes time of the processor.
 * @throws {AppError} request_too_large when its text would be too large
 */
export function tracePageBytes(traceId: string, stored: StoredTrace): Uint8Array<ArrayBuffer> {
  const { trace, hierarchy, name, eventsOmitted } = buildTrace(traceId, stored);
  const options = { includeLineNumbers: true, includeMarkers: false, truncated: false };
  const count = stored.events.length + stored.eventsOmitted;
  const [first, last] = [stored.events[0], stored.events.at(-1)].map((event) => shownTime(event?.timestamp ?? ''));
  return refuseTooLarge('trace', () => {
    const { text } = renderTrace(trace, hierarchy, options, eventsOmitted);
    return pageBytes(
      plainLine((name ?? '').slice(0, titleLengthMax)) || `Trace ${traceId}`,
      html`<p>Trace <code>${traceId}</code>, ${String(count)} events from ${first ?? ''} to ${last ?? ''} UTC.</p>
<pre class="text">${text}</pre>`,
      'wide',
    );
  });
}

/** `2026-01-31 12:00:00` of a stored timestamp. */
function shownTime(timestamp: string): string {
  return timestamp.slice(0, 19).replace('T', ' ');
}
