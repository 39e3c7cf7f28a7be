import type { Route } from '@millrace/http/define-route.ts';
import type { Context } from '../context.ts';
import { listAlertDeliveries } from './list-alert-deliveries.ts';
import { retrieveAlertSettings } from './retrieve-alert-settings.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { sendTestAlert } from './send-test-alert.ts';
import { updateAlertSettings } from './update-alert-settings.ts';

/** In the order of the reference. */
export const alertRoutes: readonly Route<Context>[] = [
  retrieveAlertSettings,
  updateAlertSettings,
  rotateWebhookSecret,
  sendTestAlert,
  listAlertDeliveries,
];
