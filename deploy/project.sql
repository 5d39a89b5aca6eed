-- Gives a project of a Touchstone server in PostgreSQL a role of its own, and a login for its CI and workers that has the rights of that role
-- and no others: the runs of this project, no other project, no accounts, no audit log. Run it as an administrator of the database, once for
-- each project, before the project is used:
--   psql --dbname touchstone -v server=touchstone -v schema=touchstone_shop -v login=shop_ci -f deploy/project.sql
-- Then give the login a password: psql --command '\password shop_ci'
-- `server` is the login of the server, `schema` the schema of the project: the server's schema for main, and schema_project for others.
\set ON_ERROR_STOP on
BEGIN;
SELECT 'touchstone_' || left(encode(sha256(convert_to(current_database() || ' ' || :'schema', 'UTF8')), 'hex'), 16) AS role \gset
CREATE ROLE :"role" NOLOGIN NOINHERIT;
GRANT :"role" TO :"server";
CREATE ROLE :"login" LOGIN IN ROLE :"role";
COMMIT;
