import './zod.ts';
import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { DataProvider, createQueryClient } from './data/data-source.ts';
import { serverSource } from './data/server-source.ts';
import { createAppRouter } from './routes.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The document has no element for the page.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <DataProvider value={serverSource}>
        <RouterProvider router={createAppRouter()} />
      </DataProvider>
    </QueryClientProvider>
  </StrictMode>,
);
