import { execFileSync } from 'node:child_process';
import { appendFile, chmod, mkdir, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Config } from '../../config/config.ts';
import { run } from '../runs/run.ts';
import { initReferee } from './init.ts';
import { look } from './look.ts';
import { openHeldOutSet, refillReferee } from './refill.ts';
import { openReferee } from './referee.ts';
import { adoptConfirmed, refereeStatus } from './status.ts';

const subjects = 'rent lease tax loan bail will deed fine claim court'.split(' ');
const aspects = 'deadline amount form office appeal witness copy proof fee notice'.split(' ');

/** Returns questions with one word each that no other has, so that no two ask the same. */
function questionsOf(prefix: string, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const id = `${prefix}${index}`;
    const about = `${subjects[index % 10]} ${aspects[Math.floor(index / 10) % 10]}`;
    return { id, question: `${prefix} ${id} ${about} ${id}x?`, expected: { answer: `${id} is right` } };
  });
}

const toLines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** A bot whose answers are a function of the question, and the questions that it was asked. */
type Bot = (question: string) => string;

interface Made {
  readonly folder: string;
  readonly heldOut: string;
  /** The config with versions of the bot, by name. */
  configOf(bots: Readonly<Record<string, Bot>>, changes?: Partial<Config>): Config;
}

async function makeProject(heldOutQuestions = 60, looks = 20): Promise<Made> {
  const root = await mkdtemp(path.join(tmpdir(), 'touchstone-referee-'));
  const folder = path.join(root, 'project');
  await mkdir(folder);
  await writeFile(path.join(folder, 'golden.jsonl'), toLines(questionsOf('work', 40)));
  await writeFile(path.join(root, 'fresh.jsonl'), toLines(questionsOf('held', heldOutQuestions)));
  return {
    folder,
    heldOut: path.join(root, 'held-out'),
    configOf: (bots, changes = {}) => ({
      dataset: 'golden.jsonl',
      scorecard: { use: 'weighted', criteria: [{ metric: 'equals', weight: 1, required: true }] },
      metrics: ['equals'],
      targets: Object.entries(bots).map(([name, bot]) => ({
        use: 'module',
        name,
        version: name,
        function: bot,
      })),
      referee: { heldOut: '../held-out', looks },
      ...changes,
    }),
  };
}

const idIn = (question: string) => question.split(' ')[1] ?? '';
const numberIn = (question: string) => Number(/\d+/.exec(idIn(question))?.[0]);
/** A bot that is right about a share of the questions. */
const rightOn =
  (isRight: (number: number) => boolean): Bot =>
  (question) =>
    isRight(numberIn(question)) ? `${idIn(question)} is right` : 'no idea';

const weak = rightOn((number) => number % 2 === 0);
const strong = rightOn((number) => number % 10 !== 9);

async function begun(made: Made, bots: Readonly<Record<string, Bot>> = { v1: weak }) {
  const config = made.configOf(bots);
  return await initReferee({ config, folder: made.folder, questions: '../fresh.jsonl' });
}

test('a version that wins 24 of 60 questions is confirmed and becomes the incumbent; the same version is not counted again', async () => {
  const made = await makeProject();
  const report = await begun(made);
  expect(report).toMatchObject({ set: { questions: 60, isBinary: true }, isOpen: false });
  expect(report.level).toBeCloseTo(0.00125, 12);
  const config = made.configOf({ v1: weak, v2: strong });
  await run(config, { folder: made.folder });
  const first = await look({ config, folder: made.folder });
  expect(first).toMatchObject({
    answer: 'confirmed',
    look: 1,
    surprises: { seen: 1, most: 3 },
    isAdopted: true,
    isRepeated: false,
    workingSet: { questions: 40, before: 0.5, after: 0.9, broken: 0 },
  });
  const again = await look({ config, folder: made.folder, candidate: 'v2' });
  expect(again).toMatchObject({ answer: 'confirmed', look: 1, isRepeated: true });
  expect(await refereeStatus({ config, folder: made.folder })).toMatchObject({
    looksLeft: 19,
    incumbent: { label: 'v2' },
    next: { fewestWins: 14 },
  });
});

test('nine wins of sixty are no evidence, and say how large a gain would have been seen', async () => {
  const made = await makeProject();
  await begun(made);
  const nine = rightOn((number) => number % 2 === 0 || number < 18);
  const config = made.configOf({ v1: weak, v2: nine });
  const answer = await look({ config, folder: made.folder });
  expect(answer).toMatchObject({ answer: 'not-confirmed', surprises: { seen: 0 }, isAdopted: false });
  expect(answer.gain.gain).toBeCloseTo(0.2555, 3);
  const ten = made.configOf({ v1: weak, v3: rightOn((number) => number % 2 === 0 || number < 20) });
  expect(await look({ config: ten, folder: made.folder })).toMatchObject({ answer: 'confirmed', look: 2 });
});

test('no loss over a margin is shown by few losses; a margin that cannot be shown is refused and not counted', async () => {
  const made = await makeProject();
  await begun(made);
  const config = made.configOf({ v1: weak, v2: rightOn((number) => number % 2 === 0) });
  const folder = made.folder;
  await expect(look({ config, folder, margin: 0.1 })).rejects.toMatchObject({
    code: 'look-refused',
    message: 'At 60 held-out questions a margin under 10.5 points cannot be shown. The look was not counted.',
  });
  expect(await look({ config, folder, margin: 0.11 })).toMatchObject({
    answer: 'shown',
    surprises: { seen: 0 },
  });
  const worse = made.configOf({ v1: weak, v3: rightOn((number) => number % 4 === 0) });
  expect(await look({ config: worse, folder, margin: 0.11 })).toMatchObject({
    answer: 'not-shown',
    surprises: { seen: 1 },
  });
});

test('nine held-out questions can confirm nothing: the look is refused', async () => {
  const made = await makeProject(9);
  await begun(made);
  const config = made.configOf({ v1: weak, v2: strong });
  await expect(look({ config, folder: made.folder })).rejects.toThrow(
    'At 9 held-out questions 10 wins in 10 are needed.',
  );
  expect(await refereeStatus({ config, folder: made.folder })).toMatchObject({ looksLeft: 20 });
});

test('a bot that dies half-way has answered wrongly, in silence', async () => {
  const made = await makeProject();
  await begun(made);
  let calls = 0;
  const dying: Bot = (question) => {
    calls += 1;
    if (calls > 30) throw new Error(`cannot go on with ${question}`);
    return strong(question);
  };
  const config = made.configOf({ v1: weak, v2: dying }, { maxRetries: 0, concurrency: 1 });
  expect(await look({ config, folder: made.folder })).toMatchObject({ answer: 'not-confirmed' });
});

test('a bot that does not answer a question of the working set costs no look', async () => {
  const made = await makeProject();
  await begun(made);
  const dead: Bot = () => {
    throw new Error('out of order');
  };
  const config = made.configOf({ v1: weak, v2: dead }, { maxRetries: 0 });
  await expect(look({ config, folder: made.folder })).rejects.toMatchObject({
    code: 'target-unreachable',
    message: expect.stringMatching(/^v2 did not answer a question of the working set: .*out of order/),
  });
  expect(await refereeStatus({ config, folder: made.folder })).toMatchObject({ looksLeft: 20 });
});

test('a stopped look stays open, goes on for this version alone and asks nothing twice; giving it up costs it', async () => {
  const made = await makeProject();
  await begun(made);
  const asked: string[] = [];
  const stop = new AbortController();
  const counting: Bot = (question) => {
    asked.push(question);
    // The first call is the question of the working set.
    if (asked.length === 20) stop.abort();
    return strong(question);
  };
  const config = made.configOf({ v1: weak, v2: counting, v3: strong }, { concurrency: 2 });
  const folder = made.folder;
  const signals = { stop: stop.signal, abort: new AbortController().signal };
  expect(await look({ config, folder, candidate: 'v2', signals })).toMatchObject({
    answer: 'open',
    open: 'stopped',
  });
  await expect(look({ config, folder, candidate: 'v3' })).rejects.toThrow(
    'Look 1, at v2, has no answer yet.',
  );
  expect(await look({ config, folder, candidate: 'v2' })).toMatchObject({ answer: 'confirmed', look: 1 });
  const heldOut = asked.filter((question) => question.startsWith('held'));
  expect(heldOut).toHaveLength(60);
  expect(new Set(heldOut)).toHaveLength(60);

  const other = new AbortController();
  other.abort();
  const stopped = { stop: other.signal, abort: other.signal };
  expect(await look({ config, folder, candidate: 'v1', signals: stopped })).toMatchObject({ answer: 'open' });
  expect(await look({ config, folder, withdraws: true })).toMatchObject({ answer: 'withdrawn', look: 2 });
  expect(await refereeStatus({ config, folder })).toMatchObject({ looksLeft: 18, surprises: { seen: 1 } });
});

test('a ledger that was cut, changed or replaced is found out', async () => {
  const made = await makeProject();
  await begun(made);
  const config = made.configOf({ v1: weak, v2: rightOn((number) => number % 2 === 1) });
  const folder = made.folder;
  await look({ config, folder });
  const file = path.join(made.heldOut, 'referee.db');
  const change = (...statements: string[]) => {
    using database = new DatabaseSync(file);
    for (const each of statements) database.exec(each);
  };
  expect(() => change('DELETE FROM referee_ledger WHERE number = 4')).toThrow('never removed');
  change('DROP TRIGGER referee_ledger_is_not_cut', 'DELETE FROM referee_ledger WHERE number > 2');
  await expect(refereeStatus({ config, folder })).rejects.toMatchObject({
    code: 'referee-ledger',
    message: 'The ledger of the referee is not whole: the ledger ends at look 0, this workspace saw 1.',
  });
  expect(() =>
    change('UPDATE referee_ledger SET entry = replace(entry, \'"looks":20\', \'"looks":99\')'),
  ).toThrow();
  change(
    'DROP TRIGGER referee_ledger_is_not_changed',
    'UPDATE referee_ledger SET entry = replace(entry, \'"looks":20\', \'"looks":99\')',
  );
  await expect(refereeStatus({ config, folder })).rejects.toThrow('entry 1 was changed');
});

test('other rules of scoring are refused: an edit of the config confirms nothing', async () => {
  const made = await makeProject();
  await begun(made);
  const config = made.configOf(
    { v1: weak, v2: weak },
    { scorecard: { use: 'weighted', criteria: [{ metric: 'equals', weight: 1 }], passMark: 0 } },
  );
  await expect(look({ config, folder: made.folder, candidate: 'v2' })).rejects.toThrow(
    'scored by other rules than when the held-out set was made: scorecard.',
  );
});

test('two looks at once: one is refused, and one is counted', async () => {
  const made = await makeProject();
  await begun(made);
  const slow: Bot = strong;
  const config = made.configOf({ v1: weak, v2: slow });
  const folder = made.folder;
  const both = await Promise.allSettled([look({ config, folder }), look({ config, folder })]);
  const refused = both.filter((each) => each.status === 'rejected');
  for (const { reason } of refused)
    expect(reason).toMatchObject({
      code: 'look-refused',
      message: 'Another process uses the held-out set now.',
    });
  expect(both.length - refused.length).toBeGreaterThan(0);
  expect(await refereeStatus({ config, folder })).toMatchObject({ looksLeft: 19 });
});

test('a target without a version is refused where the config cannot say what it asks', async () => {
  const made = await makeProject();
  await begun(made);
  const config = {
    ...made.configOf({}),
    targets: [{ use: 'http', name: 'bot', url: 'http://127.0.0.1:9/chat' }],
  };
  await expect(look({ config, folder: made.folder })).rejects.toThrow(
    'A look needs to know which version it asks: set `version` of target `bot`.',
  );
});

test('the folder is for its owner alone, outside the repository, and shares no question with the working set', async () => {
  const made = await makeProject();
  const folder = made.folder;
  const inside = { ...made.configOf({ v1: weak }), referee: { heldOut: 'held-out' } };
  await expect(initReferee({ config: inside, folder, questions: '../fresh.jsonl' })).rejects.toThrow(
    'inside the repository',
  );
  await appendFile(path.join(folder, '..', 'fresh.jsonl'), toLines(questionsOf('work', 3)));
  const config = made.configOf({ v1: weak });
  await expect(initReferee({ config, folder, questions: '../fresh.jsonl' })).rejects.toThrow(
    /share questions: line 61 asks the same as "work0" of the working set; line 62/,
  );
  await writeFile(path.join(folder, '..', 'fresh.jsonl'), toLines(questionsOf('held', 60)));
  await begun(made);
  expect((await stat(made.heldOut)).mode & 0o777).toBe(0o700);
  await chmod(made.heldOut, 0o755);
  await refereeStatus({ config, folder });
  expect((await stat(made.heldOut)).mode & 0o777).toBe(0o700);
});

test('a part of the working set is held out with its clusters, and is gone from the file', async () => {
  const made = await makeProject();
  const folder = made.folder;
  const rows = questionsOf('work', 40).map((row, index) => ({
    ...row,
    cluster: `c${Math.floor(index / 2)}`,
  }));
  await writeFile(path.join(folder, 'golden.jsonl'), toLines(rows));
  execFileSync('git', ['init', '-q'], { cwd: folder });
  execFileSync('git', ['add', '-A'], { cwd: folder });
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qm', 'begin'], {
    cwd: folder,
  });
  const report = await initReferee({ config: made.configOf({ v1: weak }), folder, split: 0.4 });
  expect(report).toMatchObject({
    set: { questions: 16, units: 8, isBinary: false },
    known: { history: 16 },
    takenFrom: 'golden.jsonl',
  });
  const left = (await readFile(path.join(folder, 'golden.jsonl'), 'utf8')).trim().split('\n');
  const held = (await readFile(path.join(made.heldOut, 'cases.jsonl'), 'utf8')).trim().split('\n');
  expect([left.length, held.length]).toEqual([24, 16]);
  const clustersIn = (lines: string[]) =>
    new Set(lines.map((line) => (JSON.parse(line) as { cluster: string }).cluster));
  const taken = clustersIn(held);
  expect([...clustersIn(left)].filter((cluster) => taken.has(cluster))).toEqual([]);
});

test('fresh questions are added with the looks going on; known ones are refused; a new set begins with a new budget', async () => {
  const made = await makeProject();
  await begun(made);
  const folder = made.folder;
  const config = made.configOf({ v1: weak, v2: rightOn((number) => number % 2 === 1) });
  await look({ config, folder });
  const root = path.join(folder, '..');
  await writeFile(path.join(root, 'more.jsonl'), toLines(questionsOf('more', 30)));
  const more = { config, folder, questions: '../more.jsonl' };
  expect(await refillReferee(more)).toMatchObject({ added: 30, questions: 90, set: 1 });
  await expect(refillReferee(more)).rejects.toThrow('in the held-out set already');
  expect(await refereeStatus({ config, folder })).toMatchObject({ set: { questions: 90 }, looksLeft: 19 });
  // As many wins as losses on the questions before, and thirty wins on the fresh ones.
  const better = rightOn((number) => number % 2 === 0);
  const onMore: Bot = (question) => (question.startsWith('more') ? strong(question) : better(question));
  const next = made.configOf({ v1: weak, v3: onMore });
  expect(await look({ config: next, folder })).toMatchObject({ answer: 'confirmed', look: 2, questions: 90 });

  const newest = made.configOf({ v3: onMore });
  await writeFile(path.join(root, 'new.jsonl'), toLines(questionsOf('new', 60)));
  expect(
    await refillReferee({ config: newest, folder, questions: '../new.jsonl', renews: true }),
  ).toMatchObject({
    set: 2,
    questions: 60,
    opened: 'held-out-1.jsonl',
  });
  expect(await refereeStatus({ config: newest, folder })).toMatchObject({
    set: { set: 2 },
    looksLeft: 20,
    surprises: { seen: 0 },
    looks: [],
  });
  expect((await readFile(path.join(folder, 'held-out-1.jsonl'), 'utf8')).trim().split('\n')).toHaveLength(90);
});

test('questions that were asked in a run are not fresh', async () => {
  const made = await makeProject();
  await begun(made);
  const { folder } = made;
  const config = made.configOf({ v1: weak });
  await writeFile(path.join(folder, '..', 'more.jsonl'), toLines(questionsOf('more', 5)));
  await run({ ...config, dataset: '../more.jsonl' }, { folder });
  await expect(refillReferee({ config, folder, questions: '../more.jsonl' })).rejects.toThrow(
    'Not all of the questions are fresh: 5 in runs of this workspace.',
  );
});

test('a confirmed version is adopted later where the look left the incumbent', async () => {
  const made = await makeProject();
  await begun(made);
  const { folder } = made;
  const config = made.configOf({ v1: weak, v2: strong });
  expect(await look({ config, folder, keepsIncumbent: true })).toMatchObject({
    answer: 'confirmed',
    isAdopted: false,
  });
  expect(await adoptConfirmed({ config, folder })).toMatchObject({ label: 'v2' });
  await expect(adoptConfirmed({ config, folder })).rejects.toThrow('No version is confirmed');
});

test('an opened set answers nothing any more, and its folder is an ordinary store', async () => {
  const made = await makeProject();
  await begun(made);
  const { folder } = made;
  const config = made.configOf({ v1: weak, v2: strong });
  await openHeldOutSet({ config, folder });
  await expect(look({ config, folder })).rejects.toThrow('answers nothing any more: a person has opened it');
  expect(await refereeStatus({ config, folder })).toMatchObject({ over: 'opened', looksLeft: 0 });
  const { listRuns } = await import('../records.ts');
  expect(await listRuns({ store: made.heldOut })).toHaveLength(1);
});

test('after all looks or all surprises the set is spent', async () => {
  const made = await makeProject(60, 2);
  const { folder } = made;
  const bots = {
    v1: weak,
    v2: rightOn((number) => number % 2 === 1),
    v3: rightOn((number) => number % 3 === 0),
  };
  const config = { ...made.configOf(bots), referee: { heldOut: '../held-out', looks: 2, surprises: 1 } };
  await initReferee({ config, folder, questions: '../fresh.jsonl', incumbent: 'v1' });
  await look({ config, folder, candidate: 'v2' });
  await look({ config, folder, candidate: 'v3' });
  const last = { ...made.configOf({ v1: weak, v4: strong }), referee: config.referee };
  await expect(look({ config: last, folder })).rejects.toThrow('all 2 looks are taken');
  expect(await look({ config, folder, candidate: 'v3' })).toMatchObject({
    answer: 'not-confirmed',
    isRepeated: true,
  });
});

test('an agent that learns the working set by heart reaches 100 % and is not confirmed 8 of 8 times; then a real fix is', async () => {
  const made = await makeProject(60, 30);
  await begun(made);
  const { folder } = made;
  const learnt: string[] = [];
  const answers: string[] = [];
  let passed = 0;
  for (let round = 1; round <= 20; round += 1) {
    const known = new Set(learnt);
    const bot: Bot = (question) =>
      known.has(idIn(question)) ? `${idIn(question)} is right` : weak(question);
    const name = `round ${round}`;
    const config = made.configOf({ v1: weak, [name]: bot });
    const report = await run(config, { folder, targetNames: [name] });
    const failed: string[] = [];
    for await (const { case: asked, scorecard } of report.results())
      if (scorecard?.passed !== true) failed.push(asked.id);
    passed = 40 - failed.length;
    learnt.push(...failed.slice(0, 2));
    if (round % 5 === 2 || round % 5 === 4) answers.push((await look({ config, folder })).answer);
  }
  expect(passed).toBe(40);
  expect(answers).toEqual(Array.from({ length: 8 }, () => 'not-confirmed'));
  const fixed = made.configOf({ v1: weak, fixed: strong });
  expect(await look({ config: fixed, folder })).toMatchObject({ answer: 'confirmed', look: 9 });
});

test('a program opens the referee, looks and reads how it stands', async () => {
  const made = await makeProject();
  const { folder } = made;
  const config = made.configOf({ v1: weak, v2: strong });
  await expect(openReferee({ config, folder })).rejects.toThrow('There is no held-out set');
  await begun(made);
  const referee = await openReferee({ config, folder });
  expect(await referee.look()).toMatchObject({ answer: 'confirmed' });
  expect(await referee.status()).toMatchObject({ looksLeft: 19 });
});
