import { existsSync } from 'node:fs';
import type { TestCase, TestModule, Vitest } from 'vitest/node';

/** The way to install each program that tests need. */
const remedies: Readonly<Record<string, string>> = {
  chromium: 'install chromium with your package manager',
  bash: 'install bash with your package manager',
  fish: 'install fish with your package manager',
  postgresql: 'install postgresql with your package manager; no server needs to be running',
  'redis-server': 'install redis-server or valkey with your package manager; no server needs to be running',
  pytest: 'install python3-pytest with your package manager, or pip install pytest',
  'python3 with venv': 'install python3-venv with your package manager',
  'python3 with tomllib': 'install Python 3.11 or newer',
  python3: 'install python3 with your package manager',
  'the generator of the site': 'npm ci --prefix site',
  zsh: 'install zsh with your package manager',
  '../shared/data': 'the collections of public data lie beside the repository where there are any',
  'TOUCHSTONE_TEST_ALL=1': 'npm run test:release',
  TOUCHSTONE_TEST_GGUF: 'let it name a GGUF file of a chat model',
  'the Python package of langgraph': 'pip install langchain langgraph',
  'the Python package of agents-sdk': 'pip install openai-agents',
  'the Python package of pydantic-ai': 'pip install pydantic-ai',
  'the Python package of fastapi': 'pip install fastapi uvicorn',
  'the Python package of mcp':
    'pip install mcp==2.3.0, and let TOUCHSTONE_TEST_MCP_PYTHON name the Python that has it, if that is another',
  TOUCHSTONE_TEST_MCP_INSPECTOR:
    'npm install @modelcontextprotocol/inspector@2.12.0 elsewhere, and let it name its node_modules/.bin/mcp-inspector',
  TOUCHSTONE_TEST_MCP_SERVERS:
    'npm install @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/server-{everything,filesystem,memory}@2026.8.31 in an empty folder, and let it name that folder',
  TOUCHSTONE_TEST_INSPECT_PYTHON:
    'pip install inspect-ai pandas pyarrow in an environment of its own, and let it name the Python of that',
  TOUCHSTONE_TEST_GARAK_PYTHON:
    'pip install garak in an environment of its own, and let it name the Python of that',
  TOUCHSTONE_TEST_PROMPTFOO:
    'npm install promptfoo in an empty folder, and let it name node_modules/promptfoo/dist/src/main.js there',
  'a root of its own': 'run it as root on Linux, where mounts are allowed',
  TOUCHSTONE_TEST_REGISTRIES:
    'bash scripts/release/install-registries.sh FOLDER with an empty folder, and let it name that folder',
  'the Python package of skills-ref': 'pip install skills-ref',
  'the Python package of langserve': 'pip install langserve fastapi uvicorn sse-starlette',
  'the Python package of langgraph-cli[inmem]': 'pip install "langgraph-cli[inmem]"',
};

/** The collections of public data: their tests may skip where there are none, and only there. */
const publicData = '../shared/data';

/** Needs that no program can install: their tests may skip even where nothing else may. */
const beside: readonly string[] = [
  'TOUCHSTONE_TEST_MCP_INSPECTOR',
  'TOUCHSTONE_TEST_MCP_SERVERS',
  'TOUCHSTONE_TEST_REGISTRIES',
  'TOUCHSTONE_TEST_INSPECT_PYTHON',
  'TOUCHSTONE_TEST_GARAK_PYTHON',
  'TOUCHSTONE_TEST_PROMPTFOO',
  'a root of its own',
  'the Python package of mcp',
  'TOUCHSTONE_TEST_GGUF',
  'the Python package of langgraph',
  'the Python package of agents-sdk',
  'the Python package of pydantic-ai',
  'the Python package of fastapi',
  'the Python package of skills-ref',
  'the Python package of langserve',
  'the Python package of langgraph-cli[inmem]',
];

/** The need of tests that only CI and a release run. */
const release = 'TOUCHSTONE_TEST_ALL=1';

/**
 * Counts the skipped tests for each program or file that they need: `(needs zsh)` at the end of a title. Of several needs, the one
 * for a release is missing, unless it `isRelease`.
 */
export function countNeeds(titles: readonly string[], isRelease: boolean): Map<string, number> {
  const counts = new Map<string, number>();
  for (const title of titles) {
    const needs = Array.from(title.matchAll(/\(needs ([^)]+)\)/g), ([, need = '']) =>
      need.replace(/^(\.\.\/shared\/data)\/.*/, '$1'),
    );
    const need = !isRelease && needs.includes(release) ? release : needs.find((each) => each !== release);
    if (need !== undefined) counts.set(need, (counts.get(need) ?? 0) + 1);
  }
  return counts;
}

/** Returns the needs that should have been met: those that a program can be installed for, and public data that is there. */
export function unmetNeeds(needs: Iterable<string>, hasPublicData: boolean): string[] {
  return [...needs].filter((need) => (need === publicData ? hasPublicData : !beside.includes(need)));
}

/** Describes the skipped tests, one line for each need. */
export function describeNeeds(counts: ReadonlyMap<string, number>): string[] {
  return Array.from(counts, ([need, count]) => {
    const tests = count === 1 ? '1 test needs' : `${count} tests need`;
    return `${tests} ${need}: ${remedies[need] ?? 'it is not here'}`;
  });
}

/**
 * A reporter that lists, at the end of a test run, the tests skipped because of a missing program, and how to install
 * it. With `TOUCHSTONE_TEST_ALL=1` that is a failure.
 */
export class SkippedReporter {
  #isNarrowed = false;

  /** Tests that `-t` leaves out are skipped, too, but nothing is missing for them. */
  onInit({ config }: Vitest): void {
    this.#isNarrowed = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#isNarrowed) return;
    const skipped = modules.flatMap((module) =>
      Array.from(module.children.allTests('skipped'), (test: TestCase) => test.fullName),
    );
    const isRelease = process.env['TOUCHSTONE_TEST_ALL'] === '1';
    const counts = countNeeds(skipped, isRelease);
    if (counts.size === 0) return;
    console.log(['', 'Skipped:', ...describeNeeds(counts).map((line) => `  ${line}`), ''].join('\n'));
    const missing = unmetNeeds(counts.keys(), existsSync(publicData));
    if (!isRelease || missing.length === 0) return;
    console.error(`Nothing may be skipped here, but tests were that need ${missing.join(', ')}.`);
    process.exitCode = 1;
  }
}
