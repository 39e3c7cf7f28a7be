import { randomUUID } from 'node:crypto';

/** A client that sends one event after another, and each until it is acknowledged. */
export interface SteadyLoad {
  /** Uuids of the events that were answered with 200. */
  acknowledged(): readonly string[];
  /** Sends no more, and answers when all that was sent is acknowledged. @throws when that takes longer than 30 s. */
  finish(): Promise<readonly string[]>;
  /** Sends and tries no more; answers with what is acknowledged. */
  giveUp(): readonly string[];
}

interface Options {
  captureUrl: string;
  token: string;
  event: string;
  perSecond: number;
  /** How soon an event that was not acknowledged is sent again. Default 100 ms. */
  retryMs?: number;
}

const peopleCount = 20;
const replyMsMax = 3_000;
const finishMsMax = 30_000;

/** Sends events of 20 people, half of them with person properties; like an SDK, a retry carries the same uuid. */
export function startSteadyLoad({ captureUrl, token, event, perSecond, retryMs = 100 }: Options): SteadyLoad {
  const acknowledged: string[] = [];
  const underWay = new Set<Promise<void>>();
  let number = 0;
  let deadline = Infinity;

  async function deliver(body: string, uuid: string): Promise<void> {
    for (let last: unknown = undefined; ;) {
      if (Date.now() > deadline) throw new Error(`event ${uuid} was never acknowledged: ${String(last)}`);
      try {
        const reply = await fetch(`${captureUrl}/i/v0/e/`, {
          method: 'POST',
          body,
          signal: AbortSignal.timeout(replyMsMax),
        });
        await reply.arrayBuffer();
        if (reply.status === 200) return void acknowledged.push(uuid);
        last = reply.status;
      } catch (error) {
        last = error;
      }
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }

  function send(): void {
    const uuid = randomUUID();
    number += 1;
    const person = number % peopleCount;
    const properties = {
      number,
      ...(person % 2 === 0 ? { $set: { last: number } } : { $process_person_profile: false }),
    };
    const body = JSON.stringify({
      api_key: token,
      event,
      uuid,
      distinct_id: `person ${person}`,
      timestamp: new Date().toISOString(),
      properties,
    });
    const delivery = deliver(body, uuid).then(() => void underWay.delete(delivery));
    delivery.catch(() => undefined);
    underWay.add(delivery);
  }

  const sending = setInterval(send, 1_000 / perSecond);
  return {
    acknowledged: () => acknowledged,
    async finish() {
      clearInterval(sending);
      deadline = Date.now() + finishMsMax;
      await Promise.all(underWay);
      return acknowledged;
    },
    giveUp() {
      clearInterval(sending);
      deadline = 0;
      return acknowledged;
    },
  };
}
