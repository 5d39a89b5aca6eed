PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE totals (
    run INTEGER PRIMARY KEY AUTOINCREMENT,
    cases INTEGER NOT NULL DEFAULT 0,
    trials INTEGER NOT NULL DEFAULT 0,
    scores INTEGER NOT NULL DEFAULT 0,
    judgement_uses INTEGER NOT NULL DEFAULT 0,
    -- Scores that are gone, with the answers that were made again.
    scores_removed INTEGER NOT NULL DEFAULT 0
  ) STRICT;
INSERT INTO totals VALUES(1,3,5,5,2,1);
CREATE TABLE runs (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    -- Runs are listed by this: created_at, unless the clock was set back.
    listed_at TEXT NOT NULL,
    -- The number under which its cases and trials stand: its own, or that of the run whose trials it shares.
    trials_of INTEGER NOT NULL,
    trials_per_case INTEGER NOT NULL,
    status TEXT NOT NULL,
    created_at TEXT NOT NULL,
    finished_at TEXT,
    description TEXT,
    continues TEXT,
    rescored_from TEXT,
    -- A JSON object: what a list of runs shows.
    head TEXT NOT NULL,
    record ANY NOT NULL, checksum INTEGER NOT NULL
  ) STRICT;
INSERT INTO runs VALUES(1,'20260102-030405-abcd','2026-01-02T03:04:05.678Z',1,2,'completed','2026-01-02T03:04:05.678Z',NULL,'for Ann Onym',NULL,NULL,'{"id":"20260102-030405-abcd","status":"completed","createdAt":"2026-01-02T03:04:05.678Z","description":"for Ann Onym","dataset":{"sources":["a.jsonl"],"hash":"x","cases":3},"targetCount":1,"attempts":2,"targets":["bot"],"passMark":null,"headlines":null,"decision":null,"cost":null}','{"id":"20260102-030405-abcd","status":"completed","createdAt":"2026-01-02T03:04:05.678Z","touchstoneVersion":"0.0.0","dataset":{"sources":["a.jsonl"],"cases":3,"hash":"x"},"targets":[{"name":"bot","use":{"use":"module"},"fingerprint":"33333333333333333333333333333333"}],"metrics":[{"name":"tool-usage","use":{"use":"tool-usage"},"version":1,"fingerprint":"44444444444444444444444444444444","aspect":"expected-tools"},{"name":"keywords","use":{"use":"keywords"},"version":1,"fingerprint":"44444444444444444444444444444444","aspect":"expected-terms"},{"name":"error-handling","use":{"use":"error-handling"},"version":1,"fingerprint":"44444444444444444444444444444444","aspect":"no-error"}],"scorecard":null,"attempts":2,"seed":0,"settings":{"concurrency":8,"timeLimitMs":60000,"maxRetries":2},"gate":{"minCoverage":1},"description":"for Ann Onym"}',1426643882);
CREATE TABLE cases (
    run INTEGER NOT NULL,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    category TEXT,
    -- A JSON list.
    tags TEXT NOT NULL,
    cluster TEXT,
    place TEXT NOT NULL,
    hash TEXT NOT NULL,
    record ANY NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (run, position)
  ) STRICT;
INSERT INTO cases VALUES(1,0,'a',NULL,'[]',NULL,'a.jsonl:1','6973206f757220616464726573733f22','{"id":"a","input":"What is our address?","tags":[],"expected":{},"metadata":{}}',669761244);
INSERT INTO cases VALUES(1,1,'b',NULL,'[]',NULL,'a.jsonl:2','22636f6e74656e74223a226869227d5d','{"id":"b","input":[{"role":"user","content":"hi"}],"tags":[],"expected":{},"metadata":{}}',3288900665);
INSERT INTO cases VALUES(1,2,'c Ann Onym','x','["Ann Onym","vip"]',NULL,'a.jsonl:3','4920616d20416e6e204f6e796d227d5d','{"id":"c Ann Onym","input":[{"role":"system","content":"Be kind."},{"role":"user","content":"I am Ann Onym"}],"tags":["Ann Onym","vip"],"expected":{"answer":"Hello Ann Onym","keywords":["Ann Onym"],"passMark":0.5},"metadata":{"Ann Onym":{"deep":["Ann Onym"]}},"category":"x","context":"Ann Onym"}',1800041008);
CREATE TABLE trials (
    run INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    -- That of the case.
    position INTEGER NOT NULL,
    key TEXT NOT NULL,
    target TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    status TEXT NOT NULL,
    error_code TEXT,
    cost REAL,
    latency_ms REAL,
    input_tokens INTEGER,
    output_tokens INTEGER,
    steps INTEGER,
    tool_calls INTEGER,
    retries INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    record ANY NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (run, ordinal)
  ) STRICT;
INSERT INTO trials VALUES(1,0,0,'00000000000000000000000000000000','bot',1,'completed',NULL,NULL,12.5,NULL,NULL,1,0,0,'2026-01-02T03:04:05.678Z','{"key":"00000000000000000000000000000000","ordinal":0,"caseId":"a","caseHash":"6973206f757220616464726573733f22","target":"bot","attempt":1,"seed":0,"status":"completed","answer":"nul \u0000, high 🙂, line end","latency":{"totalMs":12.5},"retries":0,"startedAt":"2026-01-02T03:04:05.678Z"}',325444967);
INSERT INTO trials VALUES(1,1,0,'00000000000000000000000000000001','bot',2,'failed','timeout',NULL,12.5,NULL,NULL,NULL,NULL,2,'2026-01-02T03:04:05.678Z','{"key":"00000000000000000000000000000001","ordinal":1,"caseId":"a","caseHash":"6973206f757220616464726573733f22","target":"bot","attempt":2,"seed":0,"status":"failed","answer":null,"latency":{"totalMs":12.5},"retries":2,"startedAt":"2026-01-02T03:04:05.678Z","error":{"code":"timeout","message":"no answer within 5 ms"},"logs":"stderr\n"}',1129017709);
INSERT INTO trials VALUES(1,2,1,'00000000000000000000000000000002','bot',1,'cancelled',NULL,NULL,12.5,NULL,NULL,NULL,NULL,0,'2026-01-02T03:04:05.678Z','{"key":"00000000000000000000000000000002","ordinal":2,"caseId":"b","caseHash":"22636f6e74656e74223a226869227d5d","target":"bot","attempt":1,"seed":0,"status":"cancelled","answer":null,"latency":{"totalMs":12.5},"retries":0,"startedAt":"2026-01-02T03:04:05.678Z"}',2946491073);
INSERT INTO trials VALUES(1,3,1,'00000000000000000000000000000003','bot',2,'completed',NULL,0.012500000000000000693,12.345000000000000639,10,2,2,1,0,'2026-01-02T03:04:05.678Z','{"key":"00000000000000000000000000000003","ordinal":3,"caseId":"b","caseHash":"22636f6e74656e74223a226869227d5d","target":"bot","attempt":2,"seed":0,"status":"completed","transcript":[{"role":"user","content":"hi"},{"role":"assistant","content":null,"toolCalls":[{"id":"1","name":"look","arguments":{"q":"x"},"result":[1]}]},{"role":"tool","content":"[1]","toolCallId":"1"},{"role":"assistant","content":"rich"}],"answer":"rich","latency":{"totalMs":12.345,"firstTokenMs":3},"retries":0,"startedAt":"2026-01-02T03:04:05.678Z","documents":[{"id":"d1","text":"passage","score":0.5}],"state":{"booked":true},"usage":{"inputTokens":10,"outputTokens":2},"cost":0.0125}',3609068665);
INSERT INTO trials VALUES(1,4,2,'00000000000000000000000000000004','bot',1,'completed',NULL,0.5,12.5,NULL,NULL,NULL,NULL,0,'2026-01-02T03:04:05.678Z',X'28b52ffd60df47e50b00165a4a23306ddb06866447d18b44c698a2b6ff0837015675b6d9b4e2f3dce868c5990e0606540142003c004000dd7a7c3b86e77b1d4ffbf8a5580ba51633b058a661496a99659425a9c5284c5203cbf30eac067f222d21698d20699e5f07cbda1c973cd3e6ace78e5fd2f3917d3814c96a9a74d3668759317a7e1f6d8f2607cf77db6eae39fe2d439e5fe6de2146be1fce6bb8e9ebe3d7f6b2c7e39ae719d2da7c4cf9b5cb4725df8f6703ae0fe5234ddb5676fc5b086e7a6c448d286a3012ca3783f0be63e41c200ee5b9db3e10c7d3e31f9c63caf3cb39c4c833635ac09ceba3a339cdb1ee3b7e9f7b025123ea88ede357e3d6519148f966d7ac5dcf35fb8e1194dfb3c3b1e31704164c429172491990145402501200a3927abe09d6f6e3755eef3b468a8452f28cc0b403190072e01c452a095848259450d57dc6107b304cd3071b178ca39a52cd83111219b5b08e913b2a0fbe8aea05e21c3835306f2c47dd5adba85cea182cfce0054438e7ab826b0ae3083d2e997378223802',2289051981);
CREATE TABLE scores (
    run INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    total REAL,
    -- 1, 0, or NULL where it is not known.
    passed INTEGER,
    grade TEXT,
    outcome TEXT,
    -- A JSON object: the value by metric, null where it could not be measured.
    metrics TEXT NOT NULL,
    record ANY NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (run, ordinal)
  ) STRICT;
INSERT INTO scores VALUES(1,0,0.92000000000000003996,1,'A',NULL,'{"tool-usage":1,"error-handling":12.5}','{"verdicts":{"tool-usage":{"status":"scored","value":1,"passed":true,"explanation":"ok","evidence":{"missing":[]}},"keywords":{"status":"not-applicable","reason":"nothing expected"},"error-handling":{"status":"scored","value":12.5,"unit":"ms","label":"slow"}},"scorecard":{"total":0.92,"lower":0.92,"upper":0.92,"grade":"A","passed":true,"explanation":"every criterion met"}}',3840542180);
INSERT INTO scores VALUES(1,1,0.92000000000000003996,1,'A',NULL,'{"tool-usage":1,"error-handling":12.5}','{"verdicts":{"tool-usage":{"status":"scored","value":1,"passed":true,"explanation":"ok","evidence":{"missing":[]}},"keywords":{"status":"not-applicable","reason":"nothing expected"},"error-handling":{"status":"scored","value":12.5,"unit":"ms","label":"slow"}},"scorecard":{"total":0.92,"lower":0.92,"upper":0.92,"grade":"A","passed":true,"explanation":"every criterion met"}}',1943065823);
INSERT INTO scores VALUES(1,2,0.92000000000000003996,1,'A',NULL,'{"tool-usage":1,"error-handling":12.5}','{"verdicts":{"tool-usage":{"status":"scored","value":1,"passed":true,"explanation":"ok","evidence":{"missing":[]}},"keywords":{"status":"not-applicable","reason":"nothing expected"},"error-handling":{"status":"scored","value":12.5,"unit":"ms","label":"slow"}},"scorecard":{"total":0.92,"lower":0.92,"upper":0.92,"grade":"A","passed":true,"explanation":"every criterion met"}}',300851667);
INSERT INTO scores VALUES(1,3,0.92000000000000003996,1,'A',NULL,'{"tool-usage":1,"error-handling":12.5}','{"verdicts":{"tool-usage":{"status":"scored","value":1,"passed":true,"explanation":"ok","evidence":{"missing":[]}},"keywords":{"status":"not-applicable","reason":"nothing expected"},"error-handling":{"status":"scored","value":12.5,"unit":"ms","label":"slow"}},"scorecard":{"total":0.92,"lower":0.92,"upper":0.92,"grade":"A","passed":true,"explanation":"every criterion met"}}',2262069480);
INSERT INTO scores VALUES(1,4,0.25,0,NULL,NULL,'{"tone":0.25,"keywords":null}','{"verdicts":{"tone":{"status":"scored","value":0.25,"passed":false,"explanation":"rude to Ann Onym","evidence":{"quote":"Ann Onym"},"judgements":["00000000000000000000000000000065","00000000000000000000000000000066"]},"keywords":{"status":"failed","code":"x","reason":"Ann Onym"}},"scorecard":{"total":0.25,"lower":0.25,"upper":0.25,"grade":null,"passed":false,"explanation":"Ann Onym"}}',1075032627);
CREATE TABLE judgements (
    id TEXT NOT NULL PRIMARY KEY,
    key TEXT NOT NULL,
    asked_in TEXT NOT NULL,
    asked_at TEXT NOT NULL,
    status TEXT NOT NULL,
    record ANY NOT NULL, checksum INTEGER NOT NULL
  ) STRICT;
INSERT INTO judgements VALUES('00000000000000000000000000000065','000000000000000000000000000000c9','20260102-030405-abcd','2026-01-02T03:04:01.000Z','answered','{"id":"00000000000000000000000000000065","key":"000000000000000000000000000000c9","judge":{"name":"judge","fingerprint":"55555555555555555555555555555555"},"question":{"id":"relevance@1","shape":"score","sample":1},"askedIn":"20260102-030405-abcd","askedAt":"2026-01-02T03:04:01.000Z","outcome":{"status":"answered","answer":{"reason":"Ann Onym","score":0.5}},"calls":[{"id":"call-1","startedAt":"2026-01-02T03:04:01.000Z","prompt":[{"role":"user","content":"Judge Ann Onym"}],"parameters":{"responseSchema":{"type":"object"}},"model":"judge","reply":"Ann Onym","usage":{"inputTokens":10},"attempts":[{"startedAt":"2026-01-02T03:04:01.000Z","waitedMs":0,"latencyMs":1.5,"status":200}],"reasoning":"Ann Onym"}]}',2100482192);
INSERT INTO judgements VALUES('00000000000000000000000000000066','000000000000000000000000000000ca','20260102-030405-abcd','2026-01-02T03:04:02.000Z','answered','{"id":"00000000000000000000000000000066","key":"000000000000000000000000000000ca","judge":{"name":"judge","fingerprint":"55555555555555555555555555555555"},"question":{"id":"relevance@1","shape":"score","sample":1},"askedIn":"20260102-030405-abcd","askedAt":"2026-01-02T03:04:02.000Z","outcome":{"status":"answered","answer":{"reason":"nul \u0000, high 🙂","score":0.5}},"calls":[{"id":"call-2","startedAt":"2026-01-02T03:04:02.000Z","prompt":[{"role":"system","content":"You judge: \u0000 🙂."},{"role":"user","content":"Judge it."}],"parameters":{"responseSchema":{"type":"object"}},"model":"judge","reply":"{}","usage":{"inputTokens":10},"attempts":[{"startedAt":"2026-01-02T03:04:02.000Z","waitedMs":0,"latencyMs":1.5,"status":200}]}]}',797046146);
INSERT INTO judgements VALUES('00000000000000000000000000000067','000000000000000000000000000000cb','draft:trace-1','2026-01-02T03:04:03.000Z','answered','{"id":"00000000000000000000000000000067","key":"000000000000000000000000000000cb","judge":{"name":"judge","fingerprint":"55555555555555555555555555555555"},"question":{"id":"relevance@1","shape":"score","sample":1},"askedIn":"draft:trace-1","askedAt":"2026-01-02T03:04:03.000Z","outcome":{"status":"answered","answer":{"reason":"nul \u0000, high 🙂","score":0.5}},"calls":[{"id":"call-3","startedAt":"2026-01-02T03:04:03.000Z","prompt":[{"role":"system","content":"You judge: \u0000 🙂."},{"role":"user","content":"Judge it."}],"parameters":{"responseSchema":{"type":"object"}},"model":"judge","reply":"{}","usage":{"inputTokens":10},"attempts":[{"startedAt":"2026-01-02T03:04:03.000Z","waitedMs":0,"latencyMs":1.5,"status":200}]}]}',1971752566);
CREATE TABLE judgement_uses (
    run INTEGER NOT NULL,
    judgement TEXT NOT NULL,
    PRIMARY KEY (run, judgement)
  ) STRICT;
INSERT INTO judgement_uses VALUES(1,'00000000000000000000000000000065');
INSERT INTO judgement_uses VALUES(1,'00000000000000000000000000000066');
CREATE TABLE questions (
    key TEXT NOT NULL PRIMARY KEY,
    run INTEGER NOT NULL
  , part TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE baselines (
    name TEXT NOT NULL PRIMARY KEY,
    run_id TEXT NOT NULL,
    run_created_at TEXT NOT NULL,
    record ANY NOT NULL, checksum INTEGER NOT NULL
  ) STRICT;
INSERT INTO baselines VALUES('main','20260102-030405-abcd','2026-01-02T03:04:05.678Z','{"touchstoneBaseline":1,"name":"main","run":{"id":"20260102-030405-abcd","createdAt":"2026-01-02T03:04:05.678Z","touchstoneVersion":"0.0.0","attempts":2},"scorecard":null,"metrics":[],"targets":[{"name":"bot","fingerprint":"f","cases":[{"id":"c Ann Onym","hash":"h","score":0.5,"passed":null,"metrics":{}}]}]}',1680894262);
CREATE TABLE rubrics (
    id TEXT NOT NULL,
    version TEXT NOT NULL,
    criterion TEXT NOT NULL,
    record ANY NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (id, version)
  ) STRICT;
INSERT INTO rubrics VALUES('tone','66666666666666666666666666666666','politeness','{"id":"tone","version":"66666666666666666666666666666666","question":"Is the answer polite?","scale":{"type":"yes-no"},"examples":[{"type":"good","answer":"Ann Onym"}],"maySeeContext":true,"maySeeExpected":false,"criterion":"politeness","passing":[true],"settle":"agreement"}',2139260154);
INSERT INTO rubrics VALUES('why','66666666666666666666666666666666','why','{"id":"why","version":"66666666666666666666666666666666","question":"Is the answer polite?","scale":{"type":"text"},"examples":[],"maySeeContext":true,"maySeeExpected":false,"criterion":"why","passing":[true],"settle":"agreement"}',1547643421);
CREATE TABLE rubric_equivalences (
    id TEXT NOT NULL PRIMARY KEY,
    rubric TEXT NOT NULL,
    record ANY NOT NULL, checksum INTEGER NOT NULL
  ) STRICT;
INSERT INTO rubric_equivalences VALUES('e1','tone','{"id":"e1","rubric":"tone","versions":["66666666666666666666666666666666","77777777777777777777777777777777"],"by":"ann","at":"2026-01-02T03:04:05.678Z"}',1017986828);
CREATE TABLE review_tasks (
    id TEXT NOT NULL PRIMARY KEY,
    created_at TEXT NOT NULL,
    run_id TEXT NOT NULL,
    status TEXT NOT NULL,
    record ANY NOT NULL, checksum INTEGER NOT NULL
  ) STRICT;
INSERT INTO review_tasks VALUES('task-1','2026-01-02T03:04:05.678Z','20260102-030405-abcd','open','{"id":"task-1","createdAt":"2026-01-02T03:04:05.678Z","rubrics":[{"id":"tone","version":"66666666666666666666666666666666"}],"frame":{"run":"20260102-030405-abcd","filter":["Ann Onym"],"count":100,"hash":"ffffffffffffffffffffffffffffffff","excluded":[]},"draw":{"type":"random"},"strata":[{"name":"all","size":100,"drawn":1}],"items":1,"seed":7,"overlap":{"people":1,"share":0},"people":[],"adjudicators":[],"repeats":{"share":0,"afterMs":86400000},"controls":{"share":0},"status":"open"}',2802211817);
CREATE TABLE review_items (
    task TEXT NOT NULL,
    position INTEGER NOT NULL,
    -- The number of people who are to label it.
    people INTEGER NOT NULL,
    run_id TEXT,
    ordinal INTEGER,
    case_hash TEXT NOT NULL,
    answer_hash TEXT NOT NULL,
    stratum TEXT NOT NULL,
    record ANY NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (task, position)
  ) STRICT;
INSERT INTO review_items VALUES('task-1',0,1,'20260102-030405-abcd',4,'c4000000000000000000000000000000','b4000000000000000000000000000000','all','{"task":"task-1","position":0,"subject":{"trialKey":"00000000000000000000000000000004","answerHash":"b4000000000000000000000000000000","caseHash":"c4000000000000000000000000000000","caseId":"c Ann Onym","target":"bot","attempt":1,"run":"20260102-030405-abcd","ordinal":4},"stratum":"all","probability":0.1,"people":1}',936433071);
CREATE TABLE labels (
    id TEXT NOT NULL PRIMARY KEY,
    -- Empty for a label without a task.
    task TEXT NOT NULL,
    item INTEGER,
    rubric TEXT NOT NULL,
    rubric_version TEXT NOT NULL,
    person TEXT NOT NULL,
    kind TEXT NOT NULL,
    purpose TEXT NOT NULL,
    status TEXT NOT NULL,
    -- JSON: the value, or the reason for skipping.
    value TEXT,
    -- 1 when the verdict of the judge, the score and, but for a decision between them, the labels of others were hidden.
    blind INTEGER NOT NULL,
    given_at TEXT NOT NULL,
    seconds REAL,
    replaces TEXT,
    run_id TEXT,
    case_hash TEXT NOT NULL,
    answer_hash TEXT NOT NULL,
    record ANY NOT NULL, checksum INTEGER NOT NULL
  ) STRICT;
INSERT INTO labels VALUES('l1','task-1',0,'tone','66666666666666666666666666666666','ann','label','new','answered','true',1,'2026-01-03T09:00:00.000Z',30.0,NULL,'20260102-030405-abcd','c4000000000000000000000000000000','b4000000000000000000000000000000','{"id":"l1","subject":{"trialKey":"00000000000000000000000000000004","answerHash":"b4000000000000000000000000000000","caseHash":"c4000000000000000000000000000000","caseId":"c Ann Onym","target":"bot","attempt":1,"run":"20260102-030405-abcd","ordinal":4},"rubric":{"id":"tone","version":"66666666666666666666666666666666"},"kind":"label","purpose":"new","outcome":{"status":"answered","value":true},"by":{"person":"ann","role":"reviewer"},"at":"2026-01-03T09:00:00.000Z","seconds":30,"blind":{"verdict":"hidden","score":"hidden","others":"hidden","target":"hidden"},"task":"task-1","item":0,"draw":{"frame":"ffffffffffffffffffffffffffffffff","stratum":"all","probability":0.1,"seed":7},"note":"Ann Onym","spans":[{"start":0,"end":3,"text":"Ann Onym"}]}',3241495105);
INSERT INTO labels VALUES('l2','task-1',0,'why','66666666666666666666666666666666','ann','label','new','answered','"she is impatient"',1,'2026-01-03T09:00:00.000Z',30.0,NULL,'20260102-030405-abcd','c4000000000000000000000000000000','b4000000000000000000000000000000','{"id":"l2","subject":{"trialKey":"00000000000000000000000000000004","answerHash":"b4000000000000000000000000000000","caseHash":"c4000000000000000000000000000000","caseId":"c Ann Onym","target":"bot","attempt":1,"run":"20260102-030405-abcd","ordinal":4},"rubric":{"id":"why","version":"66666666666666666666666666666666"},"kind":"label","purpose":"new","outcome":{"status":"answered","value":"she is impatient"},"by":{"person":"ann","role":"reviewer"},"at":"2026-01-03T09:00:00.000Z","seconds":30,"blind":{"verdict":"hidden","score":"hidden","others":"hidden","target":"hidden"},"task":"task-1","item":0,"draw":{"frame":"ffffffffffffffffffffffffffffffff","stratum":"all","probability":0.1,"seed":7}}',1928741060);
INSERT INTO labels VALUES('l3','task-1',1,'tone','66666666666666666666666666666666','ann','label','new','answered','true',1,'2026-01-03T09:00:00.000Z',30.0,NULL,'20260102-030405-abcd','c1000000000000000000000000000000','b1000000000000000000000000000000','{"id":"l3","subject":{"trialKey":"a1000000000000000000000000000000","answerHash":"b1000000000000000000000000000000","caseHash":"c1000000000000000000000000000000","caseId":"case 1","target":"bot","attempt":1,"run":"20260102-030405-abcd","ordinal":1},"rubric":{"id":"tone","version":"66666666666666666666666666666666"},"kind":"label","purpose":"new","outcome":{"status":"answered","value":true},"by":{"person":"ann","role":"reviewer"},"at":"2026-01-03T09:00:00.000Z","seconds":30,"blind":{"verdict":"hidden","score":"hidden","others":"hidden","target":"hidden"},"task":"task-1","item":1,"draw":{"frame":"ffffffffffffffffffffffffffffffff","stratum":"all","probability":0.1,"seed":7},"note":"of another answer"}',3027200619);
INSERT INTO labels VALUES('free','',NULL,'tone','66666666666666666666666666666666','ann','label','new','answered','true',1,'2026-01-03T09:00:00.000Z',30.0,NULL,'20260102-030405-abcd','c0000000000000000000000000000000','b0000000000000000000000000000000',X'28b52ffd60ac1ed5090016584120508b9a3140fdef2d894b50263f54eebee1ab2ac30eef6d66099176929b99a910370039003700797334b4b5f3dd5672de94614ffb46801c1d28ca8ef28dc939831d83550853e71bcff983222c276d3b9237451b12867dabeec2394a4702ca966319c7f7a2c959ce914a0e5f33c1b95a89ad3ebe55ad962b691366bf06f3e5a884767d232539880114c0052214984002052ace15b35f2289980598b040440211ed7ccdab104d0fdd735dd67e2b75d8aae348fe907c8d32db726596f3f8469a33a69dc68ee4da584a63d63744d579cd000c6a2de7da96829c450d6de95b1646e50eecb4af61ab8cb67497c2be95229418e74d4968f57164493e5ce40ca9a528fb5640c400c41200448dd21378e4cb0b70c6b6b450932bd2f070e91b996c0e273091ed65651bdeac74b0326ad552f06e549901c460119001',1060944199);
CREATE TABLE reservations (
    task TEXT NOT NULL,
    item INTEGER NOT NULL,
    person TEXT NOT NULL,
    purpose TEXT NOT NULL,
    until TEXT NOT NULL,
    PRIMARY KEY (task, item)
  ) STRICT;
CREATE TABLE review_totals (
    task TEXT NOT NULL PRIMARY KEY,
    review_items INTEGER NOT NULL DEFAULT 0,
    labels INTEGER NOT NULL DEFAULT 0
  ) STRICT;
INSERT INTO review_totals VALUES('task-1',1,3);
INSERT INTO review_totals VALUES('',0,1);
CREATE TABLE feedback (
    id TEXT NOT NULL PRIMARY KEY,
    given_at TEXT NOT NULL,
    received_at TEXT NOT NULL,
    source TEXT NOT NULL,
    signal TEXT NOT NULL,
    record ANY NOT NULL, checksum INTEGER NOT NULL
  ) STRICT;
INSERT INTO feedback VALUES('f1','2026-01-02T10:00:00.000Z','2026-01-02T10:00:01.000Z','web','text','{"id":"f1","at":"2026-01-02T10:00:00.000Z","source":"web","signal":"text","subject":{"trialKey":"none"},"receivedAt":"2026-01-02T10:00:01.000Z","text":"write to Ann Onym"}',2362167263);
INSERT INTO feedback VALUES('f2','2026-01-02T10:00:00.000Z','2026-01-02T10:00:01.000Z','web','thumb','{"id":"f2","at":"2026-01-02T10:00:00.000Z","source":"web","signal":"thumb","value":"up","subject":{"trialKey":"00000000000000000000000000000004"},"receivedAt":"2026-01-02T10:00:01.000Z","text":"it knew me"}',3054131513);
INSERT INTO feedback VALUES('f3','2026-01-02T10:00:00.000Z','2026-01-02T10:00:01.000Z','web','thumb','{"id":"f3","at":"2026-01-02T10:00:00.000Z","source":"web","signal":"thumb","value":"up","subject":{"trialKey":"00000000000000000000000000000000"},"receivedAt":"2026-01-02T10:00:01.000Z","text":"of another answer"}',87759173);
INSERT INTO feedback VALUES('of-trace','2026-01-02T10:00:00.000Z','2026-01-02T10:00:01.000Z','web','thumb','{"id":"of-trace","at":"2026-01-02T10:00:00.000Z","source":"web","signal":"thumb","value":"up","subject":{"traceId":"t-talk-1"},"receivedAt":"2026-01-02T10:00:01.000Z"}',274759522);
INSERT INTO feedback VALUES('of-turn','2026-01-02T10:00:00.000Z','2026-01-02T10:00:01.000Z','web','thumb','{"id":"of-turn","at":"2026-01-02T10:00:00.000Z","source":"web","signal":"thumb","value":"up","subject":{"conversation":"talk","turn":2},"receivedAt":"2026-01-02T10:00:01.000Z","user":{"key":"0123456789ab","hash":"h1"}}',3708166230);
INSERT INTO feedback VALUES('too-late','2026-01-02T10:00:00.000Z','2025-01-01T00:00:00.000Z','web','thumb','{"id":"too-late","at":"2026-01-02T10:00:00.000Z","source":"web","signal":"thumb","value":"up","subject":{"traceId":"unknown"},"receivedAt":"2025-01-01T00:00:00.000Z"}',3015317473);
CREATE TABLE feedback_matches (
    feedback TEXT NOT NULL PRIMARY KEY,
    run_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    record ANY NOT NULL, checksum INTEGER NOT NULL
  ) STRICT;
INSERT INTO feedback_matches VALUES('f2','20260102-030405-abcd',4,'{"feedback":"f2","run":"20260102-030405-abcd","ordinal":4,"trialKey":"00000000000000000000000000000004","caseId":"c Ann Onym","category":"x","target":"bot","answeredAt":"2026-01-02T03:04:05.678Z"}',1399708098);
INSERT INTO feedback_matches VALUES('f3','20260102-030405-abcd',0,'{"feedback":"f3","run":"20260102-030405-abcd","ordinal":0,"trialKey":"00000000000000000000000000000000","caseId":"a","category":null,"target":"bot","answeredAt":"2026-01-02T03:04:05.678Z"}',157652803);
CREATE TABLE feedback_waiting (
    feedback TEXT NOT NULL PRIMARY KEY,
    until TEXT NOT NULL
  ) STRICT;
INSERT INTO feedback_waiting VALUES('f1','2026-01-09T10:00:01.000Z');
INSERT INTO feedback_waiting VALUES('of-trace','2026-01-09T10:00:01.000Z');
INSERT INTO feedback_waiting VALUES('of-turn','2026-01-09T10:00:01.000Z');
CREATE TABLE feedback_keys (
    id TEXT NOT NULL PRIMARY KEY,
    secret TEXT NOT NULL
  ) STRICT;
INSERT INTO feedback_keys VALUES('0123456789ab','abababababababababababababababababababababababababababababababab');
CREATE TABLE feedback_totals (
    name TEXT NOT NULL PRIMARY KEY,
    number INTEGER NOT NULL
  ) STRICT;
INSERT INTO feedback_totals VALUES('feedback',6);
INSERT INTO feedback_totals VALUES('feedback_matches',2);
INSERT INTO feedback_totals VALUES('certificates',1);
INSERT INTO feedback_totals VALUES('refused_calibrations',1);
CREATE TABLE proposals (
    id TEXT NOT NULL PRIMARY KEY,
    dataset TEXT NOT NULL,
    made_at TEXT NOT NULL,
    source TEXT NOT NULL,
    trace_id TEXT,
    record ANY NOT NULL, checksum INTEGER NOT NULL
  ) STRICT;
INSERT INTO proposals VALUES('p1','golden.jsonl','2026-01-03T10:00:00.000Z','label',NULL,'{"id":"p1","dataset":"golden.jsonl","change":"new","case":{"input":"Ann Onym","tags":[],"metadata":{}},"expectations":[{"field":"tools","value":"hours","proof":{"type":"span","spanId":"s2","text":"called once"}},{"field":"answer","value":"At nine.","proof":{"type":"text","text":"the answer"}}],"source":{"type":"label","label":"l1"},"picked":[{"reason":"random","why":"drawn with 1 %"}],"checks":[{"name":"duplicate","passed":true,"reason":"no case asks the same"}],"isSynthetic":false,"by":{"type":"person","name":"Ann"},"at":"2026-01-03T10:00:00.000Z"}',891057836);
INSERT INTO proposals VALUES('p2','golden.jsonl','2026-01-03T10:00:00.000Z','label',NULL,'{"id":"p2","dataset":"golden.jsonl","change":"new","case":{"input":"When do you open?","tags":[],"metadata":{}},"expectations":[{"field":"tools","value":"hours","proof":{"type":"span","spanId":"s2","text":"called once"}},{"field":"answer","value":"At nine.","proof":{"type":"text","text":"the answer"}}],"source":{"type":"label","label":"l3"},"picked":[{"reason":"random","why":"drawn with 1 %"}],"checks":[{"name":"duplicate","passed":true,"reason":"no case asks the same"}],"isSynthetic":false,"by":{"type":"person","name":"Ann"},"at":"2026-01-03T10:00:00.000Z"}',2599243775);
INSERT INTO proposals VALUES('p3','golden.jsonl','2026-01-03T10:00:00.000Z','trace','trace-p3','{"id":"p3","dataset":"golden.jsonl","change":"new","case":{"input":"When do you open?","tags":[],"metadata":{}},"expectations":[{"field":"tools","value":"hours","proof":{"type":"span","spanId":"s2","text":"called once"}},{"field":"answer","value":"At nine.","proof":{"type":"text","text":"the answer"}}],"source":{"type":"trace","traceId":"trace-p3","day":"2026-01-02"},"picked":[{"reason":"random","why":"drawn with 1 %"}],"checks":[{"name":"duplicate","passed":true,"reason":"no case asks the same"}],"isSynthetic":false,"by":{"type":"person","name":"Ann"},"at":"2026-01-03T10:00:00.000Z"}',1074539545);
INSERT INTO proposals VALUES('p4','golden.jsonl','2026-01-03T10:00:00.000Z','trace','trace-p4','{"id":"p4","dataset":"golden.jsonl","change":"new","case":{"input":"When do you open?","tags":[],"metadata":{}},"expectations":[{"field":"tools","value":"hours","proof":{"type":"span","spanId":"s2","text":"called once"}},{"field":"answer","value":"At nine.","proof":{"type":"text","text":"the answer"}}],"source":{"type":"trace","traceId":"trace-p4","day":"2026-01-02"},"picked":[{"reason":"random","why":"drawn with 1 %"}],"checks":[{"name":"duplicate","passed":true,"reason":"no case asks the same"}],"isSynthetic":false,"by":{"type":"person","name":"Ann"},"at":"2026-01-03T10:00:00.000Z"}',1211276982);
INSERT INTO proposals VALUES('p5','golden.jsonl','2026-01-03T10:00:00.000Z','trace','trace-p5','{"id":"p5","dataset":"golden.jsonl","change":"new","case":{"input":"When do you open?","tags":[],"metadata":{}},"expectations":[{"field":"tools","value":"hours","proof":{"type":"span","spanId":"s2","text":"called once"}},{"field":"answer","value":"At nine.","proof":{"type":"text","text":"the answer"}}],"source":{"type":"trace","traceId":"trace-p5","day":"2026-01-02"},"picked":[{"reason":"random","why":"drawn with 1 %"}],"checks":[{"name":"duplicate","passed":true,"reason":"no case asks the same"}],"isSynthetic":false,"by":{"type":"person","name":"Ann"},"at":"2026-01-03T10:00:00.000Z"}',1263958159);
CREATE TABLE proposal_decisions (
    id TEXT NOT NULL PRIMARY KEY,
    proposal TEXT NOT NULL,
    decided_at TEXT NOT NULL,
    person TEXT NOT NULL,
    status TEXT NOT NULL,
    record ANY NOT NULL, checksum INTEGER NOT NULL
  ) STRICT;
INSERT INTO proposal_decisions VALUES('decision-p1','p1','2026-01-04T10:00:00.000Z','Bob','approved','{"id":"decision-p1","proposal":"p1","outcome":{"status":"approved","case":{"input":"When do you open?","tags":[],"metadata":{}},"expectations":[{"expectation":0,"field":"tools","value":"hours"}]},"by":{"person":"Bob"},"at":"2026-01-04T10:00:00.000Z","note":"as she said"}',3591463585);
INSERT INTO proposal_decisions VALUES('decision-p3','p3','2026-01-04T10:00:00.000Z','Bob','rejected','{"id":"decision-p3","proposal":"p3","outcome":{"status":"rejected"},"by":{"person":"Bob"},"at":"2026-01-04T10:00:00.000Z"}',2578405527);
INSERT INTO proposal_decisions VALUES('decision-p4','p4','2026-01-04T10:00:00.000Z','Bob','approved','{"id":"decision-p4","proposal":"p4","outcome":{"status":"approved","case":{"input":"When do you open?","tags":[],"metadata":{}},"expectations":[{"expectation":0,"field":"tools","value":"hours"}]},"by":{"person":"Bob"},"at":"2026-01-04T10:00:00.000Z"}',3240338617);
INSERT INTO proposal_decisions VALUES('w','p4','2026-01-04T11:00:00.000Z','Bob','withdrawn','{"id":"w","proposal":"p4","outcome":{"status":"withdrawn"},"by":{"person":"Bob"},"at":"2026-01-04T11:00:00.000Z"}',2797642333);
INSERT INTO proposal_decisions VALUES('decision-p5','p5','2026-01-04T10:00:00.000Z','Bob','approved','{"id":"decision-p5","proposal":"p5","outcome":{"status":"approved","case":{"input":"When do you open?","tags":[],"metadata":{}},"expectations":[{"expectation":0,"field":"tools","value":"hours"}]},"by":{"person":"Bob"},"at":"2026-01-04T10:00:00.000Z"}',998855127);
CREATE TABLE proposal_exports (
    id TEXT NOT NULL PRIMARY KEY,
    proposal TEXT NOT NULL,
    decision TEXT NOT NULL,
    file TEXT NOT NULL,
    case_id TEXT NOT NULL,
    written_at TEXT NOT NULL,
    record ANY NOT NULL, checksum INTEGER NOT NULL
  ) STRICT;
INSERT INTO proposal_exports VALUES('export-p5','p5','decision-p5','golden.jsonl','p5','2026-01-05T10:00:00.000Z','{"id":"export-p5","proposal":"p5","decision":"decision-p5","file":"golden.jsonl","caseId":"p5","part":"golden","at":"2026-01-05T10:00:00.000Z"}',185855632);
CREATE TABLE proposal_totals (
    name TEXT NOT NULL PRIMARY KEY,
    number INTEGER NOT NULL
  ) STRICT;
INSERT INTO proposal_totals VALUES('proposals',5);
INSERT INTO proposal_totals VALUES('proposal_decisions',5);
INSERT INTO proposal_totals VALUES('proposal_exports',1);
CREATE TABLE traces (
    id TEXT NOT NULL PRIMARY KEY,
    conversation TEXT,
    user_key TEXT,
    user_hash TEXT,
    started_at TEXT,
    received_at TEXT NOT NULL,
    -- Until then further spans join it.
    open_until TEXT NOT NULL,
    -- The number of its spans, so that a lost one is noticed.
    spans INTEGER NOT NULL
  ) STRICT;
INSERT INTO traces VALUES('trace-1',NULL,NULL,NULL,'1970-01-01T00:00:00.000Z','2026-01-02T10:00:00.000Z','2026-01-02T10:00:01.000Z',1);
INSERT INTO traces VALUES('t-talk-1','talk','0123456789ab','h1','2026-01-02T10:00:00.000Z','2026-01-02T10:00:00.000Z','2026-01-02T10:10:00.000Z',2);
INSERT INTO traces VALUES('t-talk-2','talk',NULL,NULL,'2026-01-02T10:01:00.000Z','2026-01-02T10:00:00.000Z','2026-01-02T10:10:00.000Z',1);
CREATE TABLE spans (
    trace TEXT NOT NULL,
    id TEXT NOT NULL,
    record ANY NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (trace, id)
  ) STRICT;
INSERT INTO spans VALUES('trace-1','a','{"spanId":"a","name":"chat","events":[],"resource":{},"startMs":0,"traceId":"trace-1","attributes":{"input":["Ann Onym"]}}',2167423940);
INSERT INTO spans VALUES('t-talk-1','a','{"name":"chat","events":[],"resource":{},"attributes":{"q":"hours"},"traceId":"t-talk-1","spanId":"a","startMs":1767348000000,"conversation":"talk","user":{"key":"0123456789ab","hash":"h1"}}',1489708112);
INSERT INTO spans VALUES('t-talk-1','b','{"name":"chat","events":[],"resource":{},"attributes":{"q":"hours"},"traceId":"t-talk-1","spanId":"b","startMs":1767348001000}',3039144790);
INSERT INTO spans VALUES('t-talk-2','a','{"name":"chat","events":[],"resource":{},"attributes":{"q":"hours"},"traceId":"t-talk-2","spanId":"a","startMs":1767348060000,"conversation":"talk"}',1864995593);
CREATE TABLE feedback_traces (
    feedback TEXT NOT NULL PRIMARY KEY,
    trace TEXT NOT NULL
  ) STRICT;
INSERT INTO feedback_traces VALUES('of-trace','t-talk-1');
INSERT INTO feedback_traces VALUES('of-turn','t-talk-2');
CREATE TABLE erased_traces (
    id TEXT NOT NULL PRIMARY KEY,
    erased_at TEXT NOT NULL
  ) STRICT;
INSERT INTO erased_traces VALUES('t-gone','2026-01-02T11:00:00.000Z');
INSERT INTO erased_traces VALUES('never-came','2026-01-02T11:00:00.000Z');
CREATE TABLE certificates (
    id TEXT NOT NULL PRIMARY KEY,
    judge TEXT NOT NULL,
    metric TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    run_id TEXT NOT NULL,
    made_at TEXT NOT NULL,
    valid_until TEXT NOT NULL,
    record ANY NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
INSERT INTO certificates VALUES('852e89f1e781fcc251054a640219aa8e','gpt-5-mini','politeness','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','20260102-030405-abcd','2026-02-01T00:00:00.000Z','2026-05-02T00:00:00.000Z','{"version":1,"madeAt":"2026-02-01T00:00:00.000Z","validUntil":"2026-05-02T00:00:00.000Z","touchstoneVersion":"0.0.0","calibration":{"judge":{"name":"gpt-5-mini","fingerprint":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","models":["gpt-5-mini-2026"]},"metric":{"name":"politeness","fingerprint":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"},"rubric":{"id":"tone","version":"66666666666666666666666666666666"},"run":"20260102-030405-abcd","task":"task-1","frame":{"run":"20260102-030405-abcd","filter":[],"count":100,"hash":"ffffffffffffffffffffffffffffffff","excluded":[]},"draw":{"type":"random"},"population":{"dataset":"22222222222222222222222222222222","targets":[{"name":"bot","fingerprint":"cccccccccccccccccccccccccccccccc"}],"categories":[{"category":"billing","answers":700,"cases":700},{"category":"legal","answers":300,"cases":300}],"at":"2026-01-02T03:04:05.678Z"},"labels":{"ids":["l1","l2"],"hash":"dddddddddddddddddddddddddddddddd"},"split":{"part":"all","why":"All labels count.","tuning":0},"answers":200,"leftOut":{"open":0,"disputed":0,"notApplicable":0,"notBlind":0,"noVerdict":0},"table":{"truePositives":138,"falseNegatives":12,"falsePositives":9,"trueNegatives":41},"byCategory":[],"byTarget":[],"rates":{"truePositiveRate":{"value":0.92,"lower":0.8653786362494686,"upper":0.953646358481347,"n":150,"confidence":0.95,"method":"wilson"},"trueNegativeRate":{"value":0.82,"lower":0.6920394632569922,"upper":0.9022980732976582,"n":50,"confidence":0.95,"method":"wilson"},"positivePredictiveValue":{"value":0.9387755102040817,"lower":0.8877440502646413,"upper":0.9674584982160312,"n":147,"confidence":0.95,"method":"wilson"},"negativePredictiveValue":{"value":0.7735849056603774,"lower":0.6447372974853898,"upper":0.8654536898972573,"n":53,"confidence":0.95,"method":"wilson"},"agreement":{"value":0.895,"lower":0.8448196800887695,"upper":0.9302925120731899,"n":200,"confidence":0.95,"method":"wilson"},"kappa":{"value":0.725,"lower":0.6593166064233036,"upper":0.7822029967069264,"n":200,"confidence":0.95,"method":"wilson"},"ac1":{"value":0.83,"lower":0.7718411637168738,"upper":0.8757209208741302,"n":200,"confidence":0.95,"method":"wilson"}},"people":{"people":0,"items":0,"agreement":{"value":1,"lower":0.2065493143772375,"upper":1,"n":1,"confidence":0.95,"method":"wilson"},"kappa":{"value":1,"lower":0.2065493143772375,"upper":1,"n":1,"confidence":0.95,"method":"wilson"},"ac1":{"value":1,"lower":0.2065493143772375,"upper":1,"n":1,"confidence":0.95,"method":"wilson"}},"rate":{"judge":{"value":0.739,"n":1000},"people":{"value":0.75,"lower":0.6856590168795417,"upper":0.8049183199318249,"n":200,"confidence":0.95,"method":"wilson"},"method":"ppi","why":"The labels were drawn at random from these answers.","corrected":{"value":0.752875,"lower":0.704227,"upper":0.795841,"n":1000,"confidence":0.95,"method":"ppi-wilson"},"ofRun":null,"caution":null,"worth":1.7},"ofTargets":[],"leastAgreement":0.4,"conditions":[{"id":"labels","isRequired":true,"state":"met","sentence":"Enough labels."}]},"id":"852e89f1e781fcc251054a640219aa8e"}',966067179);
CREATE TABLE shared (
    name TEXT NOT NULL PRIMARY KEY,
    -- A text that is never used twice: a write names the version that it has read.
    version TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
INSERT INTO shared VALUES('run/x/note','3f4bf5f9-bd27-462a-92bb-6648b1cdfb3f 1','{"message":"Ann Onym"}');
CREATE TABLE accounts (
    name TEXT NOT NULL PRIMARY KEY,
    -- A text that is never used twice: a write names the version that it has read.
    version TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
CREATE TABLE audit (
    number INTEGER NOT NULL PRIMARY KEY,
    -- A text that is never used twice: the process that has written the entry knows it again.
    version TEXT NOT NULL,
    entry TEXT NOT NULL
  ) STRICT;
CREATE TABLE audit_cut (number INTEGER NOT NULL PRIMARY KEY) STRICT;
CREATE TABLE refused_calibrations (
    id TEXT NOT NULL PRIMARY KEY,
    judge TEXT NOT NULL,
    metric TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    run_id TEXT NOT NULL,
    made_at TEXT NOT NULL,
    record ANY NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
INSERT INTO refused_calibrations VALUES('ffffffffffffffffffffffffffffffff','gpt-5-mini','politeness','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','20260102-030405-abcd','2026-02-01T00:00:00.000Z','{"version":1,"madeAt":"2026-02-01T00:00:00.000Z","touchstoneVersion":"0.0.0","calibration":{"judge":{"name":"gpt-5-mini","fingerprint":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","models":["gpt-5-mini-2026"]},"metric":{"name":"politeness","fingerprint":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"},"rubric":{"id":"tone","version":"66666666666666666666666666666666"},"run":"20260102-030405-abcd","task":"task-1","frame":{"run":"20260102-030405-abcd","filter":[],"count":100,"hash":"ffffffffffffffffffffffffffffffff","excluded":[]},"draw":{"type":"random"},"population":{"dataset":"22222222222222222222222222222222","targets":[{"name":"bot","fingerprint":"cccccccccccccccccccccccccccccccc"}],"categories":[{"category":"billing","answers":700,"cases":700},{"category":"legal","answers":300,"cases":300}],"at":"2026-01-02T03:04:05.678Z"},"labels":{"ids":["l1","l2"],"hash":"dddddddddddddddddddddddddddddddd"},"split":{"part":"all","why":"All labels count.","tuning":0},"answers":200,"leftOut":{"open":0,"disputed":0,"notApplicable":0,"notBlind":0,"noVerdict":0},"table":{"truePositives":138,"falseNegatives":12,"falsePositives":9,"trueNegatives":41},"byCategory":[],"byTarget":[],"rates":{"truePositiveRate":{"value":0.92,"lower":0.8653786362494686,"upper":0.953646358481347,"n":150,"confidence":0.95,"method":"wilson"},"trueNegativeRate":{"value":0.82,"lower":0.6920394632569922,"upper":0.9022980732976582,"n":50,"confidence":0.95,"method":"wilson"},"positivePredictiveValue":{"value":0.9387755102040817,"lower":0.8877440502646413,"upper":0.9674584982160312,"n":147,"confidence":0.95,"method":"wilson"},"negativePredictiveValue":{"value":0.7735849056603774,"lower":0.6447372974853898,"upper":0.8654536898972573,"n":53,"confidence":0.95,"method":"wilson"},"agreement":{"value":0.895,"lower":0.8448196800887695,"upper":0.9302925120731899,"n":200,"confidence":0.95,"method":"wilson"},"kappa":{"value":0.725,"lower":0.6593166064233036,"upper":0.7822029967069264,"n":200,"confidence":0.95,"method":"wilson"},"ac1":{"value":0.83,"lower":0.7718411637168738,"upper":0.8757209208741302,"n":200,"confidence":0.95,"method":"wilson"}},"people":{"people":0,"items":0,"agreement":{"value":1,"lower":0.2065493143772375,"upper":1,"n":1,"confidence":0.95,"method":"wilson"},"kappa":{"value":1,"lower":0.2065493143772375,"upper":1,"n":1,"confidence":0.95,"method":"wilson"},"ac1":{"value":1,"lower":0.2065493143772375,"upper":1,"n":1,"confidence":0.95,"method":"wilson"}},"rate":{"judge":{"value":0.739,"n":1000},"people":{"value":0.75,"lower":0.6856590168795417,"upper":0.8049183199318249,"n":200,"confidence":0.95,"method":"wilson"},"method":"ppi","why":"The labels were drawn at random from these answers.","corrected":{"value":0.752875,"lower":0.704227,"upper":0.795841,"n":1000,"confidence":0.95,"method":"ppi-wilson"},"ofRun":null,"caution":null,"worth":1.7},"ofTargets":[],"leastAgreement":0.4,"conditions":[{"id":"labels","isRequired":true,"state":"met","sentence":"Enough labels."}]},"id":"ffffffffffffffffffffffffffffffff","needs":["more labels"]}',2721375332);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('totals',1);
CREATE INDEX runs_by_time ON runs (listed_at, id);
CREATE INDEX cases_by_id ON cases (run, id);
CREATE INDEX cases_columns ON cases (run, position, id, category, tags, cluster);
CREATE INDEX trials_columns ON trials (run, ordinal, position, target, attempt, status, error_code, cost, latency_ms, input_tokens, output_tokens, steps, tool_calls, retries);
CREATE INDEX trials_cancelled ON trials (run) WHERE status = 'cancelled';
CREATE INDEX scores_by_result ON scores (run, passed, total, ordinal);
CREATE INDEX scores_columns ON scores (run, ordinal, total, passed, grade, outcome, metrics);
CREATE INDEX judgements_by_key ON judgements (key, asked_at);
CREATE VIEW results AS
    SELECT runs.id AS run_id, trials.ordinal, cases.id AS case_id, cases.category, cases.cluster, trials.target,
      trials.attempt, trials.status, trials.error_code, scores.total, scores.passed, scores.grade, scores.outcome,
      trials.cost, trials.latency_ms, trials.input_tokens, trials.output_tokens, trials.steps, trials.tool_calls,
      trials.retries, trials.started_at, cases.tags, scores.metrics,
      cases.record AS case_record, trials.record AS trial_record, scores.record AS score_record
    FROM runs
    JOIN trials ON trials.run = runs.trials_of
    JOIN cases ON cases.run = runs.trials_of AND cases.position = trials.position
    LEFT JOIN scores ON scores.run = runs.number AND scores.ordinal = trials.ordinal;
CREATE TRIGGER cases_added AFTER INSERT ON cases BEGIN
    UPDATE totals SET cases = cases + 1 WHERE run = new.run;
  END;
CREATE TRIGGER cases_removed AFTER DELETE ON cases BEGIN
    UPDATE totals SET cases = cases - 1 WHERE run = old.run;
  END;
CREATE TRIGGER trials_added AFTER INSERT ON trials BEGIN
    UPDATE totals SET trials = trials + 1 WHERE run = new.run;
  END;
CREATE TRIGGER trials_removed AFTER DELETE ON trials BEGIN
    UPDATE totals SET trials = trials - 1 WHERE run = old.run;
  END;
CREATE TRIGGER scores_added AFTER INSERT ON scores BEGIN
    UPDATE totals SET scores = scores + 1 WHERE run = new.run;
  END;
CREATE TRIGGER scores_removed AFTER DELETE ON scores BEGIN
    UPDATE totals SET scores = scores - 1, scores_removed = scores_removed + 1 WHERE run = old.run;
  END;
CREATE TRIGGER judgement_uses_added AFTER INSERT ON judgement_uses BEGIN
    UPDATE totals SET judgement_uses = judgement_uses + 1 WHERE run = new.run;
  END;
CREATE TRIGGER judgement_uses_removed AFTER DELETE ON judgement_uses BEGIN
    UPDATE totals SET judgement_uses = judgement_uses - 1 WHERE run = old.run;
  END;
CREATE INDEX review_items_columns ON review_items (task, position, people);
CREATE INDEX labels_columns ON labels (task, item, id, rubric, rubric_version, person, kind, purpose, status, value, blind, given_at, seconds, replaces);
CREATE INDEX labels_by_time ON labels (given_at, id);
CREATE INDEX labels_by_answer ON labels (answer_hash);
CREATE INDEX labels_by_run ON labels (run_id);
CREATE TRIGGER review_items_added AFTER INSERT ON review_items BEGIN
    INSERT INTO review_totals (task, review_items) VALUES (new.task, 1)
      ON CONFLICT (task) DO UPDATE SET review_items = review_items + 1;
  END;
CREATE TRIGGER review_items_removed AFTER DELETE ON review_items BEGIN
    UPDATE review_totals SET review_items = review_items - 1 WHERE task = old.task;
  END;
CREATE TRIGGER labels_added AFTER INSERT ON labels BEGIN
    INSERT INTO review_totals (task, labels) VALUES (new.task, 1)
      ON CONFLICT (task) DO UPDATE SET labels = labels + 1;
  END;
CREATE TRIGGER labels_removed AFTER DELETE ON labels BEGIN
    UPDATE review_totals SET labels = labels - 1 WHERE task = old.task;
  END;
CREATE INDEX feedback_by_time ON feedback (given_at, id);
CREATE INDEX feedback_matches_by_run ON feedback_matches (run_id, ordinal);
CREATE INDEX trials_by_key ON trials (key);
CREATE INDEX cases_by_name ON cases (id);
CREATE TRIGGER feedback_added AFTER INSERT ON feedback BEGIN
    INSERT INTO feedback_totals (name, number) VALUES ('feedback', 1)
      ON CONFLICT (name) DO UPDATE SET number = number + 1;
  END;
CREATE TRIGGER feedback_removed AFTER DELETE ON feedback BEGIN
    UPDATE feedback_totals SET number = number - 1 WHERE name = 'feedback';
  END;
CREATE TRIGGER feedback_matches_added AFTER INSERT ON feedback_matches BEGIN
    INSERT INTO feedback_totals (name, number) VALUES ('feedback_matches', 1)
      ON CONFLICT (name) DO UPDATE SET number = number + 1;
  END;
CREATE TRIGGER feedback_matches_removed AFTER DELETE ON feedback_matches BEGIN
    UPDATE feedback_totals SET number = number - 1 WHERE name = 'feedback_matches';
  END;
CREATE INDEX proposals_by_time ON proposals (made_at, id);
CREATE INDEX proposals_by_trace ON proposals (trace_id);
CREATE INDEX proposal_decisions_by_proposal ON proposal_decisions (proposal, decided_at, id);
CREATE INDEX proposal_exports_by_proposal ON proposal_exports (proposal, written_at, id);
CREATE TRIGGER proposals_added AFTER INSERT ON proposals BEGIN
    INSERT INTO proposal_totals (name, number) VALUES ('proposals', 1)
      ON CONFLICT (name) DO UPDATE SET number = number + 1;
  END;
CREATE TRIGGER proposals_removed AFTER DELETE ON proposals BEGIN
    UPDATE proposal_totals SET number = number - 1 WHERE name = 'proposals';
  END;
CREATE TRIGGER proposal_decisions_added AFTER INSERT ON proposal_decisions BEGIN
    INSERT INTO proposal_totals (name, number) VALUES ('proposal_decisions', 1)
      ON CONFLICT (name) DO UPDATE SET number = number + 1;
  END;
CREATE TRIGGER proposal_decisions_removed AFTER DELETE ON proposal_decisions BEGIN
    UPDATE proposal_totals SET number = number - 1 WHERE name = 'proposal_decisions';
  END;
CREATE TRIGGER proposal_exports_added AFTER INSERT ON proposal_exports BEGIN
    INSERT INTO proposal_totals (name, number) VALUES ('proposal_exports', 1)
      ON CONFLICT (name) DO UPDATE SET number = number + 1;
  END;
CREATE TRIGGER proposal_exports_removed AFTER DELETE ON proposal_exports BEGIN
    UPDATE proposal_totals SET number = number - 1 WHERE name = 'proposal_exports';
  END;
CREATE INDEX traces_by_time ON traces (received_at, id);
CREATE INDEX traces_by_user ON traces (user_hash);
CREATE INDEX traces_by_conversation ON traces (conversation);
CREATE INDEX feedback_traces_by_trace ON feedback_traces (trace);
CREATE INDEX certificates_by_metric ON certificates (metric, made_at);
CREATE TRIGGER certificates_added AFTER INSERT ON certificates BEGIN
    INSERT INTO feedback_totals (name, number) VALUES ('certificates', 1)
      ON CONFLICT (name) DO UPDATE SET number = number + 1;
  END;
CREATE TRIGGER certificates_removed AFTER DELETE ON certificates BEGIN
    UPDATE feedback_totals SET number = number - 1 WHERE name = 'certificates';
  END;
CREATE INDEX judgements_by_asking ON judgements (asked_in);
CREATE TRIGGER audit_refuses_update BEFORE UPDATE ON audit BEGIN
    SELECT RAISE(ABORT, 'entries of the audit log are never changed');
  END;
CREATE TRIGGER audit_refuses_delete BEFORE DELETE ON audit
  WHEN old.number > coalesce((SELECT max(number) FROM audit_cut), 0) BEGIN
    SELECT RAISE(ABORT, 'entries of the audit log are never changed');
  END;
CREATE INDEX refused_calibrations_by_metric ON refused_calibrations (metric, made_at);
CREATE TRIGGER refused_calibrations_added AFTER INSERT ON refused_calibrations BEGIN
    INSERT INTO feedback_totals (name, number) VALUES ('refused_calibrations', 1)
      ON CONFLICT (name) DO UPDATE SET number = number + 1;
  END;
CREATE TRIGGER refused_calibrations_removed AFTER DELETE ON refused_calibrations BEGIN
    UPDATE feedback_totals SET number = number - 1 WHERE name = 'refused_calibrations';
  END;
PRAGMA user_version = 15;
COMMIT;
