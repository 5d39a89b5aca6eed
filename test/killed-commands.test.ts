import { cp, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { addProposals, storeDecision } from '../src/stores/proposals/proposal-records.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { type Ended, temporaryFolder, touchstone } from './run-cli.ts';
import { isReleaseTested } from './support/is-release-tested.ts';
import { judgedRun, labelRun, rightJudge } from './support/labelled-run.ts';
import { pictures } from './support/pictures.ts';
import { buildDecision, buildProposal } from './support/store-contract/proposals-contract.ts';

const preload = new URL('support/die-at.mjs', import.meta.url).href;

/** A command whose process is killed, in a folder that is prepared once. */
interface Killed {
  readonly args: readonly string[];
  prepare(cwd: string): Promise<void>;
  /** Returns the result of the command, which is the same as in a process that nothing happened to. */
  outcome(cwd: string): Promise<unknown>;
}

const storeIn = (cwd: string) => openSqliteStore(path.join(cwd, '.touchstone', 'touchstone.db'));

async function prepareLabels(cwd: string): Promise<void> {
  const store = storeIn(cwd);
  await judgedRun(store, cwd, rightJudge);
  await labelRun(store);
  await store.close();
}

const commands: Record<string, Killed> = {
  'labels import': {
    args: ['labels', 'import', 'labels.jsonl'],
    prepare: async (cwd) => {
      const from = path.join(cwd, 'from');
      await mkdir(from);
      await prepareLabels(from);
      await touchstone(['labels', 'export', '../labels.jsonl'], { cwd: from });
    },
    outcome: async (cwd) => (await touchstone(['labels', 'export', '-'], { cwd })).stdout,
  },
  calibrate: {
    args: ['calibrate', '--rubric', 'helps', '--output', 'certificate.json'],
    prepare: prepareLabels,
    outcome: async (cwd) => {
      const certificate = JSON.parse(await readFile(path.join(cwd, 'certificate.json'), 'utf8'));
      // The moment at which it was made is another, and with it the id.
      const { id: _of, madeAt: _then, validUntil: _until, ...rest } = certificate;
      return rest;
    },
  },
  'proposals export': {
    args: ['proposals', 'export', 'golden.jsonl'],
    prepare: async (cwd) => {
      const store = storeIn(cwd);
      const ids = ['a', 'b', 'c'];
      await addProposals(
        store.documents,
        ids.map((id) => buildProposal(id, { case: { input: `When is ${id}?`, tags: [], metadata: {} } })),
      );
      for (const id of ids) await storeDecision(store.documents, buildDecision(id), { isOwnAllowed: false });
      await store.close();
    },
    outcome: async (cwd) => await readFile(path.join(cwd, 'golden.jsonl'), 'utf8'),
  },
};

async function dieAt(moment: number, args: readonly string[], cwd: string): Promise<Ended> {
  const env = { NODE_OPTIONS: `--import=${preload}`, TOUCHSTONE_TEST_DIE_AT: `${moment}` };
  return await touchstone(args, { cwd, env });
}

/** Makes everything in a folder as old as if it had been left there two hours ago. */
async function makeOld(folder: string): Promise<void> {
  const before = new Date(Date.now() - 7_200_000);
  for (const name of await readdir(folder, { recursive: true }))
    await utimes(path.join(folder, name), before, before);
}

for (const [name, { args, prepare, outcome }] of Object.entries(commands)) {
  test.skipIf(!isReleaseTested)(
    `${name}, killed at every moment at which something lasting is made, does the same when it is called again (needs TOUCHSTONE_TEST_ALL=1)`,
    async () => {
      const prepared = await temporaryFolder();
      await prepare(prepared);
      const copy = async () => {
        const cwd = await temporaryFolder();
        await cp(prepared, cwd, { recursive: true });
        return cwd;
      };
      const whole = await copy();
      expect(await touchstone(args, { cwd: whole })).toMatchObject({ code: 0 });
      const expected = await outcome(whole);
      let moment = 0;
      for (;;) {
        const cwd = await copy();
        moment += 1;
        const { code } = await dieAt(moment, args, cwd);
        if (code !== null) break;
        expect([moment, await touchstone(args, { cwd })]).toMatchObject([moment, { code: 0 }]);
        expect([moment, await outcome(cwd)]).toEqual([moment, expected]);
        await makeOld(cwd);
        const cleaned = await touchstone(['check', '--clean', '--json'], { cwd });
        expect([moment, JSON.parse(cleaned.stdout)]).toMatchObject([
          moment,
          { isWhole: true, isCleaned: true },
        ]);
        const left = (await readdir(cwd, { recursive: true })).filter((file) => file.endsWith('.part'));
        expect([moment, left]).toEqual([moment, []]);
      }
      expect(moment).toBeGreaterThan(2);
    },
  );
}

test.skipIf(!isReleaseTested)(
  'a picture that was written by a process which died before a run named it is found, and removed (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const content = [{ type: 'image', image: 'dent.png' }];
    const files = {
      'dent.png': pictures.png,
      'cases.jsonl': JSON.stringify({
        id: 'dent',
        input: [{ role: 'user', content }],
        expected_answer: 'the door',
      }),
      'bot.mjs': `export default () => 'the door';`,
      'touchstone.config.yaml':
        'dataset: cases.jsonl\ntargets: [{ use: module, path: ./bot.mjs }]\nmetrics: [answer-match]\n',
    };
    const unused: number[] = [];
    for (let moment = 1; ; moment += 1) {
      const cwd = await temporaryFolder();
      for (const [name, text] of Object.entries(files)) await writeFile(path.join(cwd, name), text);
      if ((await dieAt(moment, ['run'], cwd)).code !== null) break;
      const found = JSON.parse((await touchstone(['check', '--clean', '--json'], { cwd })).stdout);
      unused.push(found.leftovers.unused.length);
      const after = JSON.parse((await touchstone(['check', '--json'], { cwd })).stdout);
      expect([moment, after]).toMatchObject([moment, { isWhole: true, leftovers: { unused: [] } }]);
    }
    expect(unused).toContain(1);
  },
);
