import './zod.ts';
import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { DataProvider, createQueryClient } from './data/data-source.ts';
import { comparisonPath } from '../../src/core/schema/api/comparison/comparison-file.ts';
import { matrixPath } from '../../src/core/schema/api/comparison/matrix.ts';
import { reportFilePath } from '../../src/core/schema/api/report-file.ts';
import { findAnswers } from './data/embedded/answers.ts';
import { createEmbeddedComparison } from './data/embedded/comparison.ts';
import { preferencesPath } from '../../src/core/schema/api/preference/view.ts';
import { createEmbeddedMatrix } from './data/embedded/matrix.ts';
import { createEmbeddedPreferences } from './data/embedded/preferences.ts';
import { createEmbeddedSource } from './data/embedded/source.ts';
import {
  createComparisonRouter,
  createMatrixRouter,
  createPreferencesRouter,
  createReportRouter,
} from './report-routes.tsx';

// The entry of a report in one file, which `touchstone run`, `compare` and `prefer` write with `--output report.html`.

const root = document.getElementById('root');
if (root === null) throw new Error('The document has no element for the page.');
const { source, router } = openReport();

// A link of a page names a path; in a file the path is behind the `#` of its address.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const path = link?.getAttribute('href') ?? '';
  if (!path.startsWith('/') || event.defaultPrevented) return;
  event.preventDefault();
  if (event.ctrlKey || event.metaKey || event.shiftKey) window.open(`#${path}`, '_blank', 'noopener');
  else router.history.push(path);
});

/** Returns the data and the pages of the file: a comparison of runs or of answers, a matrix, or a run. */
function openReport() {
  const answers = findAnswers(document);
  if (answers.has(comparisonPath)) {
    const comparison = createEmbeddedComparison(answers);
    return { source: comparison, router: createComparisonRouter(comparison) };
  }
  if (answers.has(preferencesPath))
    return { source: createEmbeddedPreferences(answers), router: createPreferencesRouter() };
  if (answers.has(matrixPath) && !answers.has(reportFilePath)) {
    const matrix = createEmbeddedMatrix(answers);
    return { source: matrix, router: createMatrixRouter(matrix.columns) };
  }
  const run = createEmbeddedSource(answers);
  return { source: run, router: createReportRouter(run.run) };
}

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <DataProvider value={source}>
        <RouterProvider router={router} />
      </DataProvider>
    </QueryClientProvider>
  </StrictMode>,
);
