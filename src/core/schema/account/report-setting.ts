import { z } from 'zod';

/** The schema of the `report` setting: the server that gets each run when it ends. */
export const reportSettingSchema = z.lazy(() =>
  z.strictObject({
    server: z.url().describe('The address of the server, such as `https://evals.example.org`.'),
    project: z.string().min(1).default('main').describe('The project of the server that gets the runs.'),
  }),
);
