import type { KnipConfig } from 'knip';

/** What users reach: the command line, what package.json exports, and what the build loads to write schemas and the reference. */
const shipped = [
  'src/cli/main.ts',
  'src/library/{index,testing/index,tools/index,vitest/index}.ts',
  'src/core/stats/index.ts',
  'src/decide/scorecards/index.ts',
  'src/evaluate/{judges,metrics,models,targets,users}/index.ts',
  'src/people/reviews/index.ts',
  'src/stores/index.ts',
  'scripts/{build.mjs,write-reference.ts,write-schemas.ts}',
];

const shippedPages = ['src/{main,report-main}.tsx'];

/**
 * `knip` finds what nobody uses. `knip --production` also finds what only tests, benches and the other scripts use: it is
 * removed, or lies with them. There an export counts as used when its own file uses it, since that code is reached.
 */
export default ({ production: isShippedOnly = false }: { readonly production?: boolean }): KnipConfig => ({
  workspaces: {
    '.': isShippedOnly
      ? { entry: inProduction(shipped), project: inProduction(['src/**/*.ts', '!src/**/*.test.ts']) }
      : {
          entry: [
            ...shipped,
            'scripts/{,release/}*.{ts,mjs}',
            'bench/{,peers/}*.{ts,mjs}',
            'examples/*/{,*/}*.{ts,mjs,js}',
            'templates/*/*.{ts,mjs,js}',
            'test/**/*.test.ts',
          ],
          project: ['{bin,src,scripts,bench,examples,templates,test}/**/*.{ts,mjs,js}', '*.ts'],
          // Programs that `check:package` starts.
          ignoreDependencies: ['node-sql-parser', '@arethetypeswrong/cli', 'publint'],
        },
    dashboard: isShippedOnly
      ? {
          entry: inProduction(shippedPages),
          project: inProduction(['src/**/*.{ts,tsx,css}', '!src/**/*.test.{ts,tsx}']),
        }
      : { entry: shippedPages, project: ['**/*.{ts,tsx,css}'] },
    runtime: {},
  },
  ignoreBinaries: ['agentskills', 'openssl', 'psql', 'sqlite3', 'unshare'],
  ignoreExportsUsedInFile: isShippedOnly ? true : { interface: true, type: true },
});

/** Marks patterns as those of production, which is how knip is told. */
function inProduction(patterns: readonly string[]): string[] {
  return patterns.map((pattern) => `${pattern}!`);
}
