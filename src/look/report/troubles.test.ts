import { expect, test } from 'vitest';
import { buildRun } from '../../library/testing/build-records.ts';
import { readPieces, sampleInput, sampleView } from '../../../test/support/build-sample-run.ts';
import { markdown } from '../reporters/markdown.ts';
import { terminal } from '../reporters/terminal.ts';
import { troublesOf } from './troubles.ts';

const at = '2026-01-02T03:04:05.678Z';
const changes = {
  stops: [
    {
      reason: 'failures' as const,
      target: 'bot',
      message: 'bot failed 28 times in a row, and is not asked any more',
      failures: [{ code: 'connection-failed', message: '127.0.0.1:80: \u001b[2Jrefused', trials: 28 }],
    },
  ],
  accounts: [
    {
      account: 'http://bot',
      requests: 1324,
      refused: 264,
      waitedMs: 19_200,
      limits: [
        { at, limit: 50, reason: 'start' as const },
        { at, limit: 12, reason: 'rate-limited' as const },
      ],
    },
    { account: 'http://judge', requests: 10, refused: 0, waitedMs: 0, limits: [] },
  ],
  lateAnswers: 3,
};

test('a run without problems lists none', () => {
  expect(troublesOf(buildRun())).toEqual([]);
});

test('what servers do not take is said once, however many accounts have met it', () => {
  const notice = 'groq, m: no JSON schema; asked in the prompt';
  const account = { account: 'a', requests: 1, refused: 0, waitedMs: 0, limits: [], notices: [notice] };
  const troubles = troublesOf({ ...buildRun(), accounts: [account, { ...account, account: 'b' }] });
  expect(troubles).toEqual([
    {
      title: 'Adapted',
      about: [{ quoted: 'groq, m' }, ': no JSON schema; asked in the prompt'],
      details: [],
    },
  ]);
});

test('a terminal lists stopped targets with each kind of error once, accounts that refused calls, and late answers', async () => {
  const text = await readPieces(
    terminal.report(sampleInput([{ id: 'a' }], changes), sampleView({ width: 100 })),
  );
  expect(text).toContain(`
  Stopped bot failed 28 times in a row, and is not asked any more
          28 attempts: connection-failed, 127.0.0.1:80: ␛[2Jrefused
  Refused http://bot refused 264 of 1,324 requests; all of them waited 19.2 s together, with at most
          12 to 50 in flight
  Late    3 answers came after the time limit and did not count
`);
});

test('Markdown lists the same, with texts from outside as code', async () => {
  const text = await readPieces(markdown.report(sampleInput([{ id: 'a' }], changes), sampleView()));
  expect(text).toContain(`
- Stopped: \`bot failed 28 times in a row, and is not asked any more\`
  - 28 attempts: \`connection-failed\`, \`127.0.0.1:80: ␛[2Jrefused\`
- Refused: \`http://bot\` refused 264 of 1,324 requests; all of them waited 19.2 s together, with at most 12 to 50 in flight
- Late: 3 answers came after the time limit and did not count
`);
});

test('the price of answers that came too late is reported where it is known', () => {
  const [late] = troublesOf(buildRun({ lateAnswers: 2, lateCost: 0.25 }));
  expect(late?.about).toEqual(['2 answers came too late and did not count; they cost $0.25']);
});
