import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { measureCommand, touchstone, type Usage } from '../measure.ts';

/** The surroundings of a tool: what it reads and whom it asks. */
export interface Workplace {
  /** The folder of the installed tools. */
  readonly tools: string;
  /** The folder of this measurement, with golden.jsonl. */
  readonly folder: string;
  /** The address of the fake model, as in `http://127.0.0.1:4000/v1`. */
  readonly baseUrl: string;
}

/** A tool that asks the model every question once, eight at a time, and checks each answer for its keywords. */
export interface Tool {
  readonly name: string;
  /** Writes what the tool reads, and returns a function that runs it in a process of its own. */
  prepare(at: Workplace): () => Usage;
}

/** The longest that one run of one tool may take. */
const timeLimitMs = 300_000;

/** Returns Touchstone in a checkout, with its default scorecard and a store on disk. */
function createTouchstone(name: string, command: readonly string[]): Tool {
  return {
    name,
    prepare: ({ folder, baseUrl }) => {
      const target = { use: 'openai-chat', name: 'fake', model: 'fake', baseUrl };
      const config = { dataset: 'golden.jsonl', targets: [target], concurrency: 8 };
      const file = `${name.replaceAll(' ', '-')}.json`;
      writeFileSync(path.join(folder, file), JSON.stringify(config));
      return () => {
        const store = mkdtempSync(path.join(folder, 'store-'));
        try {
          return measureCommand([...command, 'run', file, '--store', store], { folder, timeLimitMs });
        } finally {
          rmSync(store, { recursive: true });
        }
      };
    },
  };
}

function createPromptfoo(name: string, words: readonly string[]): Tool {
  return {
    name,
    prepare: ({ tools, folder, baseUrl }) => {
      const tests = readRows(folder).map(({ input, expected }) => ({
        vars: { question: input },
        assert: expected.keywords.map((value) => ({ type: 'icontains', value })),
      }));
      const provider = { id: 'openai:chat:fake', config: { apiBaseUrl: baseUrl, apiKey: 'none' } };
      const config = { prompts: ['{{question}}'], providers: [provider], tests: 'file://tests.jsonl' };
      writeFileSync(path.join(folder, 'tests.jsonl'), tests.map((test) => JSON.stringify(test)).join('\n'));
      writeFileSync(path.join(folder, 'promptfooconfig.json'), JSON.stringify(config));
      const program = path.join(tools, 'node_modules', 'promptfoo', 'dist', 'src', 'entrypoint.js');
      const quiet = ['--no-cache', '--no-table', '--no-progress-bar', '-j', '8'];
      const environment = {
        PROMPTFOO_CONFIG_DIR: path.join(folder, 'promptfoo-home'),
        PROMPTFOO_DISABLE_TELEMETRY: '1',
        PROMPTFOO_DISABLE_UPDATE: '1',
        PROMPTFOO_FAILED_TEST_EXIT_CODE: '0',
      };
      const command = [process.execPath, program, 'eval', ...quiet, ...words];
      return () => measureCommand(command, { folder, environment, timeLimitMs });
    },
  };
}

const evalite: Tool = {
  name: 'Evalite',
  prepare: ({ tools, folder, baseUrl }) => {
    writeFileSync(path.join(folder, 'bench.eval.ts'), evaliteSource);
    const program = path.join(tools, 'node_modules', '.bin', 'evalite');
    const environment = { BENCH_URL: baseUrl };
    // Its SQLite module was compiled for the Node.js that ran npm.
    const command = [systemNode(), program, 'run', 'bench.eval.ts'];
    return () => measureCommand(command, { folder, environment, exitCodes: [0, 1], timeLimitMs });
  },
};

const evaliteSource = `import { readFileSync } from 'node:fs';
import { evalite } from 'evalite';
const rows = readFileSync('golden.jsonl', 'utf8').split('\\n').filter(Boolean).map((line) => JSON.parse(line));
evalite('bench', {
  data: () => rows.map(({ input, expected }) => ({ input, expected: expected.keywords })),
  task: async (input) => {
    const body = JSON.stringify({ model: 'fake', messages: [{ role: 'user', content: input }] });
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(process.env.BENCH_URL + '/chat/completions', { method: 'POST', headers, body });
    return (await reply.json()).choices[0].message.content;
  },
  scorers: [{
    name: 'keywords',
    scorer: ({ output, expected }) =>
      expected.filter((word) => output.toLowerCase().includes(word)).length / expected.length,
  }],
});
`;

const inspect: Tool = {
  name: 'Inspect',
  prepare: ({ tools, folder, baseUrl }) => {
    writeFileSync(path.join(folder, 'bench_task.py'), inspectSource);
    const program = path.join(tools, 'python', 'bin', 'inspect');
    const words = ['--model', 'openai-api/local/fake', '--max-connections', '8', '--display', 'none'];
    const environment = { LOCAL_BASE_URL: baseUrl, LOCAL_API_KEY: 'none', ...quietPython(folder) };
    const logs = path.join(folder, 'inspect-logs');
    const command = [program, 'eval', 'bench_task.py', ...words, '--log-dir', logs];
    return () => measureCommand(command, { folder, environment, timeLimitMs });
  },
};

const inspectSource = `import json
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import Score, accuracy, scorer, stderr
from inspect_ai.solver import generate

rows = [json.loads(line) for line in open("golden.jsonl")]

@scorer(metrics=[accuracy(), stderr()])
def keywords():
    async def score(state, target):
        found = [word in state.output.completion.lower() for word in target]
        return Score(value=1.0 if all(found) else 0.0)
    return score

@task
def bench():
    samples = [Sample(input=row["input"], target=row["expected"]["keywords"]) for row in rows]
    return Task(dataset=samples, solver=generate(), scorer=keywords())
`;

const deepeval: Tool = {
  name: 'DeepEval',
  prepare: ({ tools, folder, baseUrl }) => {
    writeFileSync(path.join(folder, 'bench_deepeval.py'), deepevalSource);
    const program = path.join(tools, 'python', 'bin', 'python');
    const environment = { BENCH_URL: baseUrl, DEEPEVAL_TELEMETRY_OPT_OUT: 'YES', ...quietPython(folder) };
    return () => measureCommand([program, 'bench_deepeval.py'], { folder, environment, timeLimitMs });
  },
};

const deepevalSource = `import json, os
from concurrent.futures import ThreadPoolExecutor
from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, DisplayConfig
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase
from openai import OpenAI

rows = [json.loads(line) for line in open("golden.jsonl")]
client = OpenAI(base_url=os.environ["BENCH_URL"], api_key="none")

class Keywords(BaseMetric):
    def __init__(self):
        self.threshold = 1.0
        self.async_mode = True

    def measure(self, test_case, *args, **kwargs):
        words = json.loads(test_case.expected_output)
        found = [word in test_case.actual_output.lower() for word in words]
        self.score = sum(found) / len(found)
        self.success = self.score >= self.threshold
        self.reason = None
        return self.score

    async def a_measure(self, test_case, *args, **kwargs):
        return self.measure(test_case)

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return "Keywords"

def ask(row):
    messages = [{"role": "user", "content": row["input"]}]
    reply = client.chat.completions.create(model="fake", messages=messages)
    expected = json.dumps(row["expected"]["keywords"])
    return LLMTestCase(input=row["input"], actual_output=reply.choices[0].message.content, expected_output=expected)

with ThreadPoolExecutor(8) as pool:
    cases = list(pool.map(ask, rows))
display = DisplayConfig(show_indicator=False, print_results=False)
evaluate(cases, [Keywords()], async_config=AsyncConfig(max_concurrent=8), display_config=display)
`;

function quietPython(folder: string): Readonly<Record<string, string>> {
  return { HOME: folder, PYTHONDONTWRITEBYTECODE: '1' };
}

/** Returns the tools that are compared: Touchstone of this checkout, of another one if it is named, and the peers. */
export function toolsOf(against: string | undefined): Tool[] {
  const before =
    against === undefined
      ? []
      : [
          createTouchstone(`Touchstone ${versionOf(against)}`, [
            process.execPath,
            path.join(against, 'bin', 'touchstone.js'),
          ]),
        ];
  return [
    createTouchstone('Touchstone', touchstone),
    ...before,
    createPromptfoo('promptfoo', []),
    createPromptfoo('promptfoo, no database', ['--no-write', '-o', 'out.jsonl']),
    evalite,
    inspect,
    deepeval,
  ];
}

function versionOf(checkout: string): string {
  return (JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8')) as { version: string })
    .version;
}

function readRows(folder: string): { input: string; expected: { keywords: string[] } }[] {
  const lines = readFileSync(path.join(folder, 'golden.jsonl'), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

/** Returns the Node.js that is installed outside this project. */
function systemNode(): string {
  const elsewhere = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((each) => !each.includes('node_modules'));
  const found = elsewhere.map((each) => path.join(each, 'node')).find((file) => existsSync(file));
  return found ?? process.execPath;
}
