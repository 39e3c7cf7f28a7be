import type { ArrivingBodies } from '@millrace/runtime/bodies/arriving-bodies.ts';
import { countEnded } from '@millrace/runtime/bodies/count-ended.ts';
import { Counter, Gauge, keepFormerNames, type Registry } from '@millrace/runtime/operations/metrics.ts';
import type { ChangeListener } from '@millrace/postgres/change-listener.ts';
import type { ProjectLimitsStore } from './limits/project-limits.ts';
import type { ProjectTokens } from './projects/project-tokens.ts';
import type { WarningGate } from './append/warning-gate.ts';
import type { CaptureCounters } from './counters.ts';

/** Parts that count for themselves. */
interface MeasuredParts {
  tokens: Pick<ProjectTokens, 'counts'>;
  limits: Pick<ProjectLimitsStore, 'count'>;
  changes: Pick<ChangeListener, 'connected'>;
  warningGate: Pick<WarningGate, 'suppressed'>;
  bodies: Pick<ArrivingBodies, 'counts' | 'ended'>;
}

/** Every metric of capture: name, kind and unit, and where its value comes from. */
export function registerCaptureMetrics(
  registry: Registry,
  counters: CaptureCounters,
  { tokens, limits, changes, warningGate, bodies }: MeasuredParts,
): void {
  const registers = [registry];
  const counter = (name: string, help: string, value: () => number): void => {
    new Counter({
      name,
      help,
      registers,
      collect() {
        set(this, value());
      },
    });
  };
  new Counter({
    name: 'millrace_capture_requests_total',
    help: 'Requests to event routes, by status of the reply (0: the client left)',
    labelNames: ['status'],
    registers,
    collect() {
      this.reset();
      for (const [status, count] of Object.entries(counters.replies)) this.inc({ status }, count);
    },
  });
  new Counter({
    name: 'millrace_capture_events_dropped_total',
    help: 'Events that were not stored, by reason',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(counters.eventsDropped)) if (count > 0) this.inc({ reason }, count);
    },
  });
  new Counter({
    name: 'millrace_capture_events_moved_total',
    help: 'Events that limits or restrictions moved to another lane',
    labelNames: ['lane'],
    registers,
    collect() {
      this.reset();
      for (const [lane, count] of Object.entries(counters.eventsMoved)) this.inc({ lane }, count);
    },
  });
  countEnded(registry, 'millrace_capture_bodies_ended_total', bodies);
  counter('millrace_capture_events_accepted_total', 'Events that the log has on disk', () => counters.eventsAccepted);
  counter('millrace_capture_body_bytes_total', 'Bytes of bodies as received', () => counters.bodyBytes);
  counter(
    'millrace_capture_unverified_requests_total',
    'Requests taken while their token could not be looked up',
    () => counters.unverifiedRequests,
  );
  counter(
    'millrace_capture_warnings_lost_total',
    'Requests whose ingestion warnings could not be stored',
    () => counters.warningsLost,
  );
  counter(
    'millrace_capture_warnings_suppressed_total',
    'Ingestion warnings that were not stored because the same warning was stored a moment before',
    () => warningGate.suppressed(),
  );
  counter('millrace_capture_token_look_ups_total', 'Lookups of project tokens', () => tokens.counts().lookups);
  counter(
    'millrace_capture_token_look_ups_failed_total',
    'Lookups of project tokens that failed',
    () => tokens.counts().failedLookups,
  );
  const gauge = (name: string, help: string, value: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  };
  gauge(
    'millrace_capture_bytes_in_flight',
    'Bytes of bodies in memory: those that arrive and those that wait for the log',
    () => counters.bytesInFlight,
  );
  gauge('millrace_capture_bodies_arriving', 'Bodies that have begun and not ended', () => bodies.counts().bodies);
  gauge('millrace_capture_bytes_arriving', 'Bytes of these in memory', () => bodies.counts().bytes);
  gauge('millrace_capture_projects_limited', 'Projects that have quotas or restrictions', () => limits.count());
  gauge(
    'millrace_capture_change_feed_connected',
    'Whether the change feed of projects is connected (1) or not (0)',
    () => Number(changes.connected()),
  );
  gauge('millrace_capture_tokens_cached', 'Project tokens in memory', () => tokens.counts().projects);
  keepFormerNames(registry, {
    millrace_capture_change_feed_connected: 'millrace_capture_changes_heard',
    millrace_capture_tokens_cached: 'millrace_capture_tokens_known',
  });
}

function set(counter: Counter, value: number): void {
  counter.reset();
  counter.inc(value);
}
