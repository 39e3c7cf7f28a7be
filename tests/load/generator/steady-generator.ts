// Sends events on a schedule that does not wait for replies, in a process of its own; one order in its life. An event that is
// refused goes out again under the same uuid, as an SDK's would.
import { carryOutOrders } from './carry-out-orders.ts';
import { renumber, uuidMark } from './payloads.ts';
import { type PreparedRequest, prepareRequest } from './prepared-request.ts';
import { requestsOf } from './schedule.ts';
import { sendOnSchedule } from './send-on-schedule.ts';
import type { SteadyOrder, SteadyResult } from './steady-order.ts';

carryOutOrders(carryOut);

async function carryOut(order: SteadyOrder): Promise<SteadyResult> {
  const templates = prepareAll(order);
  const bodyBytesMax = Math.max(...templates.map(({ body }) => body.bytes.length));
  const request = (index: number, buffer: Buffer): { head: Buffer; body: Buffer } => {
    const { head, body } = templates[index % templates.length] as PreparedRequest;
    const bytes = buffer.subarray(0, body.bytes.length);
    body.bytes.copy(bytes);
    renumber({ ...body, bytes }, index * order.eventsPerRequest);
    return { head, body: bytes };
  };
  return { ...(await sendOnSchedule({ port: order.port, schedule: order.schedule, bodyBytesMax, request })), uuidMark };
}

/** Twice as many events as there are distinct ids, so that the events of an id differ. */
function prepareAll(order: SteadyOrder): PreparedRequest[] {
  const count = Math.min(requestsOf(order.schedule), Math.ceil((2 * order.persons) / order.eventsPerRequest));
  return Array.from({ length: count }, (_, index) => prepareRequest(order, order, index * order.eventsPerRequest));
}
