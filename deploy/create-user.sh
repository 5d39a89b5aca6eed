#!/bin/sh
# Run by the image of PostgreSQL at the first start: a user that is no superuser, and its database.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$TOUCHSTONE_PASSWORD" --username "$POSTGRES_USER" <<'SQL'
CREATE ROLE touchstone LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE touchstone OWNER touchstone;
SQL
