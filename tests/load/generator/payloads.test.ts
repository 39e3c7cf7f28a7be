import { describe, expect, test } from '@jest/globals';
import { eventBatch, eventBytes, renumber, singleEvent } from './payloads.ts';

const options = { token: 'phc_token', persons: 10 };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;

interface Sent {
  uuid: string;
  api_key?: string;
  batch: { uuid: string; distinct_id: string }[];
}
interface MixedEvent {
  properties: { $process_person_profile: boolean; $set?: { last_order: string } };
}
const sent = (bytes: Buffer): Sent => JSON.parse(bytes.toString()) as Sent;

describe('the bench sends what SDKs send', () => {
  test('single events are valid JSON of exactly the promised size', () => {
    for (let index = 0; index < 50; index++) {
      const { bytes } = singleEvent(options, index);
      expect([index, bytes.length]).toEqual([index, eventBytes]);
      expect(sent(bytes)).toMatchObject({ api_key: 'phc_token', uuid: expect.stringMatching(uuid) });
    }
  });

  test('the events of a batch have the size of single ones', () => {
    const { batch } = sent(eventBatch(options, 0, 100).bytes);
    expect(batch).toHaveLength(100);
    for (const event of batch) expect(Buffer.byteLength(JSON.stringify(event))).toBe(eventBytes);
    expect(new Set(batch.map(({ distinct_id }) => distinct_id)).size).toBe(10);
  });

  test('mixed: a fifth of the events is of persons, a twentieth changes them, and the change is another each time', () => {
    const template = eventBatch({ ...options, persons: 100, profiles: 'mixed' }, 0, 100);
    const read = (): MixedEvent[] => (JSON.parse(template.bytes.toString()) as { batch: MixedEvent[] }).batch;
    const [first, second] = [renumber(template, 0), read(), renumber(template, 100), read()].filter(
      (value) => typeof value === 'object',
    ) as [MixedEvent[], MixedEvent[]];
    expect(first.filter(({ properties }) => properties.$process_person_profile)).toHaveLength(20);
    expect(first.filter(({ properties }) => properties.$process_person_profile === false)).toHaveLength(80);
    const changes = [...first, ...second].flatMap(({ properties }) => properties.$set?.last_order ?? []);
    expect([changes.length, new Set(changes).size]).toEqual([10, 10]);
    for (const event of first) expect(Buffer.byteLength(JSON.stringify(event))).toBe(eventBytes);
  });

  test('an event is made when it is sent, so that none looks like one from before', () => {
    const template = eventBatch(options, 0, 2);
    const before = new Date().toISOString();
    template.bytes.fill('0', template.timesAt[0], (template.timesAt[0] ?? 0) + 24);
    renumber(template, 0);
    const { batch, sent_at } = JSON.parse(template.bytes.toString()) as {
      batch: { timestamp: string }[];
      sent_at: string;
    };
    expect(batch.map(({ timestamp }) => timestamp)).toEqual([sent_at, sent_at]);
    expect(sent_at >= before).toBe(true);
  });

  test('no two events have one uuid, also when a template is sent again', () => {
    const template = eventBatch(options, 0, 100);
    const seen = new Set<string>();
    let next = 0;
    for (let round = 0; round < 3; round++) {
      next = renumber(template, next);
      for (const event of sent(template.bytes).batch) {
        expect(event.uuid).toMatch(uuid);
        seen.add(event.uuid);
      }
    }
    expect([next, seen.size]).toEqual([300, 300]);
  });
});
