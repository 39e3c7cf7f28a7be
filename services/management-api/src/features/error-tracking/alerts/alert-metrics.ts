import { Counter, Gauge, type Registry } from '@millrace/runtime/operations/metrics.ts';
import type { Channel } from './delivery.ts';
import type { WaitingAlerts } from './sending/count-waiting.ts';
import type { AttemptEnd } from './sending/end-attempt.ts';

/** Shown in metrics. */
export interface AlertObserver {
  /** Called after each attempt. */
  onAttempt: (channel: Channel, end: AttemptEnd) => void;
  onWaiting: (channel: Channel, waiting: WaitingAlerts) => void;
}

/** Metrics of the alerts that this process sends, and of those that wait for any. */
export function observeAlerts(registry: Registry): AlertObserver {
  const registers = [registry];
  const attempts = new Counter({
    name: 'millrace_api_alert_attempts_total',
    help: 'Attempts of this process to send an alert of error tracking, by channel (webhook, mail) and outcome: delivered, retried (another follows) or failed (none follows)',
    labelNames: ['channel', 'outcome'] as const,
    registers,
  });
  const count = new Gauge({
    name: 'millrace_api_alerts_waiting',
    help: 'Alerts of error tracking of all projects that wait to be sent, or sent again, by channel, as this process counted them last',
    labelNames: ['channel'] as const,
    registers,
  });
  const oldestSeconds = new Gauge({
    name: 'millrace_api_alerts_waiting_oldest_seconds',
    help: 'Seconds since the oldest of them was made',
    labelNames: ['channel'] as const,
    registers,
  });
  return {
    onAttempt: (channel, outcome) => attempts.inc({ channel, outcome }),
    onWaiting(channel, waiting) {
      count.set({ channel }, waiting.count);
      oldestSeconds.set({ channel }, waiting.oldestSeconds);
    },
  };
}
