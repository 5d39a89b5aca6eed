import { expect, test } from 'vitest';
import { buildFailedTrial, buildTrial } from '../../testing/build-records.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

const refused = (port = 80) => buildFailedTrial('connection-failed', `127.0.0.1:${port}: refused`);
const threw = () => buildFailedTrial('target-threw', 'no such intent');

/** What the breaker says to each trial: the number of kinds when it opens, else nothing. */
function say(threshold: number, trials: readonly ReturnType<typeof buildTrial>[]) {
  const breaker = createCircuitBreaker({ most: threshold });
  return trials.map((trial) => breaker.add(trial));
}

test('it opens at so many failures in a row, once', () => {
  const said = say(3, [refused(), refused(), refused(), refused(), refused()]);
  expect(said.map((kinds) => kinds?.length)).toEqual([undefined, undefined, 1, undefined, undefined]);
});

test('an answer begins the count again', () => {
  const said = say(3, [refused(), refused(), buildTrial('yes'), refused(), refused()]);
  expect(said.filter(Boolean)).toEqual([]);
});

test('failures that differ in numbers alone are of one kind, told in the words of the first, with their count', () => {
  const timeout = buildFailedTrial('timeout', 'no answer within 50 ms');
  expect(say(4, [refused(8001), timeout, refused(8002), refused(8003)]).at(-1)).toEqual([
    { code: 'connection-failed', message: '127.0.0.1:8001: refused', trials: 3 },
    { code: 'timeout', message: 'no answer within 50 ms', trials: 1 },
  ]);
});

test('statuses of errors make kinds of their own, other numbers do not', () => {
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

test('no more than the first few kinds are told', () => {
  const trials = Array.from({ length: 90 }, (_, index) =>
    buildFailedTrial('http-status', `HTTP ${500 + index}`),
  );
  expect(say(90, trials).at(-1)).toHaveLength(5);
});

test('what a question may have brought about itself counts only while nothing was ever answered', () => {
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

test('nobody to play the user is as good a reason', () => {
  const spoilt = buildTrial(null, { spoilt: { kind: 'user-failed', reason: 'the model is down' } });
  expect(say(2, [spoilt, spoilt]).at(-1)).toEqual([
    { code: 'user-failed', message: 'the model is down', trials: 2 },
  ]);
});

test('a wrong key is told at once, and one that was right after three refusals in a row', () => {
  const unauthorized = () => buildFailedTrial('unauthorized', 'The server answered 401');
  expect(say(20, [unauthorized()]).at(-1)).toHaveLength(1);
  expect(say(20, [buildTrial('yes'), unauthorized(), unauthorized()]).filter(Boolean)).toEqual([]);
  expect(say(20, [buildTrial('yes'), unauthorized(), unauthorized(), unauthorized()]).at(-1)).toHaveLength(1);
  expect(say(Infinity, [unauthorized(), unauthorized(), unauthorized()]).filter(Boolean)).toEqual([]);
});

test('of a target that never answered fewer failures are enough', () => {
  const breaker = createCircuitBreaker({ most: 5, mostAtFirst: 2 });
  expect([refused(), refused()].map((trial) => breaker.add(trial)?.length)).toEqual([undefined, 1]);
  const known = createCircuitBreaker({ most: 5, mostAtFirst: 2 });
  const trials = [buildTrial('yes'), refused(), refused(), refused(), refused(), refused()];
  expect(trials.map((trial) => known.add(trial)?.length).filter(Boolean)).toEqual([1]);
  expect(known.inARow()).toBe(5);
});
