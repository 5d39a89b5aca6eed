import { expect, test } from 'vitest';
import { buildFailedTrial, buildTrial } from '../../../library/testing/build-records.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

const refused = (port = 80) => buildFailedTrial('connection-failed', `127.0.0.1:${port}: refused`);
const threw = () => buildFailedTrial('target-threw', 'no such intent');

/** Returns the breaker's reaction to each trial: the number of kinds when it opens, else undefined. */
function say(threshold: number, trials: readonly ReturnType<typeof buildTrial>[]) {
  const breaker = createCircuitBreaker({ most: threshold });
  return trials.map((trial) => breaker.add(trial));
}

test('the breaker opens at the threshold of failures in a row, once', () => {
  const said = say(3, [refused(), refused(), refused(), refused(), refused()]);
  expect(said.map((kinds) => kinds?.length)).toEqual([undefined, undefined, 1, undefined, undefined]);
});

test('an answer resets the count', () => {
  const said = say(3, [refused(), refused(), buildTrial('yes'), refused(), refused()]);
  expect(said.filter(Boolean)).toEqual([]);
});

test('failures that differ only in numbers are of one kind, with the message of the first and their count', () => {
  const timeout = buildFailedTrial('timeout', 'no answer within 50 ms');
  expect(say(4, [refused(8001), timeout, refused(8002), refused(8003)]).at(-1)).toEqual([
    { code: 'connection-failed', message: '127.0.0.1:8001: refused', trials: 3 },
    { code: 'timeout', message: 'no answer within 50 ms', trials: 1 },
  ]);
});

test('error statuses make separate kinds, other numbers do not', () => {
  const answered = (said: string) => buildFailedTrial('http-status', said);
  const trials = [
    answered('The server answered 500: {"id":"a1b2","at":412}'),
    answered('The server answered 404'),
    answered('The server answered 500: {"id":"c3","at":77}'),
    answered('The server answered 404'),
    answered('no answer from 10.0.0.1:404 within 450 ms'),
    answered('no answer from 10.0.0.1:505 within 451 ms'),
  ];
  expect(say(6, trials).at(-1)).toMatchObject([
    { message: 'The server answered 500: {"id":"a1b2","at":412}', trials: 2 },
    { message: 'The server answered 404', trials: 2 },
    { message: 'no answer from 10.0.0.1:404 within 450 ms', trials: 2 },
  ]);
});

test('only the first few kinds are reported', () => {
  const trials = Array.from({ length: 90 }, (_, index) =>
    buildFailedTrial('http-status', `HTTP ${500 + index}`),
  );
  expect(say(90, trials).at(-1)).toHaveLength(5);
});

test('failures that a question may have caused count only while nothing was ever answered', () => {
  expect(say(2, [threw(), threw()]).at(-1)).toHaveLength(1);
  expect(say(2, [buildTrial('yes'), threw(), threw(), threw()]).filter(Boolean)).toEqual([]);
  expect(say(2, [buildTrial('yes'), refused(), refused()]).at(-1)).toHaveLength(1);
});

test('recordings without an answer, missing metadata and cancelled trials do not count', () => {
  const codes = ['not-recorded', 'recorded-error', 'metadata-missing', 'cancelled'];
  expect(
    say(
      1,
      codes.map((code) => buildFailedTrial(code, 'x')),
    ).filter(Boolean),
  ).toEqual([]);
});

test('a simulated user that fails counts as well', () => {
  const spoilt = buildTrial(null, { spoilt: { kind: 'user-failed', reason: 'the model is down' } });
  expect(say(2, [spoilt, spoilt]).at(-1)).toEqual([
    { code: 'user-failed', message: 'the model is down', trials: 2 },
  ]);
});

test('a wrong key opens the breaker at once, and a key that worked after three refusals in a row', () => {
  const unauthorized = () => buildFailedTrial('unauthorized', 'The server answered 401');
  expect(say(20, [unauthorized()]).at(-1)).toHaveLength(1);
  expect(say(20, [buildTrial('yes'), unauthorized(), unauthorized()]).filter(Boolean)).toEqual([]);
  expect(say(20, [buildTrial('yes'), unauthorized(), unauthorized(), unauthorized()]).at(-1)).toHaveLength(1);
  expect(say(Infinity, [unauthorized(), unauthorized(), unauthorized()]).filter(Boolean)).toEqual([]);
});

test('fewer failures are enough for a target that never answered', () => {
  const breaker = createCircuitBreaker({ most: 5, mostAtFirst: 2 });
  expect([refused(), refused()].map((trial) => breaker.add(trial)?.length)).toEqual([undefined, 1]);
  const known = createCircuitBreaker({ most: 5, mostAtFirst: 2 });
  const trials = [buildTrial('yes'), refused(), refused(), refused(), refused(), refused()];
  expect(trials.map((trial) => known.add(trial)?.length).filter(Boolean)).toEqual([1]);
  expect(known.inARow()).toBe(5);
});
