/**
 * True where the tests of a release run too: in CI, and by `npm run test:release`. They are the few in a hundred that take half of
 * the time: they kill processes at random, walk through every page, try texts and files of every size, or wait for other processes.
 */
export const isReleaseTested = process.env['TOUCHSTONE_TEST_ALL'] === '1';
