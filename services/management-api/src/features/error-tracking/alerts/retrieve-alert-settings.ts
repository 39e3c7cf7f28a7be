import { projectRoute } from '../context.ts';
import { AlertSettings, alertsPath, showSettings } from './alert-settings.ts';

export const retrieveAlertSettings = projectRoute({
  operationId: 'retrieve_error_tracking_alert_settings',
  method: 'get',
  path: alertsPath,
  access: { scope: 'error_tracking:read' },
  tag: 'Error tracking',
  summary: 'Show how a project is alerted to new and regressed issues',
  responses: { 200: AlertSettings },
  async handler({ auth, context }) {
    const where = { projectId: auth.project.id };
    return await showSettings(context, auth, await context.prisma.errorTrackingAlertSettings.findUnique({ where }));
  },
});
