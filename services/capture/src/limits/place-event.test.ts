import { describe, expect, test } from '@jest/globals';
import { homeLane, unrestricted, placeEvent, type RateState, type RestrictionResult } from './place-event.ts';

describe('where an event goes (contract/capture 1.11, 3.1, 3.4)', () => {
  test.each([
    ['click', false, 'main'],
    ['click', true, 'historical'],
    ['$exception', false, 'exceptions'],
    ['$exception', true, 'exceptions'],
  ])('%s, historical %s: %s', (event, historical, lane) => {
    expect(homeLane(event, historical)).toBe(lane);
  });

  const all: RestrictionResult = { deadLetter: true, overflow: true, personless: true };
  const overflow = { ...unrestricted, overflow: true };
  const deadLetter = { ...unrestricted, deadLetter: true };
  const personless = { ...unrestricted, personless: true };
  type Home = 'main' | 'historical' | 'exceptions';
  test.each<[string, Home, RestrictionResult, RateState, string]>([
    ['nothing special', 'main', unrestricted, 'normal', 'main keyed'],
    ['persons skipped', 'main', personless, 'normal', 'main keyed personless'],
    ['hot: its own partition of overflow', 'main', unrestricted, 'hot', 'overflow keyed'],
    ['hot, persons skipped', 'main', personless, 'hot', 'overflow keyed personless'],
    ['beyond the share of its project: like in main, later', 'main', unrestricted, 'crowded', 'overflow keyed'],
    ['the past has no share to go beyond', 'historical', unrestricted, 'crowded', 'historical keyed'],
    ['very hot: spread, without persons', 'main', unrestricted, 'very hot', 'overflow spread personless'],
    ['forced: spread, without persons', 'main', overflow, 'normal', 'overflow spread personless'],
    ['dead letters win over all', 'main', all, 'very hot', 'dead-letter keyed personless'],
    ['dead letters, also of the past', 'historical', deadLetter, 'normal', 'dead-letter keyed'],
    ['the past never flows over', 'historical', overflow, 'very hot', 'historical keyed'],
    ['the past can skip persons', 'historical', personless, 'normal', 'historical keyed personless'],
    ['exceptions do not flow over', 'exceptions', overflow, 'hot', 'exceptions keyed'],
  ])('%s', (_name, home, restrictions, rateState, wanted) => {
    const { lane, keyed, personless: without } = placeEvent(home, restrictions, rateState, true);
    expect([lane, keyed ? 'keyed' : 'spread', without ? 'personless' : ''].join(' ').trim()).toBe(wanted);
  });

  test('a hot id is spread where operators prefer that to order', () => {
    expect(placeEvent('main', unrestricted, 'hot', false)).toEqual({
      lane: 'overflow',
      home: 'main',
      keyed: false,
      personless: false,
    });
  });
});
