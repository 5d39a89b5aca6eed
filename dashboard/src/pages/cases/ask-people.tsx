import { useNavigate } from '@tanstack/react-router';
import { useId, useRef, useState } from 'react';
import { equalTo } from '../../../../src/core/lib/filter/filter.ts';
import { formatFilter } from '../../../../src/core/lib/filter/format-filter.ts';
import { quoteForShell } from '../../../../src/core/lib/text/quote-for-shell.ts';
import { formatPlural } from '../../../../src/look/report/format.ts';
import { storeFlag } from '../../../../src/look/report/phrase.ts';
import type { ReviewList } from '../../../../src/core/schema/api/review/list.ts';
import { type NewTaskRequest, newTaskSchema } from '../../../../src/core/schema/api/review/request.ts';
import type { RunView } from '../../../../src/core/schema/api/run-view.ts';
import type { TrialRow } from '../../../../src/core/schema/api/trial-row.ts';
import { useReviews } from '../../data/people/use-bar.ts';
import { useChange } from '../../data/use-changes.ts';
import { focusOnce } from '../../keys/focus.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { Button } from '../../parts/button.tsx';
import { CommandLine } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';

interface AskPeopleOptions {
  readonly view: RunView;
  /** The selected answers. */
  readonly rows: readonly TrialRow[];
}

/** A button that creates a review task of the selected answers, and leads to it; or says with which command it is created. */
export function AskPeople({ view, rows }: AskPeopleOptions) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const show = (): void => {
    setIsOpen(true);
    dialog.current?.showModal();
  };
  useKeys([{ keys: 'P', does: 'Ask people about the selected answers', run: show }]);
  return (
    <>
      <Button onClick={show}>Ask people…</Button>
      <Dialog ref={dialog} title={`Ask people about ${formatPlural(rows.length, 'answer')}`}>
        {isOpen && <Choice view={view} rows={rows} />}
      </Dialog>
    </>
  );
}

function Choice({ view, rows }: AskPeopleOptions) {
  const { data, error } = useReviews();
  if (data === undefined) return error === null ? <Skeleton /> : <ErrorPanel error={error} />;
  return (
    <div className="space-y-4">
      <p>
        A review task of exactly these answers. They are picked by hand, so no rate is estimated from their
        labels.
      </p>
      {data.mayCreate ? (
        <NewTask list={data} run={view.run.id} ordinals={rows.map(({ ordinal }) => ordinal)} />
      ) : (
        <>
          <p>
            You cannot create review tasks here. Somebody with access to the store can, with this command:
          </p>
          <CommandLine text={commandFor(view, rows, data)} />
        </>
      )}
    </div>
  );
}

/** Returns the command that draws the answers; it names their cases, targets and attempts. */
function commandFor(
  { run, storeFolder }: RunView,
  rows: readonly TrialRow[],
  { questions }: ReviewList,
): string {
  const [rubric = 'NAME'] = questions.map((each) => each.rubric);
  const among = (field: string, values: readonly (string | number)[]) =>
    equalTo(field, [...new Set(values.map(String))]);
  const terms = [
    among(
      'id',
      rows.map(({ caseId }) => caseId),
    ),
  ];
  if (run.targets.length > 1)
    terms.push(
      among(
        'target',
        rows.map(({ target }) => target),
      ),
    );
  if (run.attempts > 1) {
    const attempts = [...new Set(rows.map(({ attempt }) => attempt))];
    terms.push({ field: 'attempt', operator: '=', values: attempts });
  }
  const filter = quoteForShell(formatFilter(terms));
  const command = `touchstone review create --run ${run.id} --rubric ${quoteForShell(rubric)} --draw by-hand --filter ${filter}`;
  return storeFolder === undefined ? command : `${command} ${storeFlag(storeFolder)}`;
}

interface NewTaskOptions {
  readonly list: ReviewList;
  readonly run: string;
  readonly ordinals: readonly number[];
}

/** The form of a task: a question that was asked before, or a new one. */
function NewTask({ list: { questions, person }, run, ordinals }: NewTaskOptions) {
  const [id, help] = [useId(), useId()];
  const navigate = useNavigate();
  const [rubric, setRubric] = useState(questions[0]?.rubric ?? '');
  const [question, setQuestion] = useState('');
  const { mutate, error, isPending } = useCreateTask();
  const isNew = rubric === '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const asks = isNew ? { question: question.trim() } : { rubric };
        const newTask = { run, ordinals: [...ordinals], asks, person };
        mutate(newTask, {
          onSuccess: (task) => void navigate({ to: '/reviews/$task', params: { task } }),
        });
      }}
      className="space-y-4"
    >
      {questions.length > 0 && (
        <fieldset>
          <legend className="mb-1">Question</legend>
          {[...questions, { rubric: '', question: 'A new question' }].map((each, place) => (
            <label key={each.rubric} className="flex items-baseline gap-2 py-0.5">
              <input
                ref={place === 0 ? focusOnce : undefined}
                type="radio"
                name={id}
                checked={rubric === each.rubric}
                onChange={() => setRubric(each.rubric)}
              />
              <PlainText text={each.question} />
            </label>
          ))}
        </fieldset>
      )}
      {isNew && (
        <label className="block">
          {questions.length > 0 ? 'New question' : 'Question'}
          <input
            ref={questions.length === 0 ? focusOnce : undefined}
            required
            maxLength={1000}
            value={question}
            placeholder="Does the answer help the person?"
            onChange={({ target }) => setQuestion(target.value)}
            aria-describedby={help}
            className="mt-1 block h-8 w-full rounded-md border border-line bg-page px-2"
          />
          <span id={help} className="text-quiet">
            People answer it with yes or no. Other scales are in rubrics of the config.
          </span>
        </label>
      )}
      <ErrorPanel error={error} />
      <Button type="submit" look="main" disabled={isPending}>
        Create the review task
      </Button>
    </form>
  );
}

/** Returns the mutation that creates a review task of answers that were picked by hand, and answers its id. */
function useCreateTask() {
  return useChange(async (send, newTask: NewTaskRequest) => {
    return newTaskSchema.parse(await send('POST', '/reviews', newTask)).task;
  });
}
