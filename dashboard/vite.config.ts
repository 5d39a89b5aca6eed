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
            // Small files that nearly every page needs are one: each file of its own costs a hundred bytes.
            {
              name: 'common',
              test: /src\/(?:look\/report\/(?:format|score-in-words|phrase)|core\/schema\/(?:estimate|selection|git-state|decision|api\/(?:run-head|run-row|baseline-row|record-counts|waiting-view|worker-view|live-run|failure))|parts\/(?:score-text|data-table|outcome-mark|empty-state))\.tsx?$/,
              priority: 1,
            },
            // So are the schemas that several pages need and the first one does not.
            {
              name: 'schemas',
              test: /src\/core\/schema\/(?:case|summary|trial|run|gate|condition|review\/(?:certificate|review-task|label)|modes\/mode|api\/(?:trial-view|trial-row|run-view|dataset-view|judge-view|lint-finding|review\/(?:view|request)))\.ts$/,
            },
          ],
        },
      },
    },
  },
});
