-- Gives the audit log of a Touchstone server in PostgreSQL to a role that no login holds: then the login of the server adds entries, and removes what
-- was cut by age, and can neither change entries nor drop what refuses it. Run it as a superuser after the first start of the server:
--   psql --dbname touchstone -v server=touchstone -v schema=touchstone -f deploy/seal-audit.sql
\set ON_ERROR_STOP on
BEGIN;
SELECT NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'touchstone_audit') AS is_new \gset
\if :is_new
CREATE ROLE touchstone_audit NOLOGIN;
\endif
-- The owner of a schema may drop what is in it.
ALTER SCHEMA :"schema" OWNER TO touchstone_audit;
GRANT USAGE, CREATE ON SCHEMA :"schema" TO :"server" WITH GRANT OPTION;
ALTER TABLE :"schema".audit OWNER TO touchstone_audit;
ALTER FUNCTION :"schema".audit_refuses() OWNER TO touchstone_audit;
ALTER FUNCTION :"schema".audit_keeps() OWNER TO touchstone_audit;
GRANT SELECT, INSERT, DELETE ON :"schema".audit TO :"server";
COMMIT;
