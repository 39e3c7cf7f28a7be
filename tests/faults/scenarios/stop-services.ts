import { bothLogs, type Scenario } from '../stage/scenario.ts';

const stopMsMax = 10_000;
const betweenMs = 1_000;
/** How clients call a connection that broke under their request. */
const broken = ['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE'];

export const stopServices: Scenario = {
  name: 'stop-services',
  number: 3,
  does: 'SIGTERM to capture, consumer and management API in turn: each ends with code 0 within 10 s',
  logs: bothLogs,
  async run({ rig: { capture, consumer, api }, rounds, pause, faulted, ledger, wrong, note }) {
    await rounds({ short: 1, long: 6 }, async () => {
      for (const service of [capture, consumer, api]) {
        const { code, tookMs } = await service.stop('SIGTERM');
        if (code !== 0) wrong(`${service.name} ended with code ${code} after SIGTERM`);
        if (tookMs > stopMsMax) wrong(`${service.name} took ${Math.round(tookMs)} ms to end`);
        await service.start();
        faulted();
        await pause(betweenMs);
      }
    });
    const cutOff = broken.reduce((sum, name) => sum + (ledger.responses.get(name) ?? 0), 0);
    // A client may use an idle connection in the moment when it is closed: the request was not answered, and is sent again.
    if (cutOff > 0) note(`${cutOff} events were in requests on connections that were just closed`);
  },
};
