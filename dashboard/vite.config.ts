import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The build of the dashboard; `scripts/build.mjs` calls it with the folder to write to. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    target: 'es2024',
    // The server serves exactly the files that the manifest names.
    manifest: true,
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // A file inside of another as a data: address would be refused by the content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A file that builds a schema loads this chunk first, and with it the settings of zod.
          groups: [
            { name: 'zod', test: /node_modules\/zod\/|dashboard\/src\/zod\.ts$/, priority: 1 },
            {
              name: 'tanstack',
              test: /node_modules\/@tanstack\/(?:react-)?(?:router|query|history|store)/,
              priority: 1,
            },
            // Small files that nearly every page needs are one: each file of its own costs a hundred bytes.
            {
              name: 'common',
              test: /src\/(?:look\/report\/(?:format|score-in-words|phrase)|core\/schema\/(?:estimate|selection|git-state|decision|api\/(?:run-head|run-row|baseline-row|record-counts|waiting-view|worker-view|live-run|failure))|data\/(?:data-source|use-answer|use-runs)|keys\/(?:use-keys|arrow-group|focus)|parts\/(?:score-text|data-table|outcome-mark|empty-state|plain-text|button))\.tsx?$/,
              priority: 1,
            },
            // So are the schemas and the small parts that several pages need and the first one does not.
            {
              name: 'shared',
              test: /dashboard\/src\/(?:layout\/run-tabs|data\/(?:use-run|use-changes|use-datasets|kept-value)|parts\/(?:facts|phrase-text|section|terminal-text|interval-plot|filtered-cases|copy-button|links\/(?:marked-link|choice-links)|charts\/(?:scale|axes|chart)))\.tsx?$|src\/core\/lib\/(?:filter\/(?:filter|format-filter|parse-sort)|parse-json)\.ts$|src\/core\/schema\/(?:case|summary|trial|run|gate|condition|review\/(?:certificate|review-task|label)|modes\/mode|api\/(?:trial-view|trial-row|run-view|dataset-view|judge-view|lint-finding|review\/(?:view|request)))\.ts$/,
            },
          ],
        },
      },
    },
  },
});
