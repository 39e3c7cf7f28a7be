import { Counter, type Registry } from '@millrace/runtime/operations/metrics.ts';
import type { Channel } from './delivery.ts';
import type { AttemptEnd } from './sending/end-attempt.ts';

/** Metrics of the alerts that this process sends. Returns what is called after each attempt. */
export function observeAlerts(registry: Registry): (channel: Channel, end: AttemptEnd) => void {
  const attempts = new Counter({
    name: 'millrace_api_alert_attempts_total',
    help: 'Attempts of this process to send an alert of error tracking, by channel (webhook, mail) and outcome: delivered, retried (another follows) or failed (none follows)',
    labelNames: ['channel', 'outcome'] as const,
    registers: [registry],
  });
  return (channel, outcome) => attempts.inc({ channel, outcome });
}
