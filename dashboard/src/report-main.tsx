import './zod.ts';
import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { DataProvider } from './data/data-source.ts';
import { createEmbeddedSource } from './data/embedded-source.ts';
import { createQueryClient } from './data/query-client.ts';
import { createReportRouter } from './report-routes.tsx';

// The entry of a report in one file, which `touchstone run --output report.html` writes.

const root = document.getElementById('root');
if (root === null) throw new Error('The document has no element for the page.');
const source = createEmbeddedSource(document);
const router = createReportRouter(source.run);

// A link of a page names a path; in a file the path is behind the `#` of its address.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const path = link?.getAttribute('href') ?? '';
  if (!path.startsWith('/') || event.defaultPrevented) return;
  event.preventDefault();
  router.history.push(path);
});

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <DataProvider value={source}>
        <RouterProvider router={router} />
      </DataProvider>
    </QueryClientProvider>
  </StrictMode>,
);
