CREATE SCHEMA old;
CREATE FUNCTION old.audit_keeps() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    IF OLD.number > (SELECT coalesce(max(number), 0) FROM audit_cut) THEN
      RAISE EXCEPTION 'entries of the audit log are never changed';
    END IF;
    RETURN OLD;
  END $$;
CREATE FUNCTION old.audit_refuses() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  BEGIN
    RAISE EXCEPTION 'entries of the audit log are never changed';
  END $$;
CREATE FUNCTION old.cases_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT run AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    UPDATE totals SET cases = totals.cases + counted.rows FROM counted WHERE totals.run = counted.key;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.cases_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT run AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    UPDATE totals SET cases = totals.cases - counted.rows FROM counted WHERE totals.run = counted.key;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.certificates_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT 'certificates' AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    INSERT INTO feedback_totals AS total (name, number) SELECT counted.key, counted.rows FROM counted
      ON CONFLICT (name) DO UPDATE SET number = total.number + excluded.number;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.certificates_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT 'certificates' AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    UPDATE feedback_totals SET number = feedback_totals.number - counted.rows FROM counted
      WHERE feedback_totals.name = counted.key;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.feedback_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT 'feedback' AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    INSERT INTO feedback_totals AS total (name, number) SELECT counted.key, counted.rows FROM counted
      ON CONFLICT (name) DO UPDATE SET number = total.number + excluded.number;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.feedback_matches_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT 'feedback_matches' AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    INSERT INTO feedback_totals AS total (name, number) SELECT counted.key, counted.rows FROM counted
      ON CONFLICT (name) DO UPDATE SET number = total.number + excluded.number;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.feedback_matches_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT 'feedback_matches' AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    UPDATE feedback_totals SET number = feedback_totals.number - counted.rows FROM counted
      WHERE feedback_totals.name = counted.key;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.feedback_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT 'feedback' AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    UPDATE feedback_totals SET number = feedback_totals.number - counted.rows FROM counted
      WHERE feedback_totals.name = counted.key;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.judgement_uses_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT run AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    UPDATE totals SET judgement_uses = totals.judgement_uses + counted.rows FROM counted WHERE totals.run = counted.key;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.judgement_uses_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT run AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    UPDATE totals SET judgement_uses = totals.judgement_uses - counted.rows FROM counted WHERE totals.run = counted.key;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.labels_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT task AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    INSERT INTO review_totals AS total (task, labels) SELECT counted.key, counted.rows FROM counted
      ON CONFLICT (task) DO UPDATE SET labels = total.labels + excluded.labels;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.labels_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT task AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    UPDATE review_totals SET labels = review_totals.labels - counted.rows FROM counted
      WHERE review_totals.task = counted.key;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.proposal_decisions_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT 'proposal_decisions' AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    INSERT INTO proposal_totals AS total (name, number) SELECT counted.key, counted.rows FROM counted
      ON CONFLICT (name) DO UPDATE SET number = total.number + excluded.number;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.proposal_decisions_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT 'proposal_decisions' AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    UPDATE proposal_totals SET number = proposal_totals.number - counted.rows FROM counted
      WHERE proposal_totals.name = counted.key;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.proposal_exports_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT 'proposal_exports' AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    INSERT INTO proposal_totals AS total (name, number) SELECT counted.key, counted.rows FROM counted
      ON CONFLICT (name) DO UPDATE SET number = total.number + excluded.number;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.proposal_exports_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT 'proposal_exports' AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    UPDATE proposal_totals SET number = proposal_totals.number - counted.rows FROM counted
      WHERE proposal_totals.name = counted.key;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.proposals_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT 'proposals' AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    INSERT INTO proposal_totals AS total (name, number) SELECT counted.key, counted.rows FROM counted
      ON CONFLICT (name) DO UPDATE SET number = total.number + excluded.number;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.proposals_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT 'proposals' AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    UPDATE proposal_totals SET number = proposal_totals.number - counted.rows FROM counted
      WHERE proposal_totals.name = counted.key;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.refused_calibrations_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT 'refused_calibrations' AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    INSERT INTO feedback_totals AS total (name, number) SELECT counted.key, counted.rows FROM counted
      ON CONFLICT (name) DO UPDATE SET number = total.number + excluded.number;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.refused_calibrations_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT 'refused_calibrations' AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    UPDATE feedback_totals SET number = feedback_totals.number - counted.rows FROM counted
      WHERE feedback_totals.name = counted.key;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.review_items_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT task AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    INSERT INTO review_totals AS total (task, review_items) SELECT counted.key, counted.rows FROM counted
      ON CONFLICT (task) DO UPDATE SET review_items = total.review_items + excluded.review_items;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.review_items_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT task AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    UPDATE review_totals SET review_items = review_totals.review_items - counted.rows FROM counted
      WHERE review_totals.task = counted.key;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.scores_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT run AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    UPDATE totals SET scores = totals.scores + counted.rows FROM counted WHERE totals.run = counted.key;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.scores_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT run AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    UPDATE totals SET scores = totals.scores - counted.rows, scores_removed = totals.scores_removed + counted.rows FROM counted WHERE totals.run = counted.key;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.trials_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT run AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    UPDATE totals SET trials = totals.trials + counted.rows FROM counted WHERE totals.run = counted.key;
    RETURN NULL;
  END $$;
CREATE FUNCTION old.trials_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'old'
    AS $$
  BEGIN
    WITH counted AS (SELECT run AS key, count(*) AS rows FROM changed_rows GROUP BY 1)
    UPDATE totals SET trials = totals.trials - counted.rows FROM counted WHERE totals.run = counted.key;
    RETURN NULL;
  END $$;
CREATE TABLE old.accounts (
    name text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL COLLATE pg_catalog."C",
    record text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE old.audit (
    number bigint NOT NULL,
    version text NOT NULL COLLATE pg_catalog."C",
    entry text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE old.audit_cut (
    number bigint NOT NULL
);
CREATE TABLE old.baselines (
    name text NOT NULL COLLATE pg_catalog."C",
    run_id text NOT NULL COLLATE pg_catalog."C",
    run_created_at text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE old.cases (
    run bigint NOT NULL,
    "position" bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    category text COLLATE pg_catalog."C",
    tags text NOT NULL COLLATE pg_catalog."C",
    cluster text COLLATE pg_catalog."C",
    place text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE old.certificates (
    id text NOT NULL COLLATE pg_catalog."C",
    judge text NOT NULL COLLATE pg_catalog."C",
    metric text NOT NULL COLLATE pg_catalog."C",
    fingerprint text NOT NULL COLLATE pg_catalog."C",
    run_id text NOT NULL COLLATE pg_catalog."C",
    made_at text NOT NULL COLLATE pg_catalog."C",
    valid_until text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE old.claims (
    run bigint NOT NULL,
    token bigint NOT NULL,
    owner text NOT NULL,
    until timestamp with time zone NOT NULL,
    part text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C"
)
WITH (fillfactor='50');
CREATE TABLE old.erased_traces (
    id text NOT NULL COLLATE pg_catalog."C",
    erased_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE old.feedback (
    id text NOT NULL COLLATE pg_catalog."C",
    given_at text NOT NULL COLLATE pg_catalog."C",
    received_at text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    signal text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE old.feedback_keys (
    id text NOT NULL COLLATE pg_catalog."C",
    secret text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE old.feedback_matches (
    feedback text NOT NULL COLLATE pg_catalog."C",
    run_id text NOT NULL COLLATE pg_catalog."C",
    ordinal bigint NOT NULL,
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE old.feedback_totals (
    name text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE old.feedback_traces (
    feedback text NOT NULL COLLATE pg_catalog."C",
    trace text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE old.feedback_waiting (
    feedback text NOT NULL COLLATE pg_catalog."C",
    until text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE old.judgement_uses (
    run bigint NOT NULL,
    judgement text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE old.judgements (
    id text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    asked_in text NOT NULL COLLATE pg_catalog."C",
    asked_at text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE old.labels (
    id text NOT NULL COLLATE pg_catalog."C",
    task text NOT NULL COLLATE pg_catalog."C",
    item bigint,
    rubric text NOT NULL COLLATE pg_catalog."C",
    rubric_version text NOT NULL COLLATE pg_catalog."C",
    person text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    purpose text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    value text COLLATE pg_catalog."C",
    blind bigint NOT NULL,
    given_at text NOT NULL COLLATE pg_catalog."C",
    seconds double precision,
    replaces text COLLATE pg_catalog."C",
    run_id text COLLATE pg_catalog."C",
    case_hash text NOT NULL COLLATE pg_catalog."C",
    answer_hash text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE old.layout (
    number bigint NOT NULL
);
CREATE TABLE old.proposal_decisions (
    id text NOT NULL COLLATE pg_catalog."C",
    proposal text NOT NULL COLLATE pg_catalog."C",
    decided_at text NOT NULL COLLATE pg_catalog."C",
    person text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE old.proposal_exports (
    id text NOT NULL COLLATE pg_catalog."C",
    proposal text NOT NULL COLLATE pg_catalog."C",
    decision text NOT NULL COLLATE pg_catalog."C",
    file text NOT NULL COLLATE pg_catalog."C",
    case_id text NOT NULL COLLATE pg_catalog."C",
    written_at text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE old.proposal_totals (
    name text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE old.proposals (
    id text NOT NULL COLLATE pg_catalog."C",
    dataset text NOT NULL COLLATE pg_catalog."C",
    made_at text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    trace_id text COLLATE pg_catalog."C",
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE old.questions (
    key text NOT NULL COLLATE pg_catalog."C",
    run bigint NOT NULL,
    part text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE old.refused_calibrations (
    id text NOT NULL COLLATE pg_catalog."C",
    judge text NOT NULL COLLATE pg_catalog."C",
    metric text NOT NULL COLLATE pg_catalog."C",
    fingerprint text NOT NULL COLLATE pg_catalog."C",
    run_id text NOT NULL COLLATE pg_catalog."C",
    made_at text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE old.reservations (
    task text NOT NULL COLLATE pg_catalog."C",
    item bigint NOT NULL,
    person text NOT NULL COLLATE pg_catalog."C",
    purpose text NOT NULL COLLATE pg_catalog."C",
    until text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE old.runs (
    number bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    listed_at text NOT NULL COLLATE pg_catalog."C",
    trials_of bigint NOT NULL,
    trials_per_case bigint NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    finished_at text COLLATE pg_catalog."C",
    description text COLLATE pg_catalog."C",
    continues text COLLATE pg_catalog."C",
    rescored_from text COLLATE pg_catalog."C",
    head text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE old.scores (
    run bigint NOT NULL,
    ordinal bigint NOT NULL,
    total double precision,
    passed bigint,
    grade text COLLATE pg_catalog."C",
    outcome text COLLATE pg_catalog."C",
    metrics text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE old.trials (
    run bigint NOT NULL,
    ordinal bigint NOT NULL,
    "position" bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    target text NOT NULL COLLATE pg_catalog."C",
    attempt bigint NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    error_code text COLLATE pg_catalog."C",
    cost double precision,
    latency_ms double precision,
    input_tokens bigint,
    output_tokens bigint,
    steps bigint,
    tool_calls bigint,
    retries bigint NOT NULL,
    started_at text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE VIEW old.results AS
 SELECT runs.id AS run_id,
    trials.ordinal,
    cases.id AS case_id,
    cases.category,
    cases.cluster,
    trials.target,
    trials.attempt,
    trials.status,
    trials.error_code,
    scores.total,
    scores.passed,
    scores.grade,
    scores.outcome,
    trials.cost,
    trials.latency_ms,
    trials.input_tokens,
    trials.output_tokens,
    trials.steps,
    trials.tool_calls,
    trials.retries,
    trials.started_at,
    cases.tags,
    scores.metrics,
    cases.record AS case_record,
    trials.record AS trial_record,
    scores.record AS score_record
   FROM (((old.runs
     JOIN old.trials ON ((trials.run = runs.trials_of)))
     JOIN old.cases ON (((cases.run = runs.trials_of) AND (cases."position" = trials."position"))))
     LEFT JOIN old.scores ON (((scores.run = runs.number) AND (scores.ordinal = trials.ordinal))));
CREATE TABLE old.review_items (
    task text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    people bigint NOT NULL,
    run_id text COLLATE pg_catalog."C",
    ordinal bigint,
    case_hash text NOT NULL COLLATE pg_catalog."C",
    answer_hash text NOT NULL COLLATE pg_catalog."C",
    stratum text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE old.review_tasks (
    id text NOT NULL COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    run_id text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE old.review_totals (
    task text NOT NULL COLLATE pg_catalog."C",
    review_items bigint DEFAULT 0 NOT NULL,
    labels bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE old.rubric_equivalences (
    id text NOT NULL COLLATE pg_catalog."C",
    rubric text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE old.rubrics (
    id text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL COLLATE pg_catalog."C",
    criterion text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE old.shared (
    name text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL COLLATE pg_catalog."C",
    record text NOT NULL COLLATE pg_catalog."C"
)
WITH (fillfactor='50');
CREATE TABLE old.spans (
    trace text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    record json NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE old.totals (
    run bigint NOT NULL,
    cases bigint DEFAULT 0 NOT NULL,
    trials bigint DEFAULT 0 NOT NULL,
    scores bigint DEFAULT 0 NOT NULL,
    judgement_uses bigint DEFAULT 0 NOT NULL,
    scores_removed bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');
ALTER TABLE old.totals ALTER COLUMN run ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME old.totals_run_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE old.traces (
    id text NOT NULL COLLATE pg_catalog."C",
    conversation text COLLATE pg_catalog."C",
    user_key text COLLATE pg_catalog."C",
    user_hash text COLLATE pg_catalog."C",
    started_at text COLLATE pg_catalog."C",
    received_at text NOT NULL COLLATE pg_catalog."C",
    open_until text NOT NULL COLLATE pg_catalog."C",
    spans bigint NOT NULL
);
CREATE TABLE old.writers (
    id text NOT NULL,
    writes bigint NOT NULL
)
WITH (fillfactor='50');
INSERT INTO old.baselines VALUES ('main', '20260102-030405-abcd', '2026-01-02T03:04:05.678Z', '{"touchstoneBaseline":1,"name":"main","run":{"id":"20260102-030405-abcd","createdAt":"2026-01-02T03:04:05.678Z","touchstoneVersion":"0.0.0","attempts":2},"scorecard":null,"metrics":[],"targets":[{"name":"bot","fingerprint":"f","cases":[{"id":"c Ann Onym","hash":"h","score":0.5,"passed":null,"metrics":{}}]}]}', 1680894262);
INSERT INTO old.cases VALUES (2, 0, 'a', NULL, '[]', NULL, 'a.jsonl:1', '6973206f757220616464726573733f22', '{"id":"a","input":"What is our address?","tags":[],"expected":{},"metadata":{}}', 370296478);
INSERT INTO old.cases VALUES (2, 1, 'b', NULL, '[]', NULL, 'a.jsonl:2', '22636f6e74656e74223a226869227d5d', '{"id":"b","input":[{"role":"user","content":"hi"}],"tags":[],"expected":{},"metadata":{}}', 2639901601);
INSERT INTO old.cases VALUES (2, 2, 'c Ann Onym', 'x', '["Ann Onym","vip"]', NULL, 'a.jsonl:3', '4920616d20416e6e204f6e796d227d5d', '{"id":"c Ann Onym","input":[{"role":"system","content":"Be kind."},{"role":"user","content":"I am Ann Onym"}],"tags":["Ann Onym","vip"],"expected":{"answer":"Hello Ann Onym","keywords":["Ann Onym"],"passMark":0.5},"metadata":{"Ann Onym":{"deep":["Ann Onym"]}},"category":"x","context":"Ann Onym"}', 3067416806);
INSERT INTO old.certificates VALUES ('852e89f1e781fcc251054a640219aa8e', 'gpt-5-mini', 'politeness', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', '20260102-030405-abcd', '2026-02-01T00:00:00.000Z', '2026-05-02T00:00:00.000Z', '{"version":1,"madeAt":"2026-02-01T00:00:00.000Z","validUntil":"2026-05-02T00:00:00.000Z","touchstoneVersion":"0.0.0","calibration":{"judge":{"name":"gpt-5-mini","fingerprint":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","models":["gpt-5-mini-2026"]},"metric":{"name":"politeness","fingerprint":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"},"rubric":{"id":"tone","version":"66666666666666666666666666666666"},"run":"20260102-030405-abcd","task":"task-1","frame":{"run":"20260102-030405-abcd","filter":[],"count":100,"hash":"ffffffffffffffffffffffffffffffff","excluded":[]},"draw":{"type":"random"},"population":{"dataset":"22222222222222222222222222222222","targets":[{"name":"bot","fingerprint":"cccccccccccccccccccccccccccccccc"}],"categories":[{"category":"billing","answers":700,"cases":700},{"category":"legal","answers":300,"cases":300}],"at":"2026-01-02T03:04:05.678Z"},"labels":{"ids":["l1","l2"],"hash":"dddddddddddddddddddddddddddddddd"},"split":{"part":"all","why":"All labels count.","tuning":0},"answers":200,"leftOut":{"open":0,"disputed":0,"notApplicable":0,"notBlind":0,"noVerdict":0},"table":{"truePositives":138,"falseNegatives":12,"falsePositives":9,"trueNegatives":41},"byCategory":[],"byTarget":[],"rates":{"truePositiveRate":{"value":0.92,"lower":0.8653786362494686,"upper":0.953646358481347,"n":150,"confidence":0.95,"method":"wilson"},"trueNegativeRate":{"value":0.82,"lower":0.6920394632569922,"upper":0.9022980732976582,"n":50,"confidence":0.95,"method":"wilson"},"positivePredictiveValue":{"value":0.9387755102040817,"lower":0.8877440502646413,"upper":0.9674584982160312,"n":147,"confidence":0.95,"method":"wilson"},"negativePredictiveValue":{"value":0.7735849056603774,"lower":0.6447372974853898,"upper":0.8654536898972573,"n":53,"confidence":0.95,"method":"wilson"},"agreement":{"value":0.895,"lower":0.8448196800887695,"upper":0.9302925120731899,"n":200,"confidence":0.95,"method":"wilson"},"kappa":{"value":0.725,"lower":0.6593166064233036,"upper":0.7822029967069264,"n":200,"confidence":0.95,"method":"wilson"},"ac1":{"value":0.83,"lower":0.7718411637168738,"upper":0.8757209208741302,"n":200,"confidence":0.95,"method":"wilson"}},"people":{"people":0,"items":0,"agreement":{"value":1,"lower":0.2065493143772375,"upper":1,"n":1,"confidence":0.95,"method":"wilson"},"kappa":{"value":1,"lower":0.2065493143772375,"upper":1,"n":1,"confidence":0.95,"method":"wilson"},"ac1":{"value":1,"lower":0.2065493143772375,"upper":1,"n":1,"confidence":0.95,"method":"wilson"}},"rate":{"judge":{"value":0.739,"n":1000},"people":{"value":0.75,"lower":0.6856590168795417,"upper":0.8049183199318249,"n":200,"confidence":0.95,"method":"wilson"},"method":"ppi","why":"The labels were drawn at random from these answers.","corrected":{"value":0.752875,"lower":0.704227,"upper":0.795841,"n":1000,"confidence":0.95,"method":"ppi-wilson"},"ofRun":null,"caution":null,"worth":1.7},"ofTargets":[],"leastAgreement":0.4,"conditions":[{"id":"labels","isRequired":true,"state":"met","sentence":"Enough labels."}]},"id":"852e89f1e781fcc251054a640219aa8e"}', 966067179);
INSERT INTO old.erased_traces VALUES ('t-gone', '2026-01-02T11:00:00.000Z');
INSERT INTO old.erased_traces VALUES ('never-came', '2026-01-02T11:00:00.000Z');
INSERT INTO old.feedback VALUES ('f1', '2026-01-02T10:00:00.000Z', '2026-01-02T10:00:01.000Z', 'web', 'text', '{"id":"f1","at":"2026-01-02T10:00:00.000Z","source":"web","signal":"text","subject":{"trialKey":"none"},"receivedAt":"2026-01-02T10:00:01.000Z","text":"write to Ann Onym"}', 2362167263);
INSERT INTO old.feedback VALUES ('f2', '2026-01-02T10:00:00.000Z', '2026-01-02T10:00:01.000Z', 'web', 'thumb', '{"id":"f2","at":"2026-01-02T10:00:00.000Z","source":"web","signal":"thumb","value":"up","subject":{"trialKey":"00000000000000000000000000000004"},"receivedAt":"2026-01-02T10:00:01.000Z","text":"it knew me"}', 3054131513);
INSERT INTO old.feedback VALUES ('f3', '2026-01-02T10:00:00.000Z', '2026-01-02T10:00:01.000Z', 'web', 'thumb', '{"id":"f3","at":"2026-01-02T10:00:00.000Z","source":"web","signal":"thumb","value":"up","subject":{"trialKey":"00000000000000000000000000000000"},"receivedAt":"2026-01-02T10:00:01.000Z","text":"of another answer"}', 87759173);
INSERT INTO old.feedback VALUES ('of-trace', '2026-01-02T10:00:00.000Z', '2026-01-02T10:00:01.000Z', 'web', 'thumb', '{"id":"of-trace","at":"2026-01-02T10:00:00.000Z","source":"web","signal":"thumb","value":"up","subject":{"traceId":"t-talk-1"},"receivedAt":"2026-01-02T10:00:01.000Z"}', 274759522);
INSERT INTO old.feedback VALUES ('of-turn', '2026-01-02T10:00:00.000Z', '2026-01-02T10:00:01.000Z', 'web', 'thumb', '{"id":"of-turn","at":"2026-01-02T10:00:00.000Z","source":"web","signal":"thumb","value":"up","subject":{"conversation":"talk","turn":2},"receivedAt":"2026-01-02T10:00:01.000Z","user":{"key":"0123456789ab","hash":"h1"}}', 3708166230);
INSERT INTO old.feedback VALUES ('too-late', '2026-01-02T10:00:00.000Z', '2025-01-01T00:00:00.000Z', 'web', 'thumb', '{"id":"too-late","at":"2026-01-02T10:00:00.000Z","source":"web","signal":"thumb","value":"up","subject":{"traceId":"unknown"},"receivedAt":"2025-01-01T00:00:00.000Z"}', 3015317473);
INSERT INTO old.feedback_keys VALUES ('0123456789ab', 'abababababababababababababababababababababababababababababababab');
INSERT INTO old.feedback_matches VALUES ('f2', '20260102-030405-abcd', 4, '{"feedback":"f2","run":"20260102-030405-abcd","ordinal":4,"trialKey":"00000000000000000000000000000004","caseId":"c Ann Onym","category":"x","target":"bot","answeredAt":"2026-01-02T03:04:05.678Z"}', 1399708098);
INSERT INTO old.feedback_matches VALUES ('f3', '20260102-030405-abcd', 0, '{"feedback":"f3","run":"20260102-030405-abcd","ordinal":0,"trialKey":"00000000000000000000000000000000","caseId":"a","category":null,"target":"bot","answeredAt":"2026-01-02T03:04:05.678Z"}', 157652803);
INSERT INTO old.feedback_totals VALUES ('feedback_matches', 2);
INSERT INTO old.feedback_totals VALUES ('certificates', 1);
INSERT INTO old.feedback_totals VALUES ('refused_calibrations', 1);
INSERT INTO old.feedback_totals VALUES ('feedback', 6);
INSERT INTO old.feedback_traces VALUES ('of-trace', 't-talk-1');
INSERT INTO old.feedback_traces VALUES ('of-turn', 't-talk-2');
INSERT INTO old.feedback_waiting VALUES ('f1', '2026-01-09T10:00:01.000Z');
INSERT INTO old.feedback_waiting VALUES ('of-trace', '2026-01-09T10:00:01.000Z');
INSERT INTO old.feedback_waiting VALUES ('of-turn', '2026-01-09T10:00:01.000Z');
INSERT INTO old.judgement_uses VALUES (2, '00000000000000000000000000000065');
INSERT INTO old.judgement_uses VALUES (2, '00000000000000000000000000000066');
INSERT INTO old.judgements VALUES ('00000000000000000000000000000065', '000000000000000000000000000000c9', '20260102-030405-abcd', '2026-01-02T03:04:01.000Z', 'answered', '{"id":"00000000000000000000000000000065","key":"000000000000000000000000000000c9","judge":{"name":"judge","fingerprint":"55555555555555555555555555555555"},"question":{"id":"relevance@1","shape":"score","sample":1},"askedIn":"20260102-030405-abcd","askedAt":"2026-01-02T03:04:01.000Z","outcome":{"status":"answered","answer":{"reason":"Ann Onym","score":0.5}},"calls":[{"id":"call-1","startedAt":"2026-01-02T03:04:01.000Z","prompt":[{"role":"user","content":"Judge Ann Onym"}],"parameters":{"responseSchema":{"type":"object"}},"model":"judge","reply":"Ann Onym","usage":{"inputTokens":10},"attempts":[{"startedAt":"2026-01-02T03:04:01.000Z","waitedMs":0,"latencyMs":1.5,"status":200}],"reasoning":"Ann Onym"}]}', 2100482192);
INSERT INTO old.judgements VALUES ('00000000000000000000000000000066', '000000000000000000000000000000ca', '20260102-030405-abcd', '2026-01-02T03:04:02.000Z', 'answered', '{"id":"00000000000000000000000000000066","key":"000000000000000000000000000000ca","judge":{"name":"judge","fingerprint":"55555555555555555555555555555555"},"question":{"id":"relevance@1","shape":"score","sample":1},"askedIn":"20260102-030405-abcd","askedAt":"2026-01-02T03:04:02.000Z","outcome":{"status":"answered","answer":{"reason":"nul \u0000, high 🙂","score":0.5}},"calls":[{"id":"call-2","startedAt":"2026-01-02T03:04:02.000Z","prompt":[{"role":"system","content":"You judge: \u0000 🙂."},{"role":"user","content":"Judge it."}],"parameters":{"responseSchema":{"type":"object"}},"model":"judge","reply":"{}","usage":{"inputTokens":10},"attempts":[{"startedAt":"2026-01-02T03:04:02.000Z","waitedMs":0,"latencyMs":1.5,"status":200}]}]}', 797046146);
INSERT INTO old.judgements VALUES ('00000000000000000000000000000067', '000000000000000000000000000000cb', 'draft:trace-1', '2026-01-02T03:04:03.000Z', 'answered', '{"id":"00000000000000000000000000000067","key":"000000000000000000000000000000cb","judge":{"name":"judge","fingerprint":"55555555555555555555555555555555"},"question":{"id":"relevance@1","shape":"score","sample":1},"askedIn":"draft:trace-1","askedAt":"2026-01-02T03:04:03.000Z","outcome":{"status":"answered","answer":{"reason":"nul \u0000, high 🙂","score":0.5}},"calls":[{"id":"call-3","startedAt":"2026-01-02T03:04:03.000Z","prompt":[{"role":"system","content":"You judge: \u0000 🙂."},{"role":"user","content":"Judge it."}],"parameters":{"responseSchema":{"type":"object"}},"model":"judge","reply":"{}","usage":{"inputTokens":10},"attempts":[{"startedAt":"2026-01-02T03:04:03.000Z","waitedMs":0,"latencyMs":1.5,"status":200}]}]}', 1971752566);
INSERT INTO old.labels VALUES ('l1', 'task-1', 0, 'tone', '66666666666666666666666666666666', 'ann', 'label', 'new', 'answered', 'true', 1, '2026-01-03T09:00:00.000Z', 30, NULL, '20260102-030405-abcd', 'c4000000000000000000000000000000', 'b4000000000000000000000000000000', '{"id":"l1","subject":{"trialKey":"00000000000000000000000000000004","answerHash":"b4000000000000000000000000000000","caseHash":"c4000000000000000000000000000000","caseId":"c Ann Onym","target":"bot","attempt":1,"run":"20260102-030405-abcd","ordinal":4},"rubric":{"id":"tone","version":"66666666666666666666666666666666"},"kind":"label","purpose":"new","outcome":{"status":"answered","value":true},"by":{"person":"ann","role":"reviewer"},"at":"2026-01-03T09:00:00.000Z","seconds":30,"blind":{"verdict":"hidden","score":"hidden","others":"hidden","target":"hidden"},"task":"task-1","item":0,"draw":{"frame":"ffffffffffffffffffffffffffffffff","stratum":"all","probability":0.1,"seed":7},"note":"Ann Onym","spans":[{"start":0,"end":3,"text":"Ann Onym"}]}', 3241495105);
INSERT INTO old.labels VALUES ('l2', 'task-1', 0, 'why', '66666666666666666666666666666666', 'ann', 'label', 'new', 'answered', '"she is impatient"', 1, '2026-01-03T09:00:00.000Z', 30, NULL, '20260102-030405-abcd', 'c4000000000000000000000000000000', 'b4000000000000000000000000000000', '{"id":"l2","subject":{"trialKey":"00000000000000000000000000000004","answerHash":"b4000000000000000000000000000000","caseHash":"c4000000000000000000000000000000","caseId":"c Ann Onym","target":"bot","attempt":1,"run":"20260102-030405-abcd","ordinal":4},"rubric":{"id":"why","version":"66666666666666666666666666666666"},"kind":"label","purpose":"new","outcome":{"status":"answered","value":"she is impatient"},"by":{"person":"ann","role":"reviewer"},"at":"2026-01-03T09:00:00.000Z","seconds":30,"blind":{"verdict":"hidden","score":"hidden","others":"hidden","target":"hidden"},"task":"task-1","item":0,"draw":{"frame":"ffffffffffffffffffffffffffffffff","stratum":"all","probability":0.1,"seed":7}}', 1928741060);
INSERT INTO old.labels VALUES ('l3', 'task-1', 1, 'tone', '66666666666666666666666666666666', 'ann', 'label', 'new', 'answered', 'true', 1, '2026-01-03T09:00:00.000Z', 30, NULL, '20260102-030405-abcd', 'c1000000000000000000000000000000', 'b1000000000000000000000000000000', '{"id":"l3","subject":{"trialKey":"a1000000000000000000000000000000","answerHash":"b1000000000000000000000000000000","caseHash":"c1000000000000000000000000000000","caseId":"case 1","target":"bot","attempt":1,"run":"20260102-030405-abcd","ordinal":1},"rubric":{"id":"tone","version":"66666666666666666666666666666666"},"kind":"label","purpose":"new","outcome":{"status":"answered","value":true},"by":{"person":"ann","role":"reviewer"},"at":"2026-01-03T09:00:00.000Z","seconds":30,"blind":{"verdict":"hidden","score":"hidden","others":"hidden","target":"hidden"},"task":"task-1","item":1,"draw":{"frame":"ffffffffffffffffffffffffffffffff","stratum":"all","probability":0.1,"seed":7},"note":"of another answer"}', 3027200619);
INSERT INTO old.labels VALUES ('free', '', NULL, 'tone', '66666666666666666666666666666666', 'ann', 'label', 'new', 'answered', 'true', 1, '2026-01-03T09:00:00.000Z', 30, NULL, '20260102-030405-abcd', 'c0000000000000000000000000000000', 'b0000000000000000000000000000000', '{"id":"free","subject":{"trialKey":"a0000000000000000000000000000000","answerHash":"b0000000000000000000000000000000","caseHash":"c0000000000000000000000000000000","caseId":"case 0","target":"bot","attempt":1,"run":"20260102-030405-abcd","ordinal":0},"rubric":{"id":"tone","version":"66666666666666666666666666666666"},"kind":"label","purpose":"new","outcome":{"status":"answered","value":true},"by":{"person":"ann","role":"reviewer"},"at":"2026-01-03T09:00:00.000Z","seconds":30,"blind":{"verdict":"hidden","score":"hidden","others":"hidden","target":"hidden"},"task":null,"item":null,"draw":null,"note":"long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long "}', 1060944199);
INSERT INTO old.layout VALUES (8);
INSERT INTO old.proposal_decisions VALUES ('decision-p1', 'p1', '2026-01-04T10:00:00.000Z', 'Bob', 'approved', '{"id":"decision-p1","proposal":"p1","outcome":{"status":"approved","case":{"input":"When do you open?","tags":[],"metadata":{}},"expectations":[{"expectation":0,"field":"tools","value":"hours"}]},"by":{"person":"Bob"},"at":"2026-01-04T10:00:00.000Z","note":"as she said"}', 3591463585);
INSERT INTO old.proposal_decisions VALUES ('decision-p3', 'p3', '2026-01-04T10:00:00.000Z', 'Bob', 'rejected', '{"id":"decision-p3","proposal":"p3","outcome":{"status":"rejected"},"by":{"person":"Bob"},"at":"2026-01-04T10:00:00.000Z"}', 2578405527);
INSERT INTO old.proposal_decisions VALUES ('decision-p4', 'p4', '2026-01-04T10:00:00.000Z', 'Bob', 'approved', '{"id":"decision-p4","proposal":"p4","outcome":{"status":"approved","case":{"input":"When do you open?","tags":[],"metadata":{}},"expectations":[{"expectation":0,"field":"tools","value":"hours"}]},"by":{"person":"Bob"},"at":"2026-01-04T10:00:00.000Z"}', 3240338617);
INSERT INTO old.proposal_decisions VALUES ('w', 'p4', '2026-01-04T11:00:00.000Z', 'Bob', 'withdrawn', '{"id":"w","proposal":"p4","outcome":{"status":"withdrawn"},"by":{"person":"Bob"},"at":"2026-01-04T11:00:00.000Z"}', 2797642333);
INSERT INTO old.proposal_decisions VALUES ('decision-p5', 'p5', '2026-01-04T10:00:00.000Z', 'Bob', 'approved', '{"id":"decision-p5","proposal":"p5","outcome":{"status":"approved","case":{"input":"When do you open?","tags":[],"metadata":{}},"expectations":[{"expectation":0,"field":"tools","value":"hours"}]},"by":{"person":"Bob"},"at":"2026-01-04T10:00:00.000Z"}', 998855127);
INSERT INTO old.proposal_exports VALUES ('export-p5', 'p5', 'decision-p5', 'golden.jsonl', 'p5', '2026-01-05T10:00:00.000Z', '{"id":"export-p5","proposal":"p5","decision":"decision-p5","file":"golden.jsonl","caseId":"p5","part":"golden","at":"2026-01-05T10:00:00.000Z"}', 185855632);
INSERT INTO old.proposal_totals VALUES ('proposals', 5);
INSERT INTO old.proposal_totals VALUES ('proposal_decisions', 5);
INSERT INTO old.proposal_totals VALUES ('proposal_exports', 1);
INSERT INTO old.proposals VALUES ('p1', 'golden.jsonl', '2026-01-03T10:00:00.000Z', 'label', NULL, '{"id":"p1","dataset":"golden.jsonl","change":"new","case":{"input":"Ann Onym","tags":[],"metadata":{}},"expectations":[{"field":"tools","value":"hours","proof":{"type":"span","spanId":"s2","text":"called once"}},{"field":"answer","value":"At nine.","proof":{"type":"text","text":"the answer"}}],"source":{"type":"label","label":"l1"},"picked":[{"reason":"random","why":"drawn with 1 %"}],"checks":[{"name":"duplicate","passed":true,"reason":"no case asks the same"}],"isSynthetic":false,"by":{"type":"person","name":"Ann"},"at":"2026-01-03T10:00:00.000Z"}', 891057836);
INSERT INTO old.proposals VALUES ('p2', 'golden.jsonl', '2026-01-03T10:00:00.000Z', 'label', NULL, '{"id":"p2","dataset":"golden.jsonl","change":"new","case":{"input":"When do you open?","tags":[],"metadata":{}},"expectations":[{"field":"tools","value":"hours","proof":{"type":"span","spanId":"s2","text":"called once"}},{"field":"answer","value":"At nine.","proof":{"type":"text","text":"the answer"}}],"source":{"type":"label","label":"l3"},"picked":[{"reason":"random","why":"drawn with 1 %"}],"checks":[{"name":"duplicate","passed":true,"reason":"no case asks the same"}],"isSynthetic":false,"by":{"type":"person","name":"Ann"},"at":"2026-01-03T10:00:00.000Z"}', 2599243775);
INSERT INTO old.proposals VALUES ('p3', 'golden.jsonl', '2026-01-03T10:00:00.000Z', 'trace', 'trace-p3', '{"id":"p3","dataset":"golden.jsonl","change":"new","case":{"input":"When do you open?","tags":[],"metadata":{}},"expectations":[{"field":"tools","value":"hours","proof":{"type":"span","spanId":"s2","text":"called once"}},{"field":"answer","value":"At nine.","proof":{"type":"text","text":"the answer"}}],"source":{"type":"trace","traceId":"trace-p3","day":"2026-01-02"},"picked":[{"reason":"random","why":"drawn with 1 %"}],"checks":[{"name":"duplicate","passed":true,"reason":"no case asks the same"}],"isSynthetic":false,"by":{"type":"person","name":"Ann"},"at":"2026-01-03T10:00:00.000Z"}', 1074539545);
INSERT INTO old.proposals VALUES ('p4', 'golden.jsonl', '2026-01-03T10:00:00.000Z', 'trace', 'trace-p4', '{"id":"p4","dataset":"golden.jsonl","change":"new","case":{"input":"When do you open?","tags":[],"metadata":{}},"expectations":[{"field":"tools","value":"hours","proof":{"type":"span","spanId":"s2","text":"called once"}},{"field":"answer","value":"At nine.","proof":{"type":"text","text":"the answer"}}],"source":{"type":"trace","traceId":"trace-p4","day":"2026-01-02"},"picked":[{"reason":"random","why":"drawn with 1 %"}],"checks":[{"name":"duplicate","passed":true,"reason":"no case asks the same"}],"isSynthetic":false,"by":{"type":"person","name":"Ann"},"at":"2026-01-03T10:00:00.000Z"}', 1211276982);
INSERT INTO old.proposals VALUES ('p5', 'golden.jsonl', '2026-01-03T10:00:00.000Z', 'trace', 'trace-p5', '{"id":"p5","dataset":"golden.jsonl","change":"new","case":{"input":"When do you open?","tags":[],"metadata":{}},"expectations":[{"field":"tools","value":"hours","proof":{"type":"span","spanId":"s2","text":"called once"}},{"field":"answer","value":"At nine.","proof":{"type":"text","text":"the answer"}}],"source":{"type":"trace","traceId":"trace-p5","day":"2026-01-02"},"picked":[{"reason":"random","why":"drawn with 1 %"}],"checks":[{"name":"duplicate","passed":true,"reason":"no case asks the same"}],"isSynthetic":false,"by":{"type":"person","name":"Ann"},"at":"2026-01-03T10:00:00.000Z"}', 1263958159);
INSERT INTO old.refused_calibrations VALUES ('ffffffffffffffffffffffffffffffff', 'gpt-5-mini', 'politeness', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', '20260102-030405-abcd', '2026-02-01T00:00:00.000Z', '{"version":1,"madeAt":"2026-02-01T00:00:00.000Z","touchstoneVersion":"0.0.0","calibration":{"judge":{"name":"gpt-5-mini","fingerprint":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","models":["gpt-5-mini-2026"]},"metric":{"name":"politeness","fingerprint":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"},"rubric":{"id":"tone","version":"66666666666666666666666666666666"},"run":"20260102-030405-abcd","task":"task-1","frame":{"run":"20260102-030405-abcd","filter":[],"count":100,"hash":"ffffffffffffffffffffffffffffffff","excluded":[]},"draw":{"type":"random"},"population":{"dataset":"22222222222222222222222222222222","targets":[{"name":"bot","fingerprint":"cccccccccccccccccccccccccccccccc"}],"categories":[{"category":"billing","answers":700,"cases":700},{"category":"legal","answers":300,"cases":300}],"at":"2026-01-02T03:04:05.678Z"},"labels":{"ids":["l1","l2"],"hash":"dddddddddddddddddddddddddddddddd"},"split":{"part":"all","why":"All labels count.","tuning":0},"answers":200,"leftOut":{"open":0,"disputed":0,"notApplicable":0,"notBlind":0,"noVerdict":0},"table":{"truePositives":138,"falseNegatives":12,"falsePositives":9,"trueNegatives":41},"byCategory":[],"byTarget":[],"rates":{"truePositiveRate":{"value":0.92,"lower":0.8653786362494686,"upper":0.953646358481347,"n":150,"confidence":0.95,"method":"wilson"},"trueNegativeRate":{"value":0.82,"lower":0.6920394632569922,"upper":0.9022980732976582,"n":50,"confidence":0.95,"method":"wilson"},"positivePredictiveValue":{"value":0.9387755102040817,"lower":0.8877440502646413,"upper":0.9674584982160312,"n":147,"confidence":0.95,"method":"wilson"},"negativePredictiveValue":{"value":0.7735849056603774,"lower":0.6447372974853898,"upper":0.8654536898972573,"n":53,"confidence":0.95,"method":"wilson"},"agreement":{"value":0.895,"lower":0.8448196800887695,"upper":0.9302925120731899,"n":200,"confidence":0.95,"method":"wilson"},"kappa":{"value":0.725,"lower":0.6593166064233036,"upper":0.7822029967069264,"n":200,"confidence":0.95,"method":"wilson"},"ac1":{"value":0.83,"lower":0.7718411637168738,"upper":0.8757209208741302,"n":200,"confidence":0.95,"method":"wilson"}},"people":{"people":0,"items":0,"agreement":{"value":1,"lower":0.2065493143772375,"upper":1,"n":1,"confidence":0.95,"method":"wilson"},"kappa":{"value":1,"lower":0.2065493143772375,"upper":1,"n":1,"confidence":0.95,"method":"wilson"},"ac1":{"value":1,"lower":0.2065493143772375,"upper":1,"n":1,"confidence":0.95,"method":"wilson"}},"rate":{"judge":{"value":0.739,"n":1000},"people":{"value":0.75,"lower":0.6856590168795417,"upper":0.8049183199318249,"n":200,"confidence":0.95,"method":"wilson"},"method":"ppi","why":"The labels were drawn at random from these answers.","corrected":{"value":0.752875,"lower":0.704227,"upper":0.795841,"n":1000,"confidence":0.95,"method":"ppi-wilson"},"ofRun":null,"caution":null,"worth":1.7},"ofTargets":[],"leastAgreement":0.4,"conditions":[{"id":"labels","isRequired":true,"state":"met","sentence":"Enough labels."}]},"id":"ffffffffffffffffffffffffffffffff","needs":["more labels"]}', 2721375332);
INSERT INTO old.review_items VALUES ('task-1', 0, 1, '20260102-030405-abcd', 4, 'c4000000000000000000000000000000', 'b4000000000000000000000000000000', 'all', '{"task":"task-1","position":0,"subject":{"trialKey":"00000000000000000000000000000004","answerHash":"b4000000000000000000000000000000","caseHash":"c4000000000000000000000000000000","caseId":"c Ann Onym","target":"bot","attempt":1,"run":"20260102-030405-abcd","ordinal":4},"stratum":"all","probability":0.1,"people":1}', 936433071);
INSERT INTO old.review_tasks VALUES ('task-1', '2026-01-02T03:04:05.678Z', '20260102-030405-abcd', 'open', '{"id":"task-1","createdAt":"2026-01-02T03:04:05.678Z","rubrics":[{"id":"tone","version":"66666666666666666666666666666666"}],"frame":{"run":"20260102-030405-abcd","filter":["Ann Onym"],"count":100,"hash":"ffffffffffffffffffffffffffffffff","excluded":[]},"draw":{"type":"random"},"strata":[{"name":"all","size":100,"drawn":1}],"items":1,"seed":7,"overlap":{"people":1,"share":0},"people":[],"adjudicators":[],"repeats":{"share":0,"afterMs":86400000},"controls":{"share":0},"status":"open"}', 2802211817);
INSERT INTO old.review_totals VALUES ('task-1', 1, 3);
INSERT INTO old.review_totals VALUES ('', 0, 1);
INSERT INTO old.rubric_equivalences VALUES ('e1', 'tone', '{"id":"e1","rubric":"tone","versions":["66666666666666666666666666666666","77777777777777777777777777777777"],"by":"ann","at":"2026-01-02T03:04:05.678Z"}', 1017986828);
INSERT INTO old.rubrics VALUES ('tone', '66666666666666666666666666666666', 'politeness', '{"id":"tone","version":"66666666666666666666666666666666","question":"Is the answer polite?","scale":{"type":"yes-no"},"examples":[{"type":"good","answer":"Ann Onym"}],"maySeeContext":true,"maySeeExpected":false,"criterion":"politeness","passing":[true],"settle":"agreement"}', 2139260154);
INSERT INTO old.rubrics VALUES ('why', '66666666666666666666666666666666', 'why', '{"id":"why","version":"66666666666666666666666666666666","question":"Is the answer polite?","scale":{"type":"text"},"examples":[],"maySeeContext":true,"maySeeExpected":false,"criterion":"why","passing":[true],"settle":"agreement"}', 1547643421);
INSERT INTO old.runs VALUES (2, '20260102-030405-abcd', '2026-01-02T03:04:05.678Z', 2, 2, 'completed', '2026-01-02T03:04:05.678Z', NULL, 'for Ann Onym', NULL, NULL, '{"id":"20260102-030405-abcd","status":"completed","createdAt":"2026-01-02T03:04:05.678Z","description":"for Ann Onym","dataset":{"sources":["a.jsonl"],"hash":"x","cases":3},"targetCount":1,"attempts":2,"targets":["bot"],"passMark":null,"headlines":null,"decision":null,"cost":null}', '{"id":"20260102-030405-abcd","status":"completed","createdAt":"2026-01-02T03:04:05.678Z","touchstoneVersion":"0.0.0","dataset":{"sources":["a.jsonl"],"cases":3,"hash":"x"},"targets":[{"name":"bot","use":{"use":"module"},"fingerprint":"33333333333333333333333333333333"}],"metrics":[{"name":"tool-usage","use":{"use":"tool-usage"},"version":1,"fingerprint":"44444444444444444444444444444444","aspect":"expected-tools"},{"name":"keywords","use":{"use":"keywords"},"version":1,"fingerprint":"44444444444444444444444444444444","aspect":"expected-terms"},{"name":"error-handling","use":{"use":"error-handling"},"version":1,"fingerprint":"44444444444444444444444444444444","aspect":"no-error"}],"scorecard":null,"attempts":2,"seed":0,"settings":{"concurrency":8,"timeLimitMs":60000,"maxRetries":2},"gate":{"minCoverage":1},"description":"for Ann Onym"}', 515639944);
INSERT INTO old.scores VALUES (2, 0, 0.92, 1, 'A', NULL, '{"tool-usage":1,"error-handling":12.5}', '{"verdicts":{"tool-usage":{"status":"scored","value":1,"passed":true,"explanation":"ok","evidence":{"missing":[]}},"keywords":{"status":"not-applicable","reason":"nothing expected"},"error-handling":{"status":"scored","value":12.5,"unit":"ms","label":"slow"}},"scorecard":{"total":0.92,"lower":0.92,"upper":0.92,"grade":"A","passed":true,"explanation":"every criterion met"}}', 1748020581);
INSERT INTO old.scores VALUES (2, 1, 0.92, 1, 'A', NULL, '{"tool-usage":1,"error-handling":12.5}', '{"verdicts":{"tool-usage":{"status":"scored","value":1,"passed":true,"explanation":"ok","evidence":{"missing":[]}},"keywords":{"status":"not-applicable","reason":"nothing expected"},"error-handling":{"status":"scored","value":12.5,"unit":"ms","label":"slow"}},"scorecard":{"total":0.92,"lower":0.92,"upper":0.92,"grade":"A","passed":true,"explanation":"every criterion met"}}', 4278877278);
INSERT INTO old.scores VALUES (2, 2, 0.92, 1, 'A', NULL, '{"tool-usage":1,"error-handling":12.5}', '{"verdicts":{"tool-usage":{"status":"scored","value":1,"passed":true,"explanation":"ok","evidence":{"missing":[]}},"keywords":{"status":"not-applicable","reason":"nothing expected"},"error-handling":{"status":"scored","value":12.5,"unit":"ms","label":"slow"}},"scorecard":{"total":0.92,"lower":0.92,"upper":0.92,"grade":"A","passed":true,"explanation":"every criterion met"}}', 2637433170);
INSERT INTO old.scores VALUES (2, 3, 0.92, 1, 'A', NULL, '{"tool-usage":1,"error-handling":12.5}', '{"verdicts":{"tool-usage":{"status":"scored","value":1,"passed":true,"explanation":"ok","evidence":{"missing":[]}},"keywords":{"status":"not-applicable","reason":"nothing expected"},"error-handling":{"status":"scored","value":12.5,"unit":"ms","label":"slow"}},"scorecard":{"total":0.92,"lower":0.92,"upper":0.92,"grade":"A","passed":true,"explanation":"every criterion met"}}', 168745065);
INSERT INTO old.scores VALUES (2, 4, 0.25, 0, NULL, NULL, '{"tone":0.25,"keywords":null}', '{"verdicts":{"tone":{"status":"scored","value":0.25,"passed":false,"explanation":"rude to Ann Onym","evidence":{"quote":"Ann Onym"},"judgements":["00000000000000000000000000000065","00000000000000000000000000000066"]},"keywords":{"status":"failed","code":"x","reason":"Ann Onym"}},"scorecard":{"total":0.25,"lower":0.25,"upper":0.25,"grade":null,"passed":false,"explanation":"Ann Onym"}}', 1564773675);
INSERT INTO old.shared VALUES ('run/x/note', 'c9a3d4b7-aca2-4220-acc8-e8f81c5cc538 1', '{"message":"Ann Onym"}');
INSERT INTO old.spans VALUES ('trace-1', 'a', '{"spanId":"a","name":"chat","events":[],"resource":{},"startMs":0,"traceId":"trace-1","attributes":{"input":["Ann Onym"]}}', 2167423940);
INSERT INTO old.spans VALUES ('t-talk-1', 'a', '{"name":"chat","events":[],"resource":{},"attributes":{"q":"hours"},"traceId":"t-talk-1","spanId":"a","startMs":1767348000000,"conversation":"talk","user":{"key":"0123456789ab","hash":"h1"}}', 1489708112);
INSERT INTO old.spans VALUES ('t-talk-1', 'b', '{"name":"chat","events":[],"resource":{},"attributes":{"q":"hours"},"traceId":"t-talk-1","spanId":"b","startMs":1767348001000}', 3039144790);
INSERT INTO old.spans VALUES ('t-talk-2', 'a', '{"name":"chat","events":[],"resource":{},"attributes":{"q":"hours"},"traceId":"t-talk-2","spanId":"a","startMs":1767348060000,"conversation":"talk"}', 1864995593);
INSERT INTO old.totals VALUES (2, 3, 5, 5, 2, 1);
INSERT INTO old.traces VALUES ('trace-1', NULL, NULL, NULL, '1970-01-01T00:00:00.000Z', '2026-01-02T10:00:00.000Z', '2026-01-02T10:00:01.000Z', 1);
INSERT INTO old.traces VALUES ('t-talk-1', 'talk', '0123456789ab', 'h1', '2026-01-02T10:00:00.000Z', '2026-01-02T10:00:00.000Z', '2026-01-02T10:10:00.000Z', 2);
INSERT INTO old.traces VALUES ('t-talk-2', 'talk', NULL, NULL, '2026-01-02T10:01:00.000Z', '2026-01-02T10:00:00.000Z', '2026-01-02T10:10:00.000Z', 1);
INSERT INTO old.trials VALUES (2, 0, 0, '00000000000000000000000000000000', 'bot', 1, 'completed', NULL, NULL, 12.5, NULL, NULL, 1, 0, 0, '2026-01-02T03:04:05.678Z', '{"key":"00000000000000000000000000000000","ordinal":0,"caseId":"a","caseHash":"6973206f757220616464726573733f22","target":"bot","attempt":1,"seed":0,"status":"completed","answer":"nul \u0000, high 🙂, line end","latency":{"totalMs":12.5},"retries":0,"startedAt":"2026-01-02T03:04:05.678Z"}', 2292549127);
INSERT INTO old.trials VALUES (2, 1, 0, '00000000000000000000000000000001', 'bot', 2, 'failed', 'timeout', NULL, 12.5, NULL, NULL, NULL, NULL, 2, '2026-01-02T03:04:05.678Z', '{"key":"00000000000000000000000000000001","ordinal":1,"caseId":"a","caseHash":"6973206f757220616464726573733f22","target":"bot","attempt":2,"seed":0,"status":"failed","answer":null,"latency":{"totalMs":12.5},"retries":2,"startedAt":"2026-01-02T03:04:05.678Z","error":{"code":"timeout","message":"no answer within 5 ms"},"logs":"stderr\n"}', 1652829794);
INSERT INTO old.trials VALUES (2, 2, 1, '00000000000000000000000000000002', 'bot', 1, 'cancelled', NULL, NULL, 12.5, NULL, NULL, NULL, NULL, 0, '2026-01-02T03:04:05.678Z', '{"key":"00000000000000000000000000000002","ordinal":2,"caseId":"b","caseHash":"22636f6e74656e74223a226869227d5d","target":"bot","attempt":1,"seed":0,"status":"cancelled","answer":null,"latency":{"totalMs":12.5},"retries":0,"startedAt":"2026-01-02T03:04:05.678Z"}', 2192981469);
INSERT INTO old.trials VALUES (2, 3, 1, '00000000000000000000000000000003', 'bot', 2, 'completed', NULL, 0.0125, 12.345, 10, 2, 2, 1, 0, '2026-01-02T03:04:05.678Z', '{"key":"00000000000000000000000000000003","ordinal":3,"caseId":"b","caseHash":"22636f6e74656e74223a226869227d5d","target":"bot","attempt":2,"seed":0,"status":"completed","transcript":[{"role":"user","content":"hi"},{"role":"assistant","content":null,"toolCalls":[{"id":"1","name":"look","arguments":{"q":"x"},"result":[1]}]},{"role":"tool","content":"[1]","toolCallId":"1"},{"role":"assistant","content":"rich"}],"answer":"rich","latency":{"totalMs":12.345,"firstTokenMs":3},"retries":0,"startedAt":"2026-01-02T03:04:05.678Z","documents":[{"id":"d1","text":"passage","score":0.5}],"state":{"booked":true},"usage":{"inputTokens":10,"outputTokens":2},"cost":0.0125}', 1077950191);
INSERT INTO old.trials VALUES (2, 4, 2, '00000000000000000000000000000004', 'bot', 1, 'completed', NULL, 0.5, 12.5, NULL, NULL, NULL, NULL, 0, '2026-01-02T03:04:05.678Z', '{"key":"00000000000000000000000000000004","ordinal":4,"caseId":"c Ann Onym","caseHash":"4920616d20416e6e204f6e796d227d5d","target":"bot","attempt":1,"seed":0,"status":"completed","transcript":[{"role":"user","content":"I am Ann Onym","name":"Ann Onym"},{"role":"assistant","content":"Ann Onym and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more ","reasoning":"Ann Onym","toolCalls":[{"id":"1","name":"look","arguments":{"who":"Ann Onym"},"result":{"Ann Onym":["Ann Onym"]}}]}],"answer":"Ann Onym and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more and more ","latency":{"totalMs":12.5},"retries":0,"startedAt":"2026-01-02T03:04:05.678Z","logs":"Ann Onym","state":{"user":"Ann Onym"},"recorded":{"user":"Ann Onym"},"cost":0.5,"documents":[{"id":"d","text":"Ann Onym"}]}', 1539357583);
INSERT INTO old.writers VALUES ('', 32);
SELECT pg_catalog.setval('old.totals_run_seq', 2, true);
ALTER TABLE ONLY old.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (name);
ALTER TABLE ONLY old.audit_cut
    ADD CONSTRAINT audit_cut_pkey PRIMARY KEY (number);
ALTER TABLE ONLY old.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (number);
ALTER TABLE ONLY old.baselines
    ADD CONSTRAINT baselines_pkey PRIMARY KEY (name);
ALTER TABLE ONLY old.cases
    ADD CONSTRAINT cases_pkey PRIMARY KEY (run, "position");
ALTER TABLE ONLY old.certificates
    ADD CONSTRAINT certificates_pkey PRIMARY KEY (id);
ALTER TABLE ONLY old.claims
    ADD CONSTRAINT claims_pkey PRIMARY KEY (run, part);
ALTER TABLE ONLY old.erased_traces
    ADD CONSTRAINT erased_traces_pkey PRIMARY KEY (id);
ALTER TABLE ONLY old.feedback_keys
    ADD CONSTRAINT feedback_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY old.feedback_matches
    ADD CONSTRAINT feedback_matches_pkey PRIMARY KEY (feedback);
ALTER TABLE ONLY old.feedback
    ADD CONSTRAINT feedback_pkey PRIMARY KEY (id);
ALTER TABLE ONLY old.feedback_totals
    ADD CONSTRAINT feedback_totals_pkey PRIMARY KEY (name);
ALTER TABLE ONLY old.feedback_traces
    ADD CONSTRAINT feedback_traces_pkey PRIMARY KEY (feedback);
ALTER TABLE ONLY old.feedback_waiting
    ADD CONSTRAINT feedback_waiting_pkey PRIMARY KEY (feedback);
ALTER TABLE ONLY old.judgement_uses
    ADD CONSTRAINT judgement_uses_pkey PRIMARY KEY (run, judgement);
ALTER TABLE ONLY old.judgements
    ADD CONSTRAINT judgements_pkey PRIMARY KEY (id);
ALTER TABLE ONLY old.labels
    ADD CONSTRAINT labels_pkey PRIMARY KEY (id);
ALTER TABLE ONLY old.proposal_decisions
    ADD CONSTRAINT proposal_decisions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY old.proposal_exports
    ADD CONSTRAINT proposal_exports_pkey PRIMARY KEY (id);
ALTER TABLE ONLY old.proposal_totals
    ADD CONSTRAINT proposal_totals_pkey PRIMARY KEY (name);
ALTER TABLE ONLY old.proposals
    ADD CONSTRAINT proposals_pkey PRIMARY KEY (id);
ALTER TABLE ONLY old.questions
    ADD CONSTRAINT questions_pkey PRIMARY KEY (key);
ALTER TABLE ONLY old.refused_calibrations
    ADD CONSTRAINT refused_calibrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY old.reservations
    ADD CONSTRAINT reservations_pkey PRIMARY KEY (task, item);
ALTER TABLE ONLY old.review_items
    ADD CONSTRAINT review_items_pkey PRIMARY KEY (task, "position");
ALTER TABLE ONLY old.review_tasks
    ADD CONSTRAINT review_tasks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY old.review_totals
    ADD CONSTRAINT review_totals_pkey PRIMARY KEY (task);
ALTER TABLE ONLY old.rubric_equivalences
    ADD CONSTRAINT rubric_equivalences_pkey PRIMARY KEY (id);
ALTER TABLE ONLY old.rubrics
    ADD CONSTRAINT rubrics_pkey PRIMARY KEY (id, version);
ALTER TABLE ONLY old.runs
    ADD CONSTRAINT runs_id_key UNIQUE (id);
ALTER TABLE ONLY old.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (number);
ALTER TABLE ONLY old.scores
    ADD CONSTRAINT scores_pkey PRIMARY KEY (run, ordinal);
ALTER TABLE ONLY old.shared
    ADD CONSTRAINT shared_pkey PRIMARY KEY (name);
ALTER TABLE ONLY old.spans
    ADD CONSTRAINT spans_pkey PRIMARY KEY (trace, id);
ALTER TABLE ONLY old.totals
    ADD CONSTRAINT totals_pkey PRIMARY KEY (run);
ALTER TABLE ONLY old.traces
    ADD CONSTRAINT traces_pkey PRIMARY KEY (id);
ALTER TABLE ONLY old.trials
    ADD CONSTRAINT trials_pkey PRIMARY KEY (run, ordinal);
ALTER TABLE ONLY old.writers
    ADD CONSTRAINT writers_pkey PRIMARY KEY (id);
CREATE INDEX cases_by_id ON old.cases USING hash (id);
CREATE INDEX cases_by_name ON old.cases USING hash (id);
CREATE INDEX certificates_by_metric ON old.certificates USING btree (metric, made_at);
CREATE INDEX feedback_by_time ON old.feedback USING btree (given_at, id);
CREATE INDEX feedback_matches_by_run ON old.feedback_matches USING btree (run_id, ordinal);
CREATE INDEX feedback_traces_by_trace ON old.feedback_traces USING btree (trace);
CREATE INDEX judgements_by_asking ON old.judgements USING btree (asked_in);
CREATE INDEX judgements_by_key ON old.judgements USING btree (key, asked_at);
CREATE INDEX labels_by_answer ON old.labels USING btree (answer_hash);
CREATE INDEX labels_by_run ON old.labels USING btree (run_id);
CREATE INDEX labels_by_time ON old.labels USING btree (given_at, id);
CREATE INDEX labels_columns ON old.labels USING btree (task, item);
CREATE INDEX proposal_decisions_by_proposal ON old.proposal_decisions USING btree (proposal, decided_at, id);
CREATE INDEX proposal_exports_by_proposal ON old.proposal_exports USING btree (proposal, written_at, id);
CREATE INDEX proposals_by_time ON old.proposals USING btree (made_at, id);
CREATE INDEX proposals_by_trace ON old.proposals USING btree (trace_id);
CREATE INDEX refused_calibrations_by_metric ON old.refused_calibrations USING btree (metric, made_at);
CREATE INDEX review_items_columns ON old.review_items USING btree (task, "position", people);
CREATE INDEX runs_by_time ON old.runs USING btree (listed_at, id);
CREATE INDEX scores_by_result ON old.scores USING btree (run, passed, total, ordinal);
CREATE INDEX scores_columns ON old.scores USING btree (run, ordinal) INCLUDE (total, passed, grade, outcome);
CREATE INDEX traces_by_conversation ON old.traces USING hash (conversation);
CREATE INDEX traces_by_time ON old.traces USING btree (received_at, id);
CREATE INDEX traces_by_user ON old.traces USING btree (user_hash);
CREATE INDEX trials_by_key ON old.trials USING btree (key);
CREATE INDEX trials_cancelled ON old.trials USING btree (run) WHERE (status = 'cancelled'::text);
CREATE INDEX trials_columns ON old.trials USING btree (run, ordinal) INCLUDE ("position", target, attempt, status, error_code, cost, latency_ms, input_tokens, output_tokens, steps, tool_calls, retries, started_at);
CREATE TRIGGER audit_keeps BEFORE DELETE ON old.audit FOR EACH ROW EXECUTE FUNCTION old.audit_keeps();
CREATE TRIGGER audit_refuses BEFORE UPDATE OR TRUNCATE ON old.audit FOR EACH STATEMENT EXECUTE FUNCTION old.audit_refuses();
CREATE TRIGGER cases_added AFTER INSERT ON old.cases REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.cases_added();
CREATE TRIGGER cases_removed AFTER DELETE ON old.cases REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.cases_removed();
CREATE TRIGGER certificates_added AFTER INSERT ON old.certificates REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.certificates_added();
CREATE TRIGGER certificates_removed AFTER DELETE ON old.certificates REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.certificates_removed();
CREATE TRIGGER feedback_added AFTER INSERT ON old.feedback REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.feedback_added();
CREATE TRIGGER feedback_matches_added AFTER INSERT ON old.feedback_matches REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.feedback_matches_added();
CREATE TRIGGER feedback_matches_removed AFTER DELETE ON old.feedback_matches REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.feedback_matches_removed();
CREATE TRIGGER feedback_removed AFTER DELETE ON old.feedback REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.feedback_removed();
CREATE TRIGGER judgement_uses_added AFTER INSERT ON old.judgement_uses REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.judgement_uses_added();
CREATE TRIGGER judgement_uses_removed AFTER DELETE ON old.judgement_uses REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.judgement_uses_removed();
CREATE TRIGGER labels_added AFTER INSERT ON old.labels REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.labels_added();
CREATE TRIGGER labels_removed AFTER DELETE ON old.labels REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.labels_removed();
CREATE TRIGGER proposal_decisions_added AFTER INSERT ON old.proposal_decisions REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.proposal_decisions_added();
CREATE TRIGGER proposal_decisions_removed AFTER DELETE ON old.proposal_decisions REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.proposal_decisions_removed();
CREATE TRIGGER proposal_exports_added AFTER INSERT ON old.proposal_exports REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.proposal_exports_added();
CREATE TRIGGER proposal_exports_removed AFTER DELETE ON old.proposal_exports REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.proposal_exports_removed();
CREATE TRIGGER proposals_added AFTER INSERT ON old.proposals REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.proposals_added();
CREATE TRIGGER proposals_removed AFTER DELETE ON old.proposals REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.proposals_removed();
CREATE TRIGGER refused_calibrations_added AFTER INSERT ON old.refused_calibrations REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.refused_calibrations_added();
CREATE TRIGGER refused_calibrations_removed AFTER DELETE ON old.refused_calibrations REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.refused_calibrations_removed();
CREATE TRIGGER review_items_added AFTER INSERT ON old.review_items REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.review_items_added();
CREATE TRIGGER review_items_removed AFTER DELETE ON old.review_items REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.review_items_removed();
CREATE TRIGGER scores_added AFTER INSERT ON old.scores REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.scores_added();
CREATE TRIGGER scores_removed AFTER DELETE ON old.scores REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.scores_removed();
CREATE TRIGGER trials_added AFTER INSERT ON old.trials REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.trials_added();
CREATE TRIGGER trials_removed AFTER DELETE ON old.trials REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION old.trials_removed();
ALTER TABLE ONLY old.claims
    ADD CONSTRAINT claims_run_fkey FOREIGN KEY (run) REFERENCES old.runs(number) ON DELETE CASCADE;
