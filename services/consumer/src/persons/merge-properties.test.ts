import { describe, expect, test } from '@jest/globals';
import { ClientProperties } from '../properties/client-properties.ts';
import { parseJson, type JsonObject } from '@millrace/json/exact-json.ts';
import { automaticProperties } from '../properties/automatic-properties.ts';
import { initialProperties, mergeProperties, sameJson } from './merge-properties.ts';
import type { PersonUpdate } from '../events/person-update.ts';

function update(parts: Partial<PersonUpdate> & { event?: JsonObject }): PersonUpdate {
  return {
    set: {},
    setOnce: {},
    unset: [],
    automatic: automaticProperties(propertiesOf(parts.event ?? {})),
    personEvent: false,
    ...parts,
  };
}

function propertiesOf(event: JsonObject): ClientProperties {
  return ClientProperties.read(Buffer.from(JSON.stringify(event))) as ClientProperties;
}

describe('mergeProperties', () => {
  test.each<[rule: string, current: JsonObject, update: PersonUpdate, expected: JsonObject, change: string]>([
    ['4.3: $set overwrites', { a: 1 }, update({ set: { a: 2 } }), { a: 2 }, 'write'],
    ['4.3: $set to null is a value', { a: 1 }, update({ set: { a: null } }), { a: null }, 'write'],
    ['4.3: $set_once only when absent', { a: 1 }, update({ setOnce: { a: 2, b: 3 } }), { a: 1, b: 3 }, 'write'],
    ['4.3: $set_once over null', { a: null }, update({ setOnce: { a: 2 } }), { a: 2 }, 'write'],
    [
      'decisions 2: null in $set_once says nothing',
      { a: 1 },
      update({ setOnce: { a: null, b: null } }),
      { a: 1 },
      'none',
    ],
    ['4.3: set_once, then set', {}, update({ setOnce: { a: 1 }, set: { a: 2 } }), { a: 2 }, 'write'],
    ['4.3: both set and unset ends unset', { a: 1 }, update({ set: { a: 2 }, unset: ['a', 'b'] }), {}, 'write'],
    [
      '4.3: no change, no write',
      { a: { x: [1] } },
      update({ set: { a: { x: [1] } }, unset: ['b'] }),
      { a: { x: [1] } },
      'none',
    ],
    [
      '4.3: key order is no change',
      { a: { x: 1, y: 2 } },
      update({ set: { a: { y: 2, x: 1 } } }),
      { a: { x: 1, y: 2 } },
      'none',
    ],
    [
      '4.3: noisy keys alone ride along',
      { $browser: 'a' },
      update({ set: { $browser: 'b' } }),
      { $browser: 'b' },
      'ride-along',
    ],
    ['4.3: most geo keys are noisy', {}, update({ set: { $geoip_latitude: 1 } }), { $geoip_latitude: 1 }, 'ride-along'],
    [
      '4.3: country and city names are not',
      {},
      update({ set: { $geoip_city_name: 'x' } }),
      { $geoip_city_name: 'x' },
      'write',
    ],
    [
      '4.3: a person event always writes',
      { $browser: 'a' },
      update({ set: { $browser: 'b' }, personEvent: true }),
      { $browser: 'b' },
      'write',
    ],
    [
      'a key called __proto__ is one like any other',
      {},
      update({ set: parseJson('{"__proto__":1}') as JsonObject }),
      parseJson('{"__proto__":1}') as JsonObject,
      'write',
    ],
    [
      '2.7: automatic properties, own and initial',
      {},
      update({ event: { $browser: 'f', utm_source: 's', other: 1 } }),
      {
        $initial_browser: 'f',
        $initial_utm_source: 's',
        $browser: 'f',
        utm_source: 's',
      },
      'ride-along',
    ],
    [
      'decisions 30: utm never causes a write',
      { utm_source: 'a' },
      update({ event: { utm_source: 'b' } }),
      { utm_source: 'b', $initial_utm_source: 'b' },
      'ride-along',
    ],
    [
      '2.7: the own $set wins over automatic',
      {},
      update({ event: { $browser: 'f' }, set: { $browser: 'x' }, setOnce: { $initial_browser: 'y' } }),
      {
        $browser: 'x',
        $initial_browser: 'y',
      },
      'write',
    ],
    [
      'decisions 2: a null initial does not shadow',
      {},
      update({ event: { $browser: 'f' }, setOnce: { $initial_browser: null } }),
      {
        $browser: 'f',
        $initial_browser: 'f',
      },
      'ride-along',
    ],
    [
      'decisions 2: plain names in $set_once do not shadow $set',
      { utm_source: 'old' },
      update({ event: { utm_source: 'new' }, setOnce: { utm_source: 'x' } }),
      {
        utm_source: 'new',
        $initial_utm_source: 'new',
      },
      'ride-along',
    ],
    [
      '2.7: the machine of a backend is nobody',
      {},
      update({ event: { $os: 'Linux', $os_version: '1', $is_server: true } }),
      {},
      'none',
    ],
    [
      '2.6: the name of a mobile system is that of the system',
      {},
      update({ event: { $os_name: 'iOS' } }),
      { $os_name: 'iOS', $initial_os_name: 'iOS', $os: 'iOS', $initial_os: 'iOS' },
      'ride-along',
    ],
    [
      '2.7: nor is its name',
      {},
      update({ event: { $os_name: 'Linux', $is_server: true } }),
      { $os_name: 'Linux', $initial_os_name: 'Linux' },
      'ride-along',
    ],
    [
      '2.6: unless it is named itself',
      {},
      update({ event: { $os: 'iPadOS', $os_name: 'iOS' } }),
      {
        $os_name: 'iOS',
        $initial_os_name: 'iOS',
        $os: 'iPadOS',
        $initial_os: 'iPadOS',
      },
      'ride-along',
    ],
    [
      '2.7: automatic nulls say nothing',
      { $browser: 'a' },
      update({ event: { $browser: null } }),
      { $browser: 'a' },
      'none',
    ],
    [
      '4.3: unset wins over automatic',
      { $browser: 'a' },
      update({ event: { $browser: 'b' }, unset: ['$browser'] }),
      { $initial_browser: 'b' },
      'write',
    ],
  ])('%s', (_rule, current, change, expected, verdict) => {
    const before = structuredClone(current);
    const merged = mergeProperties(current, change);
    expect({ ...merged.properties }).toEqual(expected);
    expect(merged.change).toBe(verdict);
    expect(current).toEqual(before);
  });

  test('applying the same update twice changes nothing (contract/capture 6.2, replay)', () => {
    const change = update({ set: { a: { b: 1 } }, setOnce: { c: 1 }, unset: ['d'], event: { $browser: 'f' } });
    const once = mergeProperties({ d: 1 }, change).properties;
    expect(mergeProperties(once, change)).toEqual({ properties: once, change: 'none' });
  });
});

test('these properties of an event describe its person, and no others (contract/capture 2.7)', () => {
  const names =
    `$app_build $app_name $app_namespace $app_version $browser $browser_version $device_type $current_url $pathname $os $os_name
    $os_version $referring_domain $referrer $screen_height $screen_width $viewport_height $viewport_width $raw_user_agent utm_source utm_medium
    utm_campaign utm_content utm_name utm_term gclid gad_source gclsrc dclid gbraid wbraid fbclid msclkid twclid li_fat_id mc_cid igshid ttclid
    rdt_cid irclid _kx epik qclid sccid`.split(/\s+/);
  const event = Object.fromEntries(
    [...names, '$lib', 'os', 'plan', '$initial_os', '$geoip_city_name'].map((name, index) => [name, index]),
  );
  expect(automaticProperties(propertiesOf(event))).toEqual(
    names.map((name, value) => ({ name, initialName: `$initial_${name.replace('$', '')}`, value })),
  );
  // A change of these alone is not worth a write, also when the client sets it itself.
  const own = names.filter((name) => name.startsWith('$'));
  for (const name of own)
    expect([name, mergeProperties({}, update({ set: { [name]: 1 } })).change]).toEqual([name, 'ride-along']);
});

test('a new person has set_once, set and who created it (contract/capture 4.3)', () => {
  expect({
    ...initialProperties(update({ set: { a: 1, $creator_event_uuid: 'forged' }, setOnce: { a: 0, b: 2 } }), 'the-uuid'),
  }).toEqual({ a: 1, b: 2, $creator_event_uuid: 'the-uuid' });
});

test.each([
  ['12345678901234567890', '12345678901234567891', false],
  ['[{"n":12345678901234567890}]', '[{"n":12345678901234567891}]', false],
  ['[{"n":12345678901234567890}]', '[{"n":12345678901234567890}]', true],
  ['{"a":1}', '[1]', false],
  ['{"0":1}', '[1]', false],
  ['null', '{}', false],
  ['{"a":null}', '{"b":null}', false],
])('sameJson(%s, %s) is %s', (left, right, same) => {
  expect(sameJson(parseJson(left), parseJson(right))).toBe(same);
});
