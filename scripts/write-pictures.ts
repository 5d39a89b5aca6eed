// Makes the pictures of README.md and the site from real runs: `npm run site:pictures`. It needs chromium, asciinema and termtosvg.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const root = path.resolve(import.meta.dirname, '..');
const pictures = path.join(root, 'site', 'pictures');
const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-pictures-'));
const programs = path.join(folder, 'bin');
mkdirSync(programs);
symlinkSync(path.join(root, 'bin', 'touchstone.js'), path.join(programs, 'touchstone'));
/** A clock that begins at the same time whenever the pictures are made, so that dates and ids of runs stay the same in them. */
const clock = path.join(folder, 'clock.mjs');
writeFileSync(
  clock,
  `const begin = Date.parse('2026-11-02T09:30:00Z');
const RealDate = Date;
Object.defineProperty(performance, 'timeOrigin', { get: () => begin });
globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(begin + performance.now());
    else super(...parts);
  }
  static now() {
    return Math.round(begin + performance.now());
  }
};`,
);
const env = {
  ...process.env,
  NODE_OPTIONS: `--import=${pathToFileURL(clock).href}`,
  TZ: 'UTC',
  PATH: [programs, path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
  LANG: 'C.UTF-8',
  CI: '',
};

/** The commands of the recording, and the seconds to read what each prints. */
const scenes: readonly (readonly [command: string, seconds: number])[] = [
  ['touchstone init my-eval --yes', 3],
  ['cd my-eval && touchstone run', 8],
  ['touchstone show --case price-two', 6],
];

try {
  mkdirSync(pictures, { recursive: true });
  record();
  await photograph();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Records the first minutes in a terminal, typed by a script. */
function record(): void {
  const script = path.join(folder, 'scenes.sh');
  const type =
    'say() { printf \'\\033[32m$\\033[0m \'; for ((i = 0; i < ${#1}; i++)); do printf %s "${1:i:1}"; sleep 0.03; done; echo; sleep 0.3; eval "$1"; sleep "$2"; echo; }';
  writeFileSync(
    script,
    [type, ...scenes.map(([command, seconds]) => `say '${command}' ${seconds}`)].join('\n'),
  );
  const cast = path.join(pictures, 'first-minutes.cast');
  const size = ['--cols', '100', '--rows', '30', '--idle-time-limit', '3'];
  start('asciinema', ['rec', '--quiet', '--overwrite', ...size, '--command', `bash ${script}`, cast]);
  start('termtosvg', ['render', cast, path.join(pictures, 'first-minutes.svg'), '-t', 'window_frame']);
}

/** Takes a picture of the page of a run in each colour scheme. */
async function photograph(): Promise<void> {
  // A copy, so that no path or commit of this checkout is in the picture.
  const example = path.join(folder, 'property-assistant');
  cpSync(path.join(root, 'examples', 'property-assistant'), example, { recursive: true });
  start(path.join(programs, 'touchstone'), ['run', example, '--output', 'report.html'], [0, 1]);
  const report = path.join(folder, 'report.html');
  const browser = await chromium.launch({
    executablePath: process.env['TOUCHSTONE_TEST_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox'],
  });
  try {
    for (const [colorScheme, file] of [
      ['light', 'run.png'],
      ['dark', 'run-dark.png'],
    ] as const) {
      const page = await browser.newPage({ viewport: { width: 1200, height: 760 }, colorScheme });
      await page.goto(pathToFileURL(report).href);
      await page.locator('h1').first().waitFor();
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: path.join(pictures, file) });
    }
  } finally {
    await browser.close();
  }
}

function start(program: string, args: readonly string[], codes: readonly number[] = [0]): void {
  const { status, error } = spawnSync(program, args, {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (error !== undefined) throw error;
  if (!codes.includes(status ?? -1)) throw new Error(`${program} ended with ${status}`);
}
