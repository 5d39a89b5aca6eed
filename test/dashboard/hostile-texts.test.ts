import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../support/memory-store.ts';
import { describeInBrowser, findBarriers, useDashboard } from '../support/browser.ts';
import { buildCaseStore } from '../support/build-case-store.ts';
import { runScores } from '../support/gated-run.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { fingerprintOf, storeJudgedRuns } from '../support/judged-runs.ts';
import { storeToolRun } from '../support/tool-records.ts';
import type { SampleTrial } from '../support/judge-sample.ts';
import { addSampleRun, mixedTrials } from '../support/sample-store.ts';
import { putDocuments } from '../../src/stores/documents/document-store.ts';
import { runEditKind } from '../../src/stores/kinds/run-edit.ts';

/** Texts that a browser would execute, load or follow if any of them became markup, an address or code. */
const attacks = [
  '<script>pwned=1</script>',
  '<img src=x onerror=pwned=1>',
  '<img src="https://evil.example/x.png">',
  '<svg onload=pwned=1>',
  '<svg><script>pwned=1</script></svg>',
  '<math><mtext><img src=x onerror=pwned=1></mtext></math>',
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  '<iframe src="javascript:parent.pwned=1"></iframe>',
  '<object data="data:text/html,<script>pwned=1</script>"></object>',
  '<embed src="https://evil.example/x.swf">',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<style>@import "https://evil.example/x.css"; * { display: none }</style>',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<base href="https://evil.example/">',
  '<form action="https://evil.example"><button>Go</button></form>',
  '<a href="javascript:pwned=1">click</a>',
  '<video src="https://evil.example/x.mp4" autoplay onerror=pwned=1></video>',
  '<body onload=pwned=1>',
  '<input autofocus onfocus=pwned=1>',
  '<details open ontoggle=pwned=1>',
  '<template><script>pwned=1</script></template>',
  '</script><script>pwned=1</script>',
  '</title><script>pwned=1</script>',
  '</textarea><script>pwned=1</script>',
  '--><script>pwned=1</script><!--',
  '"><script>pwned=1</script>',
  "' onmouseover='pwned=1",
  '`${pwned=1}`',
  '{{constructor.constructor("pwned=1")()}}',
  'javascript:pwned=1',
  '[a](javascript:pwned=1) ![b](https://evil.example/b.png)',
  '&lt;script&gt;pwned=1&lt;/script&gt;',
  '\u003cscript\u003epwned=1\u003c/script\u003e',
  '{"__proto__":{"pwned":1}}',
  '__proto__',
  'constructor',
  '\u202egnp.exe\u202c',
  '\u2066isolated\u2069 pay\u200bpal\ufeff',
  '\u001b[2J cleared \u0000 \u009b31m',
  `half \ud83d, zalgo${'\u0301'.repeat(100)}`,
  'long'.repeat(400),
];

/** Every place that a target, a dataset or a config can fill, with every attack in it. */
const trials = attacks.flatMap((text, index): SampleTrial[] => {
  const seen = { target: text, category: text, question: text, answer: text, logs: text };
  return [
    { ...seen, id: `${text}${index}`, expectedTools: [text], usedTools: [`${text}!`], missing: [text] },
    { ...seen, id: `${text}${index}e`, error: { code: text, message: text } },
  ];
});

const id = '20260211-093000-evil';
const whole = attacks.join(' ');
/** The same in an address, which must not be too long. */
const named = encodeURIComponent(attacks.slice(0, 20).join(' '));

/** Checks that everything on a page is text: nothing ran, nothing was made of it, and no link leads elsewhere. */
async function expectTexts(page: Page): Promise<void> {
  await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
  expect(await page.evaluate('typeof pwned')).toBe('undefined');
  const made = 'script, img, iframe, object, embed, link, style, meta, base, video, template, form[action]';
  expect(await page.locator('#root').locator(made).count()).toBe(0);
  const addresses = await page
    .locator('#root [href]')
    // Links in a drawing have no `href` in words.
    .evaluateAll(
      (all, base) => all.map((each) => new URL(String(each.getAttribute('href')), base).origin),
      page.url(),
    );
  const { origin } = new URL(page.url());
  expect(new Set(addresses)).toEqual(new Set([origin]));
}

describeInBrowser('hostile texts', () => {
  const dashboard = useDashboard(async () => {
    const store = createMemoryStore();
    await addSampleRun(store, trials, {
      id,
      description: whole,
      dataset: { sources: attacks, cases: trials.length, hash: 'h' },
      git: { commit: 'a'.repeat(40), branch: whole, dirty: true },
      stops: [{ reason: 'failures', message: whole, failures: [{ code: whole, message: whole, trials: 1 }] }],
      gate: { minCoverage: 1, failUnder: 0.9 },
    });
    // One that is small enough for every text to be looked at by axe.
    await addSampleRun(store, trials.slice(0, 4), { id: '20260210-093000-tiny', description: whole });
    return store;
  });

  // What happened on the page besides (a request, a refusal by the policy, an error) fails a test after it.
  test.each(['/', `/runs/${id}`, `/?target=${named}`, `/runs/${named}`])(
    'are texts on page %#',
    async (path) => {
      const { page } = await dashboard.open(path, { mayFail: ['404'] });
      await expectTexts(page);
    },
  );

  test('are shown as they are, and what cannot be seen is marked', async () => {
    const { page } = await dashboard.open(`/runs/${id}`);
    const text = await page.getByRole('main').innerText();
    for (const attack of attacks.filter((one) => !/[\p{C}\p{M}]/u.test(one))) expect(text).toContain(attack);
    expect(text).toContain('U+202Egnp.exe');
    // oxlint-disable-next-line no-control-regex -- none of these may be left
    expect(text).not.toMatch(
      /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufeff]/,
    );
  });

  test('the page does not scroll sideways on a narrow screen, and is accessible', async () => {
    const { page } = await dashboard.open('/runs/20260210-093000-tiny', {
      viewport: { width: 390, height: 800 },
    });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await findBarriers(page)).toEqual([]);
  });
});

const bot = { name: hostileTexts.slice(0, 20).join(' '), use: { use: 'module' }, fingerprint: 'b' };
const other = { ...bot, name: hostileTexts.slice(70, 85).join(' '), fingerprint: 'c' };

/** Every text as a tool, and as what a fault is in. */
const toolCases = hostileTexts.map((text, index) => ({
  id: `${text}${index}`,
  expected: [text],
  answers: {
    [bot.name]: { calls: [text, { name: `${text}!`, fault: 'timeout' as const, error: text }], passed: true },
    [other.name]: { calls: [text] },
  },
}));

/** Every text as a rule of a gate, as a category and as the id of a case. */
const gatedCases = hostileTexts.map((text, index) => ({
  id: `${text}${index}`,
  category: text,
  scores: [index % 2],
}));
const rules = Object.fromEntries(
  hostileTexts
    .filter((text) => text.trim() !== '' && text !== '__proto__')
    .map((text) => [text, { type: 'required-cases' as const, ids: [`${text}*`] }]),
);

describeInBrowser('a hundred hostile texts in every field', () => {
  const judge = hostileTexts.slice(0, 90).join(' ');
  let gated = '';
  const dashboard = useDashboard(async () => {
    const store = await buildCaseStore(hostileTexts);
    await storeToolRun(toolCases, [bot, other], { store, id: 'with-tools' });
    const verdicts = hostileTexts.slice(0, 10).map((_, index) => [index % 2 === 0]);
    await storeJudgedRuns(
      [
        { name: judge, verdicts },
        { name: `other ${judge}`, verdicts: verdicts.map(([said = true]) => [!said]) },
      ],
      store,
    );
    gated = (await runScores(gatedCases, { store, gate: { failUnder: 90, rules, baseline: bot.name } })).run
      .id;
    return store;
  });
  const dataset = encodeURIComponent(hostileTexts[2] ?? '');
  const runs = 'a=20260101-000000-aaaa&b=20260102-030405-abcd';

  const pages: readonly (readonly [name: string, pathOf: () => string])[] = [
    ['datasets', () => '/datasets'],
    ['a dataset', () => `/datasets/${dataset}`],
    ...[0, 77].map((index): readonly [string, () => string] => [
      `the history of case ${index}`,
      () => `/datasets/${dataset}/cases/${encodeURIComponent(`${hostileTexts[index]}#${index}`)}`,
    ]),
    ['a comparison', () => `/compare?${runs}`],
    ['a compared case', () => `/compare?${runs}&case=${encodeURIComponent(`${hostileTexts[77]}#77`)}`],
    ['a matrix of runs', () => '/matrix?columns=20260101-000000-aaaa,20260102-030405-abcd'],
    ['a matrix of targets, with the words that differ', () => '/matrix?columns=with-tools&diff=a'],
    ['tools', () => '/runs/with-tools/tools'],
    ['a gate', () => `/runs/${gated}/gate`],
    ['judges', () => '/judges'],
    ['a judge', () => `/judges/${fingerprintOf(judge)}`],
  ];

  test.each(pages)('are texts on the page of %s', async (_, pathOf) => {
    const { page } = await dashboard.open(pathOf());
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([]);
    await expectTexts(page);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    // oxlint-disable-next-line no-control-regex -- none of these may be left
    expect(await page.getByRole('main').innerText()).not.toMatch(
      /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
    );
  });
});

describeInBrowser('a hundred hostile texts as names, notes and tags of runs', () => {
  const idOf = (index: number): string => `20260101-000000-h${String(index).padStart(3, '0')}`;
  const dashboard = useDashboard(async () => {
    const store = createMemoryStore();
    for (const [index, text] of hostileTexts.entries()) {
      const createdAt = new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
      await addSampleRun(store, mixedTrials(2), { id: idOf(index), createdAt });
      const edit = { at: createdAt, by: text, name: text, note: text, tags: { [`key-${text}`]: text } };
      await putDocuments(store.documents, runEditKind, [{ run: idOf(index), edits: [edit] }]);
    }
    return store;
  });

  test.each(['/', `/runs/${idOf(77)}`])('are texts on page %#', async (path) => {
    const { page } = await dashboard.open(path);
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([]);
    await expectTexts(page);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(await findBarriers(page)).toEqual([]);
  });

  test('are texts in the fields that change them, and are saved as they are written', async () => {
    const { page } = await dashboard.open(`/runs/${idOf(0)}`);
    await page.getByRole('button', { name: 'Name…' }).click();
    const [name = '', note = ''] = [hostileTexts[0], hostileTexts[1]];
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe(name);
    await page.getByLabel('Note').fill(note);
    await page.getByLabel('Tags, one a line').fill(`prompt=${note}`);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page
      .locator('main bdi')
      .filter({ hasText: `prompt=${note}` })
      .waitFor();
    await expectTexts(page);
  });
});
