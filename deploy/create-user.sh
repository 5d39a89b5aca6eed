#!/bin/sh
# Run by the image of PostgreSQL at the first start: a database, the login of the server, which may make schemas in it and no roles, and the
# login of workers, which reaches the runs of the project main and nothing else.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$TOUCHSTONE_PASSWORD" --username "$POSTGRES_USER" <<'SQL'
CREATE ROLE touchstone LOGIN PASSWORD :'password';
CREATE DATABASE touchstone;
REVOKE ALL ON DATABASE touchstone FROM PUBLIC;
GRANT CONNECT, CREATE, TEMPORARY ON DATABASE touchstone TO touchstone;
SQL
psql --username "$POSTGRES_USER" --dbname touchstone -v server=touchstone -v schema=touchstone -v login=touchstone_worker -f /project.sql
psql -v ON_ERROR_STOP=1 -v password="$TOUCHSTONE_WORKER_PASSWORD" --username "$POSTGRES_USER" <<'SQL'
ALTER ROLE touchstone_worker PASSWORD :'password';
GRANT CONNECT, TEMPORARY ON DATABASE touchstone TO touchstone_worker;
SQL
