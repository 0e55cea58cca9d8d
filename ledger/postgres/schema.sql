-- A ledger in PostgreSQL 14 or newer: one schema, three roles, two tables, two functions.
-- Run it once, in the database of the ledger, as a role that may create roles and schemas:
--
--   epsiloscope ledger schema NAME | psql -v ON_ERROR_STOP=1 DATABASE
--
-- Afterwards give the roles to logins:
--
--   grant NAME_owner to steward;      opens the ledger, says where its home is, cancels by force
--   grant NAME_spender to releases;   reserves, commits, cancels what it reserved itself
--   grant NAME_reader to auditor;     reads

begin;

create role NAME_owner nologin;
create role NAME_reader nologin;
create role NAME_spender nologin;
grant NAME_reader to NAME_spender;
grant NAME_owner to current_user; -- else it could make nothing in the owner's name

create schema "NAME" authorization NAME_owner;
set local role NAME_owner;

-- One row per line, as the file has it but for the newline. key names the line for a second try: the id of a
-- reservation, "end ID" for what ends it, and the nonce for a line without an id.
create table "NAME".line (
  seq   integer     not null primary key check (seq >= 0),
  hash  text        collate "C" not null unique check (length(hash) = 64),
  key   text        collate "C" not null unique,
  nonce text        collate "C" not null,
  line  bytea       not null,
  at    timestamptz not null,
  role  text        collate "C" not null
);

-- The last line. Whoever holds its lock decides; everybody else waits.
create table "NAME".head (
  one     boolean     not null primary key default true check (one),
  format  integer     not null,
  seq     integer     not null,
  hash    text        collate "C" not null,
  at      timestamptz not null,
  touched bigint      not null
) with (fillfactor = 10);
insert into "NAME".head values (true, 1, -1, '', '-infinity', 0);

-- These triggers are for slips. The owner can drop them; only heads kept elsewhere show that.
create function "NAME".keep() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'a ledger is only appended to' using errcode = 'EP009';
end $$;
create trigger keep before update or delete on "NAME".line for each row execute function "NAME".keep();
create trigger keep_all before truncate on "NAME".line for each statement execute function "NAME".keep();
create trigger keep before delete on "NAME".head for each row execute function "NAME".keep();
create trigger keep_all before truncate on "NAME".head for each statement execute function "NAME".keep();

-- lock_head locks the last line until the end of the transaction, and says what it is and how late it is here.
create function "NAME".lock_head(out seq integer, out hash text, out at timestamptz, out clock timestamptz)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  select h.seq, h.hash, h.at into strict seq, hash, at from "NAME".head h for update;
  clock := clock_timestamp();
end $$;

-- append is the only way in. It answers "written"; "there" if this line or another try of it was written before; or
-- "moved" if the last line is not the one expected. Anything else is an error.
create function "NAME".append(expect text, line_kind text, line_id text, line_nonce text, line bytea) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set timezone = 'UTC'
set datestyle = 'ISO, YMD'
set bytea_output = 'hex'
as $$
declare
  last    "NAME".head%rowtype;
  earlier   record;
  owner   boolean := pg_has_role(session_user, 'NAME_owner', 'member');
  the_key text collate "C";
  body    bytea;
  opening bytea;
  middle  bytea;
  stamp   text collate "C";
  stamped timestamptz;
begin
  if expect is null or line_kind is null or line_id is null or line_nonce is null or line is null then
    raise exception 'an argument is null' using errcode = 'EP001';
  end if;
  if line_nonce !~ '^[0-9a-f]{32}$' collate "C" then
    raise exception 'a nonce has 32 hexadecimal digits' using errcode = 'EP001';
  end if;
  if octet_length(line) > 1048576 then
    raise exception 'a line has at most 1 MiB' using errcode = 'EP001';
  end if;

  select * into strict last from "NAME".head for update;

  if line_kind in ('reserve', 'breach', 'commit', 'cancel') then
    if line_id !~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' collate "C" then
      raise exception 'the id is not one' using errcode = 'EP001';
    end if;
    the_key := case when line_kind in ('commit', 'cancel') then 'end ' else '' end || line_id;
  elsif line_kind in ('refuse', 'open', 'home') then
    if line_id is distinct from '' then
      raise exception 'a line of this kind has no id' using errcode = 'EP001';
    end if;
    the_key := 'nonce ' || line_nonce;
  else
    raise exception 'a line of an unknown kind' using errcode = 'EP002';
  end if;

  -- What is acknowledged must have reached the disk, and the standby if the server waits for one. The setting lasts
  -- until the end of the transaction, not of this function.
  if current_setting('synchronous_commit') is distinct from 'remote_apply' then
    perform set_config('synchronous_commit', 'on', true);
  end if;

  select l.nonce, l.role into earlier from "NAME".line l where l.key = the_key;
  if earlier.nonce is not null then
    if earlier.nonce is distinct from line_nonce or earlier.role is distinct from session_user::text then
      raise exception 'the id % is taken', line_id using errcode = 'EP003';
    end if;
    -- Another try: this commit waits for all that was written before it, on the standby too.
    update "NAME".head set touched = touched + 1;
    return 'there';
  end if;

  if last.hash is distinct from expect then
    return 'moved';
  end if;

  if (line_kind in ('open', 'home')) and owner is distinct from true then
    raise exception 'only a member of NAME_owner writes a line of this kind' using errcode = 'EP004';
  end if;
  if (line_kind = 'open') is distinct from (last.seq = -1) then
    raise exception 'a ledger starts with its open record, and has no other' using errcode = 'EP002';
  end if;
  if line_kind in ('commit', 'cancel') then
    select l.role into earlier from "NAME".line l where l.key = line_id;
    if earlier.role is null then
      raise exception 'nothing was reserved as %', line_id using errcode = 'EP005';
    end if;
    if earlier.role is distinct from session_user::text and owner is distinct from true then
      raise exception '% was reserved by another role', line_id using errcode = 'EP004';
    end if;
  end if;

  -- The bytes, without reading them as JSON: two readers of JSON may differ.
  opening := convert_to('{"v":1,"seq":' || (last.seq + 1) || ',"kind":"' || line_kind || '"', 'UTF8');
  middle := convert_to(case when line_id = '' then '' else ',"id":"' || line_id || '"' end || ',"nonce":"' || line_nonce || '","at":"', 'UTF8');
  if line_kind = 'cancel' and substring(line from 1 for octet_length(opening) + 13) is not distinct from opening || convert_to(',"force":true', 'UTF8') then
    if owner is distinct from true then
      raise exception 'only a member of NAME_owner cancels by force' using errcode = 'EP004';
    end if;
    opening := opening || convert_to(',"force":true', 'UTF8');
  end if;
  opening := opening || middle;
  if substring(line from 1 for octet_length(opening)) is distinct from opening then
    raise exception 'the line does not start as its kind, number, id and nonce ask' using errcode = 'EP002';
  end if;
  if octet_length(line) < octet_length(opening) + 22 + 75 or position('\x0a'::bytea in line) is distinct from 0 then
    raise exception 'the line is too short, or more than one' using errcode = 'EP002';
  end if;
  stamp := encode(substring(line from octet_length(opening) + 1 for 20), 'escape');
  if stamp !~ '^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$' collate "C"
    or substring(line from octet_length(opening) + 21 for 2) is distinct from '\x222c'::bytea then
    raise exception 'the time is not of the form 2026-11-15T09:00:00Z' using errcode = 'EP002';
  end if;
  stamped := stamp::timestamptz;
  if stamped < last.at or stamped > clock_timestamp() + interval '2 minutes' or stamped < clock_timestamp() - interval '2 minutes' then
    raise exception 'the time % is before the last line, or more than two minutes from the clock of the server', stamp using errcode = 'EP006';
  end if;
  body := substring(line from 1 for octet_length(line) - 75);
  if substring(line from octet_length(line) - 74) is distinct from convert_to(',"hash":"' || encode(sha256(body), 'hex') || '"}', 'UTF8') then
    raise exception 'the hash is not that of the bytes' using errcode = 'EP002';
  end if;
  opening := convert_to(',"prev":"' || last.hash || '"', 'UTF8');
  if substring(body from octet_length(body) - octet_length(opening) + 1) is distinct from opening then
    raise exception 'the line does not name the one before it' using errcode = 'EP002';
  end if;

  insert into "NAME".line values (last.seq + 1, encode(sha256(body), 'hex'), the_key, line_nonce, line, stamped, session_user);
  update "NAME".head set seq = last.seq + 1, hash = encode(sha256(body), 'hex'), at = stamped;
  return 'written';
end $$;

revoke all on schema "NAME" from public;
revoke all on all tables in schema "NAME" from public;
revoke all on all functions in schema "NAME" from public;
grant usage on schema "NAME" to NAME_reader;
grant select on "NAME".line, "NAME".head to NAME_reader;
grant execute on function "NAME".lock_head(), "NAME".append(text, text, text, text, bytea) to NAME_spender;

reset role;
commit;
